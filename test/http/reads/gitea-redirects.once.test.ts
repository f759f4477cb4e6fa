import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { startApp, type TestApp } from '../../../support/program/app.ts';
import { apply, type Sandbox } from '../../../support/program/command.ts';

const PAGE = '/changelog/acme/odd';
/** The label of `ver_N`, in this order, published a day apart. */
const LABELS = [
  ...[
    '1.0.0',
    'v1.1.0',
    '2.0.0-rc.1',
    'release/1.0',
    'a/b/c',
    '/',
    'http://x',
    'spring release',
    'a...b',
    'b...c',
  ],
  ...[
    'latest',
    'ver_0',
    '50%',
    '%2F',
    'a+b',
    'a?b',
    'a#b',
    'a&b=c',
    'Größe',
    '🚀'.repeat(128),
    'x'.repeat(128),
    '$&',
  ],
];
const DRAFT = '9.0.0';
const dayOf = (label: string) => `2026-01-${String(LABELS.indexOf(label) + 1).padStart(2, '0')}`;
const ODD = {
  team: { slug: 'acme', name: 'Acme', visibility: 'public', plan: 'paid' },
  products: [
    {
      slug: 'odd',
      name: 'Odd',
      status: 'published',
      changelog: {
        status: 'published',
        versions: [
          ...LABELS.map((version, index) => ({
            id: `ver_${index}`,
            version,
            title: `Title ${index}.`,
            status: 'published',
            publishedAt: `2026-01-${String(index + 1).padStart(2, '0')}`,
          })),
          { id: 'ver_draft', version: DRAFT, title: '', status: 'draft' },
        ],
      },
    },
    {
      slug: 'empty',
      name: 'Empty',
      status: 'published',
      changelog: { status: 'published', versions: [] },
    },
    { slug: 'hidden', name: 'Hidden', changelog: { status: 'published', versions: [] } },
    {
      slug: 'compare',
      name: 'Compare',
      status: 'published',
      changelog: { status: 'published', versions: [{ version: '1.0.0', title: '', status: 'published' }] },
    },
  ],
};

