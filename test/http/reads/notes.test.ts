import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { startApp, type TestApp } from '../../../support/program/app.ts';
import { apply, createKey } from '../../../support/program/command.ts';

const CHANGELOG = '/teams/acme/products/rocket/changelog';
const FORMS = { md: 'text/markdown', txt: 'text/plain', html: 'text/html' } as const;
type Form = keyof typeof FORMS;

const scope = sharedScope();
let app: TestApp;
let holder: Record<string, string>;
before(async () => {
  const sandbox = { folder: temporaryFolder(scope) };
  const change = (type: string, text: string, breaking = false) => ({ type, text, breaking });
  const version = (label: string, title: string, fields: object) => ({
    version: label,
    title,
    status: 'published',
    publishedAt: '2026-05-01',
    ...fields,
  });
  await apply(sandbox, {
    team: { slug: 'acme', name: 'Acme', visibility: 'public', plan: 'paid' },
    products: [
      {
        slug: 'rocket',
        name: 'Rocket',
        status: 'published',
        links: { base: 'https://rocket.example/docs/', repository: 'https://github.com/acme/rocket' },
        changelog: {
          id: 'cl_1',
          status: 'published',
          versions: [
            version('3.0.0', 'Secret', {
              status: 'draft',
              publishedAt: null,
              changes: [change('added', 'hush')],
            }),
            version('2.1.0', 'Faster', {
              publishedAt: '2026-05-04T09:00:00Z',
              description: '# New\n\nSee [how](setup.md) and [why][1], #12 by @ada.\n\n[1]: why.md',
              changes: [
                change('fixed', 'A *leak*.'),
                change('removed', 'The `v1` API.', true),
                change('security', 'Keys.'),
              ],
            }),
            version('2.0.0', '', { publishedAt: '2026-05-03', yanked: true }),
            version('ä b', 'Odd', { publishedAt: '2026-05-02', changes: [change('added', 'x')] }),
          ],
        },
      },
    ],
  });
  const { key } = await createKey(sandbox, 'acme', '--kind', 'FULL');
  holder = { authorization: `Bearer ${key}` };
  ({ app } = await startApp(scope, sandbox));
});

const get = (below: string, surface = '/public', headers = {}) =>
  app.inject({
    url: `/api/v1${surface}${CHANGELOG}${below}`,
    headers: surface === '' ? { ...holder, ...headers } : headers,
  });

const NOTES: Record<'md' | 'txt', string> = {
  md: '### New\n\nSee [how](https://rocket.example/docs/setup.md) and [why](https://rocket.example/docs/why.md), [#12](https://github.com/acme/rocket/issues/12) by [@ada](https://github.com/ada).\n\n### Breaking changes\n\n- **Removed:** The `v1` API.\n\n### Security\n\n- Keys.\n\n### Fixed\n\n- A *leak*.\n',
  txt: 'New\n\nSee how (https://rocket.example/docs/setup.md) and why (https://rocket.example/docs/why.md), #12 by @ada.\n\nBreaking changes\n- Removed: The v1 API.\n\nSecurity\n- Keys.\n\nFixed\n- A leak.\n',
};
const YANKED = {
  md: '**Yanked:** withdrawn after its release.\n',
  txt: 'Yanked: withdrawn after its release.\n',
};

