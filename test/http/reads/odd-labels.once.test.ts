// R42 with labels that are hard to put into a URL: each version has one canonical page, which names itself.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { LISTS } from '../../../support/content/pages.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { startApp, type TestApp } from '../../../support/program/app.ts';
import { apply } from '../../../support/program/command.ts';

const BASE_URL = 'https://changes.example.com';
const PAGE = '/changelog/acme/odd';

/** Each is the label of the version `ver_N`, in this order. */
const LABELS = [
  ...['1.0.0', 'v1.0.0', 'V1.0.0', '1.0.0+build', '2.0.0-rc.1', 'v2', 'v2.md', 'latest.md', 'ver_1.md'],
  ...['latest', 'Latest', '.', '..', '...', '.hidden', '%2e%2e', '%2F', '%', '50%', '%00', '%ff', '+', 'a+b'],
  ...[
    'a/b',
    '/',
    'a\\b',
    'a b',
    'a  b',
    'a#b',
    '#',
    'a?b',
    '?',
    'a?limit=1',
    'a&b=c',
    'a;b',
    'a:b',
    'http://x',
  ],
  ...[
    'ver_0',
    'ver_nobody',
    'cl_odd',
    'chg_1',
    'versions',
    'changes',
    'changes.md',
    'feed.atom',
    '-',
    '_',
    '~',
  ],
  ...[
    '"quoted"',
    "it's",
    '<b>bold</b>',
    '<script>alert(1)</script>',
    '</title>',
    '-->',
    ']]>',
    '&amp;',
    '`',
    '*',
  ],
  ...['🚀', '👩‍👩‍👧', 'Größe', 'Gro\u0308ße', '機能', 'תיקון', '\u202eabc', 'a\u00a0b', 'İ', '\u{10ffff}'],
  ...[
    'x'.repeat(128),
    '機'.repeat(128),
    '🚀'.repeat(64),
    '🚀'.repeat(128),
    '$&',
    '{{x}}',
    '__proto__',
    'constructor',
  ],
];

const decodeReferences = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

describe('labels that are hard to put into a URL', () => {
  const scope = sharedScope();
  let app: TestApp;
  before(async () => {
    const sandbox = { folder: temporaryFolder(scope) };
    await apply(sandbox, {
      team: { slug: 'acme', name: 'Acme', visibility: 'public', plan: 'paid' },
      products: [
        {
          slug: 'odd',
          name: 'Odd',
          status: 'published',
          changelog: {
            id: 'cl_odd',
            status: 'published',
            versions: LABELS.map((version, index) => ({
              id: `ver_${index}`,
              version,
              title: `Title ${index}.`,
              status: 'published',
              publishedAt: new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString(),
              changes: [{ id: `chg_${index}`, type: 'added', text: `Change ${index}.` }],
            })),
          },
        },
      ],
    });
    ({ app } = await startApp(scope, sandbox, { LISTING: 'all', BASE_URL }));
  });

  const read = async (url: string) => {
    const response = await app.inject(url);
    assert.equal(response.statusCode, 200, `${url}: ${response.body.slice(0, 300)}`);
    for (const value of Object.values(response.headers)) assert.match(String(value), /^[\x20-\x7e]*$/);
    return response.body;
  };
  const canonicalOf = (html: string) =>
    decodeReferences(/<link rel="canonical" href="([^"]*)"/.exec(html)?.[1] ?? '');

  it('every version has one canonical URL, which leads back to it and survives a browser’s URL parser', async () => {
    const canonicals = new Set<string>();
    for (const [index, label] of LABELS.entries()) {
      const canonical = canonicalOf(await read(`${PAGE}/versions/ver_${index}`));
      assert.equal(new URL(canonical).href, canonical, label);
      const body = await read(canonical.slice(BASE_URL.length));
      assert.equal(canonicalOf(body), canonical, label);
      assert.ok(body.includes(`Title ${index}.`), label);
      canonicals.add(canonical);
    }
    assert.equal(canonicals.size, LABELS.length);
  });

  it('every version is Markdown where its page says so', async () => {
    for (const [index, label] of LABELS.entries()) {
      const { headers } = await app.inject(`${PAGE}/versions/ver_${index}`);
      const [, twin = ''] = /^<([^>]*)>/.exec(String(headers.link)) ?? [];
      assert.equal(new URL(twin).href, twin, label);
      const markdown = await app.inject(twin.slice(BASE_URL.length));
      assert.match(String(markdown.headers['content-type']), /^text\/markdown/, label);
      assert.ok(markdown.body.includes(`Change ${index}.`), label);
    }
  });

  it('the sitemap has exactly these URLs, and every link to a version leads to it', async () => {
    const [sitemap, llms] = await Promise.all(LISTS.map(read));
    const listed = [...String(sitemap).matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) =>
      decodeReferences(String(url)),
    );
    const versions = listed.filter((url) => url.includes('/versions/'));
    assert.equal(new Set(versions).size, LABELS.length);
    for (const url of versions) assert.equal(canonicalOf(await read(url.slice(BASE_URL.length))), url);
    assert.ok(String(llms).includes(`${BASE_URL}${PAGE}`));
    const linked = new Set<string>();
    for (const page of [`${PAGE}?limit=100`, `${PAGE}/changes`]) {
      for (const [, href = ''] of (await read(page)).matchAll(/href="([^"]*\/versions\/[^"]*)"/g)) {
        const { origin, pathname, search } = new URL(decodeReferences(href), BASE_URL + page);
        assert.deepEqual([origin, search], [BASE_URL, ''], href);
        linked.add(origin + pathname);
      }
    }
    assert.deepEqual([...linked].sort(), versions.sort());
  });
});