describe('redirects for clients of Gitea (R57)', () => {
  const scope = sharedScope();
  const sandbox: Sandbox = { folder: temporaryFolder(scope) };
  let app: TestApp;

  before(async () => {
    await apply(sandbox, ODD);
    ({ app } = await startApp(scope, sandbox));
  });

  const tagOf = (label: string) => `/acme/odd/releases/tag/${label}`;
  const compare = (text: string) => `/acme/odd/compare/${text}`;

  it('a product and its releases lead to its page, and its latest release to the page of that version', async () => {
    for (const [url, location] of [
      ['/acme/odd', PAGE],
      ['/acme/odd?tab=readme', PAGE],
      ['/acme/odd/releases', PAGE],
      ['/acme/odd/releases/latest', `${PAGE}/versions/v1.1.0`],
      ['/acme/empty/releases', '/changelog/acme/empty'],
    ] as const) {
      const { statusCode, headers, body } = await app.inject(url);
      assert.deepEqual([statusCode, headers.location, body], [302, location, ''], url);
      assert.equal(headers['cache-control'], 'public, max-age=30', url);
      assert.match(String(headers.ratelimit), /^"public"/, url);
      assert.equal((await app.inject(location)).statusCode, 200, url);
    }
  });

  it('a label with an encoded slash names its version everywhere, and in no other segment', async () => {
    const API = '/api/v1/public/teams/acme/products/odd/changelog/versions';
    for (const label of ['release/1.0', 'a/b/c', '/', 'http://x']) {
      const id = `ver_${LABELS.indexOf(label)}`;
      const name = encodeURIComponent(label);
      for (const spelled of [name, name.toLowerCase()]) {
        assert.equal((await app.inject(`${API}/${spelled}`)).json().data.id, id, label);
        for (const form of ['md', 'txt', 'html'])
          assert.equal((await app.inject(`${API}/${spelled}/notes.${form}`)).statusCode, 200, label);
        for (const ending of ['', '.md'])
          assert.match(
            (await app.inject(`${PAGE}/versions/${spelled}${ending}`)).body,
            new RegExp(`Title ${LABELS.indexOf(label)}`),
          );
      }
    }
    for (const url of [
      `${API}/release/1.0`,
      `${API}/release%252F1.0`,
      `${API}/release%2F1.0%00`,
      `${API}/release%2F1.0/notes%2Emd%2F`,
      `${API}/${'a%2F'.repeat(65)}`,
      '/api/v1/public/teams/acme/products%2Fodd/changelog',
      '/api/v1/public/teams/acme/products/odd/changelog%2Fversions/1.0.0',
      `${PAGE}/versions/release/1.0`,
      `${PAGE}%2Fversions/1.0.0`,
    ])
      assert.equal((await app.inject(url)).statusCode, 404, url);
  });

  it('a tag leads to the page of its version, however its label is encoded', async () => {
    for (const [index, label] of LABELS.entries()) {
      const encoded = encodeURIComponent(label);
      const raw = label.includes('//') || label === '/' ? encoded : encoded.replaceAll('%2F', '/');
      for (const name of new Set([encoded, raw])) {
        const { statusCode, headers, body } = await app.inject(tagOf(name));
        assert.deepEqual([statusCode, body], [302, ''], name);
        const page = await app.inject(String(headers.location));
        assert.equal(page.statusCode, 200, name);
        assert.ok(headers.location?.startsWith(`${PAGE}/versions/`), name);
        assert.ok(page.body.includes(`Title ${index}.`), name);
      }
    }
    assert.equal((await app.inject(tagOf('1.1.0'))).headers.location, `${PAGE}/versions/v1.1.0`);
  });

  it('two semantic versions lead to what changed between them, and others to the days between them', async () => {
    const days = (from: string, to: string) => `${PAGE}?since=${dayOf(from)}&until=${dayOf(to)}`;
    for (const [text, location] of [
      ['1.0.0...v1.1.0', `${PAGE}/changes?from=1.0.0&to=v1.1.0`],
      ['v1.0.0...2.0.0-rc.1', `${PAGE}/changes?from=1.0.0&to=2.0.0-rc.1`],
      ['1.0.0...release/1.0', days('1.0.0', 'release/1.0')],
      ['release%2F1.0...a%2Fb%2Fc', days('release/1.0', 'a/b/c')],
      ['a/b/c...release/1.0', days('release/1.0', 'a/b/c')],
      ['spring%20release...%2550%25', null],
      ['spring%20release...50%25', days('spring release', '50%')],
    ] as const) {
      const { statusCode, headers } = await app.inject(compare(text));
      assert.deepEqual(
        [statusCode, headers.location],
        [location === null ? 404 : 302, location ?? undefined],
        text,
      );
      if (location !== null) assert.equal((await app.inject(location)).statusCode, 200, location);
    }
  });

  it('drafts, ids, other products and labels that do not exist are the same 404 page', async () => {
    const bodies = new Set<string>();
    for (const url of [
      ...[
        DRAFT,
        '9.9.9',
        'ver_1',
        'ver_draft',
        '1.0.0/',
        '/1.0.0',
        'a//b',
        '%00',
        '%ff',
        'a%00b',
        'x'.repeat(129),
        '',
      ],
      ...['%2525', 'release%252F1.0', 'release/1.0/', 'release%5C1.0'],
    ].map(tagOf))
      bodies.add(await notFound(url));
    for (const text of [
      ...[
        `1.0.0...${DRAFT}`,
        `${DRAFT}...1.0.0`,
        '1.0.0...9.9.9',
        '1.0.0',
        '1.0.0..v1.1.0',
        '...',
        '1.0.0...',
        '...1.0.0',
      ],
      ...[
        'ver_1...ver_2',
        '1.0.0.../v1.1.0',
        '1.0.0...%00',
        '%ff...1.0.0',
        '.'.repeat(200),
        'x'.repeat(260),
        '',
      ],
    ])
      bodies.add(await notFound(compare(text)));
    for (const url of [
      '/acme/none/releases/tag/1.0.0',
      '/nobody/odd/compare/1.0.0...v1.1.0',
      '/ACME/odd/compare/1...2',
      ...['', '/releases', '/releases/latest'].flatMap((below) =>
        ['/acme/none', '/acme/hidden', '/nobody/odd', '/ACME/odd', '/acme/o.dd'].map((name) => name + below),
      ),
      '/acme/empty/releases/latest',
      '/docs/odd',
    ])
      bodies.add(await notFound(url));
    bodies.add(await notFound('/%ff/odd/releases/tag/1.0.0'));
    assert.equal(bodies.size, 1);
    assert.match([...bodies].join(), /<h1>Page not found/);
  });

  it('a redirect is cached like a page, has HEAD and OPTIONS, and ignores conditions', async () => {
    const url = tagOf('1.0.0');
    const { headers } = await app.inject({ url, headers: { 'if-none-match': '*', 'if-match': '"x"' } });
    assert.equal(headers['cache-control'], 'public, max-age=30');
    assert.deepEqual([headers['content-length'], headers.etag], ['0', undefined]);
    assert.match(String(headers.ratelimit), /^"public"/);
    assert.equal(headers['access-control-allow-origin'], undefined);
    const head = await app.inject({ url, method: 'HEAD' });
    assert.deepEqual([head.statusCode, head.headers.location], [302, headers.location]);
    assert.equal((await app.inject({ url, method: 'OPTIONS' })).statusCode, 204);
    const posted = await app.inject({ url, method: 'POST' });
    assert.equal(posted.statusCode, 405);
    assert.match(posted.body, /<h1>Method not allowed/);
  });

  it('the gate covers them, malformed ones too', async (t) => {
    const { app: gated } = await startApp(t, sandbox, {
      PASSWORD_PROTECTION: 'true',
      PASSWORD_PROTECTION_USERNAME: 'visitor',
      PASSWORD_PROTECTION_PASSWORD: 'open sesame',
    });
    const authorization = `Basic ${btoa('visitor:open sesame')}`;
    for (const [url, status] of [
      [tagOf('1.0.0'), 302],
      [tagOf('%ff'), 404],
      [tagOf(''), 404],
      [compare('1.0.0...v1.1.0'), 302],
      [compare('%00'), 404],
      ['/acme/odd', 302],
      ['/acme/odd/releases/latest', 302],
      ['/acme/hidden', 404],
    ] as const) {
      assert.equal((await gated.inject(url)).statusCode, 401, url);
      const { statusCode, headers } = await gated.inject({ url, headers: { authorization } });
      assert.equal(statusCode, status, url);
      assert.equal(headers['cache-control'], status === 302 ? 'private, no-cache' : 'no-store');
    }
  });

  it('nothing else below a name is a page, and pages of a product called compare stay', async () => {
    for (const url of ['/acme', '/acme/odd/releases/new', '/acme/odd/tags/1'])
      assert.equal((await app.inject(url)).json().error.code, 'not_found', url);
    for (const url of ['/api/v1', '/api/odd', '/changelog/acme', '/changelog/odd'])
      assert.equal((await app.inject(url)).headers.location, undefined, url);
    for (const below of ['', '/versions/1.0.0', '/changes'])
      assert.equal((await app.inject(`/changelog/acme/compare${below}`)).statusCode, 200, below);
    for (const url of ['/api/v1/releases/tag/a%2Fb', '/api/v1/compare/a/b', '/changelog/x/compare/a%2Fb'])
      assert.equal((await app.inject(url)).statusCode, 404, url);
  });

  async function notFound(url: string): Promise<string> {
    const { statusCode, headers, body } = await app.inject(url);
    assert.equal(statusCode, 404, url);
    assert.equal(headers.location, undefined);
    return body;
  }
});