describe('release notes over HTTP (R54)', () => {
  for (const surface of ['/public', '']) {
    const where = surface === '' ? 'the authenticated surface' : 'the public surface';

    it(`200 with the notes of one version, without a heading, on ${where}`, async () => {
      for (const form of ['md', 'txt'] as const)
        for (const name of ['2.1.0', 'v2.1.0', 'latest']) {
          const { statusCode, body, headers } = await get(`/versions/${name}/notes.${form}`, surface);
          assert.equal(statusCode, 200);
          assert.equal(body, NOTES[form]);
          assert.equal(headers['content-type'], `${FORMS[form]}; charset=utf-8`);
          assert.equal(headers['content-security-policy'], undefined);
        }
    });

    it(`the body of a release for clients of Gitea is the same text, on ${where}`, async () => {
      const repo = '/api/v1/repos/acme/rocket/releases';
      for (const below of ['/latest', '/tags/2.1.0']) {
        const response = await app.inject({ url: repo + below, headers: surface === '' ? holder : {} });
        assert.equal(response.json().body, NOTES.md);
      }
    });

    it(`200 with the notes of a range below headings, newest first, on ${where}`, async () => {
      assert.equal(
        (await get('/changes.md?from=1.0.0&to=2.1.0', surface)).body,
        `## 2.1.0: Faster (2026-05-04)\n\n${NOTES.md}\n## 2.0.0 (2026-05-03)\n\n${YANKED.md}`,
      );
      assert.equal(
        (await get('/changes.txt?from=1.0.0&to=2.1.0', surface)).body,
        `2.1.0: Faster (2026-05-04)\n\n${NOTES.txt}\n\n2.0.0 (2026-05-03)\n\n${YANKED.txt}`,
      );
      const { body } = await get('/changes.html?from=1.0.0&to=2.1.0', surface);
      assert.deepEqual(
        [...body.matchAll(/data-sparkle-version="(.*?)"/g)].map(([, label]) => label),
        ['2.1.0', '2.0.0'],
      );
    });
  }

  it('type and breaking leave only changes and versions that match', async () => {
    assert.equal(
      (await get('/changes.txt?type=security')).body,
      '2.1.0: Faster (2026-05-04)\n\nNew\n\nSee how (https://rocket.example/docs/setup.md) and why (https://rocket.example/docs/why.md), #12 by @ada.\n\nSecurity\n- Keys.\n',
    );
    assert.doesNotMatch((await get('/changes.md?breaking=true')).body, /Keys|leak|Odd/);
    assert.equal((await get('/changes.md?type=deprecated')).body, '');
  });

  it('notes.html is a document under a policy that loads nothing, and may be framed', async () => {
    const { headers, body } = await get('/versions/2.1.0/notes.html');
    assert.equal(headers['content-type'], 'text/html; charset=utf-8');
    assert.match(
      String(headers['content-security-policy']),
      /^default-src 'none'; style-src 'sha256-[^;]{44}'; form-action 'none'; base-uri 'none'; frame-ancestors \*; /,
    );
    assert.equal(headers['x-frame-options'], undefined);
    assert.match(body, /^<!DOCTYPE html>.*<article data-sparkle-version="2\.1\.0">\n<div class="text"/s);
    assert.match(body, /href="https:\/\/rocket\.example\/docs\/setup\.md"/);
  });

  it('notes of a version with nothing to say are empty', async () => {
    const { statusCode, body } = await get('/versions/2.0.0/notes.txt');
    assert.deepEqual([statusCode, body], [200, YANKED.txt]);
    const empty = await get('/changes.txt?from=9.0.0');
    assert.deepEqual([empty.statusCode, empty.body], [200, '']);
  });

  it('a label with spaces and accents works', async () => {
    const { body } = await get('/versions/%C3%A4%20b/notes.txt');
    assert.equal(body, 'Added\n- x\n');
  });

  it('a draft is shown with a key, without a date, and is 404 without one', async () => {
    assert.match((await get('/changes.md', '')).body, /^## 3\.0\.0: Secret\n\n### Added\n\n- hush\n/);
    for (const form of Object.keys(FORMS) as Form[]) {
      const { statusCode, headers, body } = await get(`/versions/3.0.0/notes.${form}`);
      assert.equal(statusCode, 404);
      assert.match(String(headers['content-type']), /^application\/json/);
      assert.doesNotMatch(body + (await get(`/changes.${form}`)).body, /hush|Secret/);
    }
  });

  it('400 as JSON for a bad parameter, 304 for the same ETag, and no body for HEAD', async () => {
    for (const form of Object.keys(FORMS) as Form[]) {
      const wrong = await get(`/changes.${form}?from=x`);
      assert.deepEqual([wrong.statusCode, wrong.json().error.code], [400, 'bad_request']);
      const { headers } = await get(`/versions/latest/notes.${form}`);
      const again = await get(`/versions/latest/notes.${form}`, '/public', { 'if-none-match': headers.etag });
      assert.equal(again.statusCode, 304);
      const head = await app.inject({
        method: 'HEAD',
        url: `/api/v1/public${CHANGELOG}/versions/latest/notes.${form}`,
      });
      assert.deepEqual([head.statusCode, head.body, head.headers.etag], [200, '', headers.etag]);
    }
  });
});
