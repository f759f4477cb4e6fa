// Every page as Markdown at its URL with `.md`, which its `Link` header names.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { execute } from '../../../support/databases/engine.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { type StartedApp, startApp } from '../../../support/program/app.ts';
import { apply, type Sandbox } from '../../../support/program/command.ts';
import { becomes } from '../../support/becomes.ts';

const BASE_URL = 'https://changes.example.com';
const HTML = 'text/html; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';
const LONG = 'x'.repeat(126);

/** Labels by id, of the product `names`. */
const NAMES: Readonly<Record<string, string>> = {
  ver_plain: 'plain',
  ver_file: 'file.md',
  ver_both: 'both',
  ver_both_md: 'both.md',
  ver_v4: 'v4',
  ver_5: '5',
  ver_v5_md: 'v5.md',
  ver_seen: 'seen',
  ver_long: LONG,
  ver_1: '1.0.0',
};
const DRAFTS: Readonly<Record<string, string>> = { ver_seen_md: 'seen.md', ver_unseen: 'unseen' };

/** The last segment of a path, and the version that is there as a page or as Markdown. */
const PAGES: Readonly<Record<string, string>> = {
  plain: 'plain',
  'file.md': 'file.md',
  both: 'both',
  'both.md': 'both.md',
  v4: 'v4',
  '4': 'v4',
  '5': '5',
  'v5.md': 'v5.md',
  '5.md': 'v5.md',
  ver_file: 'file.md',
  latest: '5',
};
const MARKDOWN_NAMES: Readonly<Record<string, string>> = {
  'plain.md': 'plain',
  'file.md.md': 'file.md',
  'both.md.md': 'both.md',
  'ver_both.md': 'both',
  'v4.md': 'v4',
  '4.md': 'v4',
  'ver_5.md': '5',
  'v5.md.md': 'v5.md',
  '5.md.md': 'v5.md',
  'seen.md': 'seen',
  'ver_seen.md': 'seen',
  'latest.md': '5',
  'ver_long.md': LONG,
};
const NOTHING = [
  'file',
  'unseen.md',
  'ver_unseen.md',
  'none.md',
  '.md',
  'plain.md.md',
  'Latest.md',
  'plain.MD',
];

