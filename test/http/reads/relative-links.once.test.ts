import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { execute } from '../../../support/databases/engine.ts';
import { apply } from '../../../support/program/command.ts';
import { runJson } from '../../cli/helpers.ts';
import { becomes } from '../../support/becomes.ts';
import { suiteWithWorld } from '../../support/suite.ts';

const PRODUCT = 'links/guide';
const CHANGELOG = '/api/v1/public/teams/links/products/guide/changelog';
const WRITTEN = '<p><a href="setup.md#a" rel="noopener nofollow">a</a> <img src="/b.png" alt="b"></p>';
const RESOLVED = WRITTEN.replace('setup.md', 'https://guide.example/docs/setup.md').replace(
  '/b.png',
  'https://guide.example/b.png',
);
/** HTML in XML or JSON. */
const unescaped = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('\\"', '"')
    .replaceAll('&amp;', '&');
const CONTENT = {
  team: { slug: 'links', name: 'Links', visibility: 'public' },
  products: [
    {
      slug: 'guide',
      name: 'Guide',
      status: 'published',
      changelog: {
        status: 'published',
        versions: [
          {
            version: '1.0.0',
            title: '',
            status: 'published',
            publishedAt: '2026-01-01',
            description: '[a](setup.md#a) ![b](/b.png)',
            changes: [{ type: 'added', text: '[a](setup.md#a) ![b](/b.png)' }],
          },
        ],
      },
    },
  ],
};

describe('relative links (R43), and links to the repository (R62)', () => {
  const suite = suiteWithWorld();
  before(() => apply(suite.sandbox, CONTENT));

  const textOf = async (path: string) => (await suite.app.inject(CHANGELOG + path)).body;
  const htmlIn = async (path: string) =>
    [
      ...new Set(
        [...(await textOf(path)).matchAll(/"(?:html|descriptionHtml)":("(?:[^"\\]|\\.)*")/g)].map(
          ([, json = '']) => JSON.parse(json),
        ),
      ),
    ].sort();
  const READS = ['/versions/1.0.0', '?include=changes', '/changes'];
  const FEEDS = ['/feed.atom', '/feed.rss', '/feed.json'];

  it('without a base they stay as written', async () => {
    for (const path of READS) assert.deepEqual(await htmlIn(path), [WRITTEN], path);
    for (const path of FEEDS) assert.equal((await textOf(path)).split('setup.md#a').length, 3, path);
    for (const path of FEEDS) assert.doesNotMatch(await textOf(path), /guide\.example/, path);
  });

  it('with a base they resolve against it, in records and feeds, immediately after it is set', async () => {
    const update = `update products set base_url = 'https://guide.example/docs/' where slug = 'guide'`;
    assert.equal(await execute(suite.sandbox, update), 1);
    for (const path of READS) await becomes(() => htmlIn(path), [RESOLVED]);
    for (const path of FEEDS) {
      await becomes(
        async () => (await textOf(path)).split('https://guide.example/docs/setup.md#a').length,
        3,
      );
      const text = await textOf(path);
      // The picture of a description is also that of the entry, which JSON Feed names twice.
      const pictures = path === '/feed.json' ? 4 : 3;
      assert.equal(text.split('https://guide.example/b.png').length, pictures + 1, path);
      assert.doesNotMatch(text, /xml:base/, path);
    }
    const shown = await runJson<{ changes: { html: string }[] }>(suite.sandbox, [
      'version',
      'show',
      PRODUCT,
      '1.0.0',
    ]);
    assert.equal(shown.changes[0]?.html, RESOLVED);
  });

  it('references lead to the repository in HTML and in notes as Markdown, immediately after it is named, and nowhere else', async () => {
    const update = `update changes set text = 'Fixes #412. ' || text where text like '%setup.md%'`;
    assert.equal(await execute(suite.sandbox, update), 1);
    const texts = ['.md', '.txt'].flatMap((ending) => [
      `/versions/1.0.0/notes${ending}`,
      `/changes${ending}`,
    ]);
    const others = ['/CHANGELOG.md', '/releases.xml', ...texts];
    const before = new Map<string, string>();
    for (const path of others) {
      await becomes(async () => (await textOf(path)).includes('#412'), true);
      before.set(path, await textOf(path));
    }
    const REPOSITORY = 'https://github.com/links/guide';
    const name = `update products set repository_url = '${REPOSITORY}' where slug = 'guide'`;
    assert.equal(await execute(suite.sandbox, name), 1);
    const link = `<a href="${REPOSITORY}/issues/412" rel="noopener nofollow">#412</a>`;
    for (const path of READS)
      await becomes(() => htmlIn(path), [RESOLVED.replace('<p>', `<p>Fixes ${link}. `), RESOLVED].sort());
    const pages = ['', '/versions/1.0.0', '/changes'].map((path) => `/changelog/links/guide${path}`);
    const notes = ['/versions/1.0.0/notes.html', '/changes.html'].map((path) => CHANGELOG + path);
    for (const url of [...pages, ...notes, ...FEEDS.map((path) => CHANGELOG + path)]) {
      const { body } = await suite.app.inject(url);
      assert.equal(unescaped(body).split(link).length, 2, url);
    }
    for (const path of others) {
      const isLinked = path.endsWith('.md') && path !== '/CHANGELOG.md';
      const number = isLinked ? `[#412](${REPOSITORY}/issues/412)` : '#412';
      assert.equal(await textOf(path), before.get(path)?.replace('#412', number), path);
    }
    const shown = await runJson<{ changes: { html: string }[] }>(suite.sandbox, [
      ...['version', 'show', PRODUCT, '1.0.0'],
    ]);
    assert.ok(shown.changes[0]?.html.includes(link));

    const describe = `update versions set description = 'Since #412.' where description like '%setup.md%'`;
    assert.equal(await execute(suite.sandbox, describe), 1);
    for (const path of READS)
      await becomes(async () => (await htmlIn(path)).includes(`<p>Since ${link}.</p>`), true);
  });
});