describe('pages as Markdown', () => {
  const scope = sharedScope();
  const sandbox: Sandbox = { folder: temporaryFolder(scope) };
  let started: StartedApp;
  const get = (url: string, headers = {}) => started.app.inject({ url, headers });
  const versionsOf = (labels: typeof NAMES, status: string) =>
    Object.entries(labels).map(([id, version], index) => ({
      id,
      version,
      title: `The version ${version}`,
      status,
      publishedAt: `2026-05-${String(index + 1).padStart(2, '0')}`,
      changes: [{ type: 'added', text: `New in *${version}*.` }],
    }));

  before(async () => {
    await apply(sandbox, {
      team: { slug: 'acme', name: 'Acme', visibility: 'public', plan: 'paid' },
      products: [
        {
          slug: 'names',
          name: 'Names',
          status: 'published',
          changelog: {
            name: 'Names [all]',
            status: 'published',
            versions: [...versionsOf(NAMES, 'published'), ...versionsOf(DRAFTS, 'draft')],
          },
        },
        {
          slug: 'files',
          name: 'Files',
          status: 'published',
          changelog: { status: 'published', versions: versionsOf({ ver_l: 'latest.md' }, 'published') },
        },
        {
          slug: 'none',
          name: 'None',
          status: 'published',
          changelog: { status: 'published', versions: [] },
        },
      ],
    });
    const sharing = (slug: string, name: string, version: string, minute: number, texts: string[]) => ({
      slug,
      name,
      status: 'published',
      changelog: {
        status: 'published',
        versions: [
          {
            version,
            title: '',
            status: 'published',
            publishedAt: `2026-06-01T09:${minute}:00.000Z`,
            changes: texts.map((text) => ({ type: 'added', text })),
          },
        ],
      },
    });
    await apply(sandbox, {
      team: { slug: 'duo', name: 'Duo', visibility: 'public', plan: 'paid' },
      products: [
        sharing('app', 'App [1]', '1.0(a)', 30, ['One log in for *both*.', 'A menu.']),
        sharing('site', 'Site', '7.0.0', 10, ['One log in for *both*.']),
      ],
    });
    started = await startApp(scope, sandbox, { BASE_URL, LISTING: 'all' });
  });

  describe('the name of a version', () => {
    const kindOf = async (product: string, name: string) => {
      const { statusCode, headers, body } = await get(`/changelog/acme/${product}/versions/${name}`);
      const label = /The version (\S+?)(?:<|\])/.exec(body)?.[1];
      return statusCode === 200 ? [headers['content-type'], label] : statusCode;
    };

    it('the whole of it is a page, and otherwise without .md Markdown, also from the cache', async () => {
      for (const _ of ['made', 'cached']) {
        for (const [name, label] of Object.entries(PAGES))
          assert.deepEqual(await kindOf('names', name), [HTML, label], name);
        for (const [name, label] of Object.entries(MARKDOWN_NAMES))
          assert.deepEqual(await kindOf('names', name), [MARKDOWN, label], name);
        for (const name of NOTHING) assert.equal(await kindOf('names', name), 404, name);
        assert.deepEqual(await kindOf('files', 'latest.md'), [HTML, 'latest.md']);
        assert.deepEqual(await kindOf('files', 'latest.md.md'), [MARKDOWN, 'latest.md']);
      }
    });

    it('takes the same queries if it is hidden as if it is missing', async () => {
      const queriesFor = async (name: string) => {
        started.queries.length = 0;
        const { statusCode } = await get(`/changelog/acme/names/versions/${name}`);
        assert.equal(statusCode, 404, name);
        return started.queries.map(({ query }) => query.sql);
      };
      const missing = await queriesFor('missing.md');
      assert.equal(missing.length, 2);
      for (const name of ['vunseen.md', 'ver_seen_md.md', 'seen.md.md'])
        assert.deepEqual(await queriesFor(name), missing, name);
    });

    it('becomes another page once a version is published that has it', async () => {
      const type = async () => (await get('/changelog/acme/names/versions/seen.md')).headers['content-type'];
      const linkNow = async () => (await get('/changelog/acme/names/versions/seen')).headers.link;
      const linkTo = (name: string) =>
        `<${BASE_URL}/changelog/acme/names/versions/${name}.md>; rel="alternate"; type="text/markdown"`;
      assert.deepEqual([await type(), await linkNow()], [MARKDOWN, linkTo('seen')]);
      await execute(sandbox, `update versions set status = 'published' where id = 'ver_seen_md'`);
      await becomes(type, HTML);
      await becomes(linkNow, linkTo('ver_seen'));
      await execute(sandbox, `update versions set status = 'draft' where id = 'ver_seen_md'`);
      await becomes(type, MARKDOWN);
      await becomes(linkNow, linkTo('seen'));
    });
  });

  describe('the Link header', () => {
    const markdownOf = async (url: string, headers = {}) => {
      const { statusCode, headers: sent } = await get(url, headers);
      const match = /^<([^>]+)>; rel="alternate"; type="text\/markdown"$/.exec(String(sent.link));
      return [statusCode, match?.[1]];
    };

    it('every page names itself as Markdown, with the same parameters', async () => {
      const PRODUCT = '/changelog/acme/names';
      const expected: Readonly<Record<string, string>> = {
        '/': '/index.md',
        '/changelog/acme': '/changelog/acme.md',
        [PRODUCT]: `${PRODUCT}.md`,
        [`${PRODUCT}?type=added&q=new&x=1`]: `${PRODUCT}.md?type=added&q=new`,
        [`${PRODUCT}/versions/plain`]: `${PRODUCT}/versions/plain.md`,
        [`${PRODUCT}/versions/latest`]: `${PRODUCT}/versions/ver_5.md`,
        [`${PRODUCT}/versions/ver_v4`]: `${PRODUCT}/versions/v4.md`,
        [`${PRODUCT}/changes?from=1.0.0`]: `${PRODUCT}/changes.md?from=1.0.0`,
      };
      for (const [page, markdown] of Object.entries(expected)) {
        assert.deepEqual(await markdownOf(page), [200, BASE_URL + markdown], page);
        const { headers } = await get(page);
        const known = { 'if-none-match': String(headers.etag) };
        assert.deepEqual(await markdownOf(page, known), [304, BASE_URL + markdown], page);
        const { statusCode, headers: sent } = await get(markdown);
        assert.deepEqual([statusCode, sent['content-type'], sent.link], [200, MARKDOWN, undefined], markdown);
      }
    });

    it('leads to the Markdown of that version, whatever its label', async () => {
      for (const [id, label] of Object.entries(NAMES)) {
        const [, url = ''] = await markdownOf(`/changelog/acme/names/versions/${id}`);
        const { headers, body } = await get(String(url).slice(BASE_URL.length));
        assert.equal(headers['content-type'], MARKDOWN, label);
        assert.ok(body.includes(`New in *${label}*.`), label);
      }
    });

    it('errors have none', async () => {
      for (const url of ['/changelog/acme/nothing', '/changelog/acme/names?limit=0', '/changelog/nobody'])
        assert.equal((await get(url)).headers.link, undefined, url);
    });
  });

  describe('its content', () => {
    const read = async (url: string) => {
      const { statusCode, body } = await get(url);
      assert.equal(statusCode, 200, url);
      return body;
    };

    it('a product has its newest versions, older ones by cursor, and its feeds', async () => {
      const page = '/changelog/acme/names.md?limit=1';
      const body = await read(page);
      const [, older = ''] = /\[Older versions\]\(https:\/\/changes\.example\.com([^)]*)\)/.exec(body) ?? [];
      const api = `${BASE_URL}/api/v1/public/teams/acme/products/names/changelog`;
      assert.ok(
        body.startsWith(`# Names \\[all\\]

## [The version 1.0.0](${BASE_URL}/changelog/acme/names/versions/1.0.0) (2026-05-10)

### Added

- New in *1.0.0*.

---

- [Older versions](${BASE_URL}/changelog/acme/names.md?limit=1&cursor=`),
        body,
      );
      assert.ok(body.includes(`\n- [CHANGELOG.md](${api}/CHANGELOG.md`), body);
      assert.ok(body.includes(`\n- [feed.atom](${api}/feed.atom`), body);
      assert.match(await read(older), /New in \*x+\*.*\[Newest versions\]/s);
      assert.match(await read(older.replace('names.md', 'names')), /New in <em>x+<\/em>/);
      assert.match(await read('/changelog/acme/names.md?q=nowhere'), /^# .*\n\nNo versions match\.\n/);
      assert.match(await read('/changelog/acme/none.md'), /^# None\n\nNothing is published yet\.\n/);
    });

    it('a version has what its page has: the changes, all versions and comparisons', async () => {
      const names = `${BASE_URL}/changelog/acme/names`;
      assert.equal(
        await read('/changelog/acme/names/versions/v4.md'),
        `# Names \\[all\\]

## [The version v4](${names}/versions/v4) (2026-05-05)

### Added

- New in *v4*.

---

- [All versions](${names}.md)
- [Compare with 1.0.0](${names}/changes.md?from=1.0.0&to=v4)
- [What changed after this version](${names}/changes.md?from=v4)
`,
      );
      for (const [, url = ''] of (await read('/changelog/acme/names/versions/v4.md')).matchAll(
        /\]\(([^)]*)\)/g,
      ))
        await read(url.slice(BASE_URL.length));
    });

    it('a team has its products, then the versions of all of them, with shared changes once', async () => {
      const duo = `${BASE_URL}/changelog/duo`;
      const api = `${BASE_URL}/api/v1/public/teams/duo`;
      const app = `[App \\[1\\] 1.0(a)](${duo}/app/versions/1.0%28a%29)`;
      const body = await read('/changelog/duo.md');
      assert.equal(
        body,
        `# Duo

- [App \\[1\\]](${duo}/app.md): newest version 1.0(a) of 2026-06-01
- [Site](${duo}/site.md): newest version 7.0.0 of 2026-06-01

## ${app} (2026-06-01)

### Added

- One log in for *both*.

  Also in [Site 7.0.0](${duo}/site/versions/7.0.0)
- A menu.

## [Site 7.0.0](${duo}/site/versions/7.0.0) (2026-06-01)

Shared changes are listed under ${app}

---

- [feed.atom](${api}/feed.atom): Atom
- [feed.rss](${api}/feed.rss): RSS
- [feed.json](${api}/feed.json): JSON Feed
`,
      );
      for (const [, url = ''] of body.matchAll(/\]\((https[^)]*)\)/g)) await read(url.slice(BASE_URL.length));
      const first = await read('/changelog/duo.md?limit=1');
      const [, older = ''] = /\[Older versions\]\(https:\/\/changes\.example\.com([^)]*)\)/.exec(first) ?? [];
      assert.match(await read(older), /^# Duo\n\n## \[Site 7\.0\.0\].*\[Newest versions\]/s);
      assert.match(await read(older.replace('duo.md', 'duo')), /Site/);
      assert.match(await read('/changelog/duo.md?q=nowhere'), /^# Duo\n\nNo versions match\.\n/);
      assert.match(await read('/changelog/duo.md?products=all'), /^# Duo\n\n- \[App .*\n- \[Site\].*\n$/);
    });

    it('lists have the Markdown of each product', async () => {
      const link = (name: string, slug: string, text: string) =>
        `- [${name}](${BASE_URL}/changelog/acme/${slug}.md): ${text}\n`;
      const list = (suffix: string) =>
        link(`Names${suffix}`, 'names', 'newest version 1.0.0 of 2026-05-10') +
        link(`Files${suffix}`, 'files', 'newest version latest.md of 2026-05-01') +
        link(`None${suffix}`, 'none', 'no versions yet');
      assert.ok((await read('/changelog/acme.md')).startsWith(`# Acme\n\n${list('')}`));
      const all = await read('/index.md');
      assert.ok(all.startsWith('# Changelogs\n\n- [App') && all.endsWith(list(' (Acme)')), all);
    });
  });

  it('lists are as absent as their pages with less LISTING', async () => {
    for (const [LISTING, urls] of [
      ['team', ['/index.md']],
      ['none', ['/index.md', '/changelog/acme.md']],
    ] as const) {
      const { app } = await startApp(scope, sandbox, { BASE_URL, LISTING });
      const { body: missing } = await app.inject('/changelog/nobody/nothing');
      for (const url of urls) {
        const { statusCode, body } = await app.inject(url);
        assert.deepEqual([statusCode, body], [404, missing], url);
      }
      assert.equal((await app.inject('/changelog/acme/names.md')).statusCode, 200);
    }
  });
});
