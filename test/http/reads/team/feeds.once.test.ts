import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith';
import RssParser from 'rss-parser';
import { startApp } from '../../../../support/program/app.ts';
import { apply } from '../../../../support/program/command.ts';
import { suiteWithWorld } from '../../../support/suite.ts';
import { applyFamily, FAMILY, PUBLIC_TEAM, productOf, SHARED } from './family.ts';

const BASE_URL = 'https://changes.example.com';
const PAGES = `${BASE_URL}/changelog/family`;
const TYPES = {
  'feed.atom': 'application/atom+xml',
  'feed.rss': 'application/rss+xml',
  'feed.json': 'application/feed+json',
};
const NAMES = Object.keys(TYPES);

type Item = {
  id: string;
  url: string;
  title: string;
  date_published: string;
  date_modified: string;
  tags: string[];
  content_html: string;
  authors?: { name: string }[];
  language?: string;
};

describe('the feeds of a team (R64)', () => {
  const suite = suiteWithWorld({ BASE_URL });
  before(() => applyFamily(suite.sandbox));

  const textOf = async (url: string) => {
    const { statusCode, body } = await suite.app.inject(url);
    assert.equal(statusCode, 200, url);
    return body;
  };
  const itemsOf = async (url: string): Promise<Item[]> => JSON.parse(await textOf(url)).items;
  const contentOf = (items: readonly Item[], title: string) =>
    items.find((item) => item.title.startsWith(title))?.content_html ?? assert.fail(title);

  it('have the published versions of all public products, newest first, each with its product', async () => {
    const items = await itemsOf(`${PUBLIC_TEAM}/feed.json`);
    assert.deepEqual(items.map(({ title, url }) => [title, url.replace(PAGES, '')]).slice(0, 4), [
      ['Rocket: Release 2.0.0', '/rocket/versions/2.0.0'],
      ['Lander: Release 1.2.0', '/lander/versions/1.2.0'],
      ['Probe: Release 0.9.0', '/probe/versions/0.9.0'],
      ...items.slice(3, 4).map(({ title, url }) => [title, url.replace(PAGES, '')]),
    ]);
    assert.equal(items.length, 7);
    for (const { title, tags, authors, language } of items) {
      const [product] = title.split(':');
      assert.deepEqual([tags[0], authors, language], [product, [{ name: product }], 'en']);
    }
    for (const name of NAMES)
      assert.doesNotMatch(await textOf(`${PUBLIC_TEAM}/${name}`), /9\.0\.0|Hidden|3\.0\.0/);
  });

  it('entries have the ids, dates, links and categories of the feed of the product', async () => {
    const items = await itemsOf(`${PUBLIC_TEAM}/feed.json`);
    const same = ({ id, url, date_published, date_modified }: Item) => ({
      id,
      url,
      date_published,
      date_modified,
    });
    const own = await Promise.all(
      ['rocket', 'lander', 'probe'].map((slug) =>
        itemsOf(`${PUBLIC_TEAM}/products/${slug}/changelog/feed.json`),
      ),
    );
    assert.equal(own.flat().length, items.length);
    for (const expected of own.flat()) {
      const item = items.find(({ id }) => id === expected.id) ?? assert.fail(expected.id);
      assert.deepEqual(same(item), same(expected));
      assert.deepEqual(item.tags.slice(1), expected.tags);
    }
  });

  it('a change that several products released within an hour is shown once, naming the others', async () => {
    const items = await itemsOf(`${PUBLIC_TEAM}/feed.json`);
    const link = (product: string, label: string) =>
      `<a href="${PAGES}/${product.toLowerCase()}/versions/${label}" dir="auto">${product} ${label}</a>`;
    assert.equal(
      contentOf(items, 'Rocket: Release 2.0.0'),
      [
        '<h3>Breaking changes</h3>',
        '<ul>',
        // It is breaking in one of them.
        `<li><p><strong>Security:</strong> ${SHARED}</p>`,
        `<p>Also in ${link('Lander', '1.2.0')}</p></li>`,
        '<li><p><strong>Removed:</strong> The fuse.</p></li>',
        '</ul>',
      ].join('\n'),
    );
    assert.equal(
      contentOf(items, 'Lander: Release 1.2.0'),
      [
        '<h3>Fixed</h3>\n<ul>\n<li><p>A leg.</p></li>\n</ul>',
        `<p>Shared changes are listed under ${link('Rocket', '2.0.0')}</p>`,
      ].join('\n'),
    );
    assert.match(contentOf(items, 'Probe: Release 0.9.0'), /Signed with a new key/, 'published too late');
    assert.deepEqual(items[1]?.tags, ['Lander', '1.2.0', 'breaking', 'fixed', 'security'], 'its own changes');
  });

  it('an entry whose changes are all in others says where they are', async () => {
    const items = await itemsOf(`${PUBLIC_TEAM}/feed.json?type=fixed&until=2026-05-04T08:00:00Z`);
    const [left, shown] = ['Rocket', 'Probe'].map((product) => contentOf(items, product));
    const [without, withIt] = left?.includes('A leak') ? [shown, left] : [left, shown];
    assert.match(
      String(without),
      /^<p>Shared changes are listed under <a href="[^"]+" dir="auto">\w+ [\w.-]+<\/a><\/p>$/,
    );
    assert.match(String(withIt), /<li><p>A leak\.<\/p>\n<p>Also in /);
  });

  it('parsers read the same from all three', async () => {
    const items = await itemsOf(`${PUBLIC_TEAM}/feed.json`);
    const expected = items.map(({ id, title, url, content_html, tags }) => ({
      id,
      title,
      url,
      // Parsers omit an empty one.
      html: content_html || undefined,
      tags,
    }));
    const [atomText, rssText] = [
      await textOf(`${PUBLIC_TEAM}/feed.atom`),
      await textOf(`${PUBLIC_TEAM}/feed.rss`),
    ];
    const valueIn = (construct: unknown) =>
      typeof construct === 'object' ? (construct as { value?: unknown } | null)?.value : construct;
    const atom = parseAtomFeed(atomText);
    assert.deepEqual(
      atom.entries?.map(({ id, title, links, content, categories }) => ({
        id,
        title: valueIn(title),
        url: links?.[0]?.href,
        html: valueIn(content),
        tags: categories?.map(({ term }) => term),
      })),
      expected,
    );
    assert.deepEqual(
      atom.entries?.map(({ published, updated, authors }) => [published, updated, authors?.[0]?.name]),
      items.map((item) => [item.date_published, item.date_modified, item.authors?.[0]?.name]),
    );
    assert.deepEqual(
      [atom.id, valueIn(atom.title), atom.authors?.[0]?.name, atom.updated],
      [
        'urn:changelog:team:family',
        'Family changelogs',
        'Family',
        items
          .map((item) => item.date_modified)
          .sort()
          .at(-1),
      ],
    );
    assert.deepEqual(
      parseRssFeed(rssText).items?.map(({ guid, title, link, description, categories }) => ({
        id: guid?.value,
        title,
        url: link,
        html: description,
        tags: categories?.map(({ name }) => name),
      })),
      expected,
    );
    const parsed = await new RssParser().parseString(rssText);
    assert.deepEqual([parsed.link, parsed.feedUrl], [PAGES, `${BASE_URL}${PUBLIC_TEAM}/feed.rss`]);
    assert.equal(parseJsonFeed(await textOf(`${PUBLIC_TEAM}/feed.json`)).items?.length, items.length);
  });

  it('take the filters of the feeds of a product, and a limit', async () => {
    const titles = async (query: string) =>
      (await itemsOf(`${PUBLIC_TEAM}/feed.json?${query}`)).map(({ title }) => title.replace(': Release', ''));
    assert.deepEqual(await titles('limit=2'), ['Rocket 2.0.0', 'Lander 1.2.0']);
    assert.deepEqual(await titles('breaking=true'), ['Rocket 2.0.0', 'Lander 1.2.0']);
    assert.deepEqual(await titles('type=security&since=2026-05-04T11:00:00Z'), [
      'Rocket 2.0.0',
      'Lander 1.2.0',
    ]);
    assert.deepEqual(await titles('q=telemetry'), ['Probe 0.8.0']);
    assert.deepEqual(await titles('from=1.0.0&prerelease=false'), ['Rocket 2.0.0', 'Lander 1.2.0']);
    const { title, feed_url, items } = JSON.parse(await textOf(`${PUBLIC_TEAM}/feed.json?type=security`));
    assert.equal(title, 'Family changelogs (Security)');
    assert.equal(feed_url, `${BASE_URL}${PUBLIC_TEAM}/feed.json?type=security`);
    assert.doesNotMatch(JSON.stringify(items), /fuse|A leg/);
    assert.match(
      await textOf(`${PUBLIC_TEAM}/feed.atom?type=security`),
      /<id>urn:changelog:team:family\?=type=security</,
    );
    for (const query of ['limit=0', 'limit=251', 'type=x', 'tpye=added', 'since=x'])
      assert.equal((await suite.app.inject(`${PUBLIC_TEAM}/feed.rss?${query}`)).statusCode, 400, query);
  });

  it('link to each other, and are cached, limited and compressed like every public route', async () => {
    for (const [name, type] of Object.entries(TYPES)) {
      const url = `${PUBLIC_TEAM}/${name}`;
      const { headers } = await suite.app.inject(url);
      assert.equal(headers['content-type'], `${type}; charset=utf-8`);
      assert.equal(
        headers.link,
        Object.entries(TYPES)
          .filter(([other]) => other !== name)
          .map(([other, kind]) => `<${BASE_URL}${PUBLIC_TEAM}/${other}>; rel="alternate"; type="${kind}"`)
          .join(', '),
      );
      const etag = String(headers.etag);
      const unchanged = await suite.app.inject({ url, headers: { 'if-none-match': etag } });
      assert.deepEqual([unchanged.statusCode, unchanged.headers.link], [304, headers.link]);
      assert.equal((await suite.app.inject({ url, method: 'HEAD' })).headers.etag, etag);
      assert.equal((await suite.app.inject({ url, method: 'OPTIONS' })).statusCode, 204);
      assert.equal((await suite.app.inject({ url, method: 'POST' })).statusCode, 405);
      assert.deepEqual(
        [headers['cache-control'], headers['access-control-allow-origin']],
        ['public, max-age=30', '*'],
      );
      assert.match(String(headers.ratelimit), /^"public"/);
      const gzip = await suite.app.inject({ url, headers: { 'accept-encoding': 'gzip' } });
      assert.equal(gzip.headers['content-encoding'], 'gzip');
      assert.equal((await suite.app.inject(url.replace('/public', ''))).statusCode, 404);
    }
  });

  it('the gate protects them, and the JSON of a team', async (t) => {
    const gate = {
      PASSWORD_PROTECTION: 'true',
      PASSWORD_PROTECTION_USERNAME: 'u',
      PASSWORD_PROTECTION_PASSWORD: 'p',
    };
    const { app } = await startApp(t, suite.sandbox, gate);
    for (const below of [...NAMES, 'versions', 'products']) {
      const refused = await app.inject(`${PUBLIC_TEAM}/${below}`);
      assert.equal(refused.statusCode, 401);
      const headers = { authorization: `Basic ${btoa('u:p')}` };
      const { statusCode, headers: sent } = await app.inject({ url: `${PUBLIC_TEAM}/${below}`, headers });
      assert.deepEqual([statusCode, sent['cache-control']], [200, 'private, no-cache']);
      assert.equal(sent['access-control-allow-origin'], undefined);
    }
  });

  it('speak the language of the changelogs, each entry its own', async () => {
    const inLanguage = (slug: string, language: string, fields: object = {}) => {
      const minutes = slug === 'eins' ? 0 : 1;
      const { changelog, ...product } = productOf(slug, [['1.0.0', minutes, ['fixed [A](setup.md) bug.']]]);
      return { ...product, ...fields, changelog: { ...changelog, language } };
    };
    const team = { slug: 'tongues', name: 'Tongues', visibility: 'public', plan: 'paid' };
    const url = '/api/v1/public/teams/tongues';
    const links = { base: 'https://eins.example/docs/' };
    await apply(suite.sandbox, {
      team,
      products: [inLanguage('eins', 'de', { links }), inLanguage('zwei', 'de')],
    });
    const german = JSON.parse(await textOf(`${url}/feed.json`));
    assert.deepEqual([german.title, german.language], ['Changelogs von Tongues', 'de']);
    assert.match(german.items[0].content_html, /<h3>Behoben<\/h3>[\s\S]*<p>Auch in <a /);
    await apply(suite.sandbox, { team, products: [inLanguage('drei', 'ar'), inLanguage('vier', 'fi')] });
    const mixed = JSON.parse(await textOf(`${url}/feed.json`));
    assert.deepEqual([mixed.title, mixed.language], ['Tongues changelogs', 'en']);
    assert.deepEqual(mixed.items.map(({ language }: Item) => language).sort(), ['ar', 'de', 'de', 'fi']);
    const arabic = mixed.items.find(({ language }: Item) => language === 'ar');
    assert.match(arabic.content_html, /^<div dir="rtl">/);
    const finnish = mixed.items.find(({ language }: Item) => language === 'fi');
    assert.match(finnish.content_html, /<p lang="en">(?:Also in|Shared changes)/);
    // Relative links resolve against the product's own base, or against its page.
    const atom = await textOf(`${url}/feed.atom`);
    const page = `${BASE_URL}/changelog/tongues`;
    assert.ok(atom.includes(`<entry xml:lang="ar" xml:base="${page}/drei">`));
    assert.match(atom, /<entry xml:lang="de">/);
    assert.ok((await textOf(`${url}/feed.rss`)).includes(`<item xml:base="${page}/vier">`));
    assert.match(mixed.items[0].content_html, /href="https:\/\/eins\.example\/docs\/setup\.md"/);
  });

  it('have titles and descriptions of plain text, without the characters that isolate names on pages', async () => {
    for (const language of ['ar', 'he']) {
      const { changelog, ...product } = productOf('one', [['1.0.0', 0, ['fixed A bug.']]]);
      const team = { slug: `plain-${language}`, name: 'Plain', visibility: 'public', plan: 'paid' };
      await apply(suite.sandbox, { team, products: [{ ...product, changelog: { ...changelog, language } }] });
      const url = `/api/v1/public/teams/${team.slug}`;
      for (const at of [url, `${url}/products/one/changelog`])
        for (const query of ['', '?type=fixed', '?from=0.1.0'])
          for (const file of ['feed.json', 'feed.atom', 'feed.rss']) {
            const text = await textOf(`${at}/${file}${query}`);
            assert.match(text, at === url ? / Plain/ : /One/);
            assert.doesNotMatch(text, /[\u2066-\u2069]/, `${at}/${file}${query}`);
          }
    }
  });

  it('and records keep the order of #412 and @name among words from right to left, and only there', async () => {
    for (const [language, direction] of [
      ['ar', ' dir="ltr"'],
      ['he', ' dir="ltr"'],
      ['en', ''],
    ] as const) {
      const links = { repository: 'https://git.example/one' };
      const { changelog, ...product } = productOf('one', [['1.0.0', 0, ['fixed A bug, #412, by @ada.']]]);
      const team = { slug: `refer-${language}`, name: 'Refer', visibility: 'public', plan: 'paid' };
      await apply(suite.sandbox, {
        team,
        products: [{ ...product, links, changelog: { ...changelog, language } }],
      });
      const url = `/api/v1/public/teams/${team.slug}`;
      const issue = `<a href="https://git.example/one/issues/412" rel="noopener nofollow"${direction}>#412</a>`;
      const html = `<p>A bug, ${issue}, by <a href="https://git.example/ada" rel="noopener nofollow"${direction}>@ada</a>.</p>`;
      const changelogUrl = `${url}/products/one/changelog`;
      const { data } = JSON.parse(await textOf(`${changelogUrl}/versions/latest`));
      assert.equal(data.changes[0].html.trim(), html);
      for (const at of [url, changelogUrl]) {
        const [item] = await itemsOf(`${at}/feed.json`);
        assert.ok(item?.content_html.includes(html), item?.content_html);
      }
    }
  });

  it('lead to the pages of a product on its own domain', async () => {
    const team = { slug: 'hosts', name: 'Hosts', visibility: 'public', plan: 'paid' };
    const shared = ['fixed A bug.'];
    const products = [
      productOf('one', [['1.0.0', 0, shared]], { domain: 'one.example' }),
      productOf('two', [['2.0.0', 1, shared]], { domain: 'two.example' }),
    ];
    await apply(suite.sandbox, { team, products });
    const items = await itemsOf('/api/v1/public/teams/hosts/feed.json');
    const [one, two] = ['https://one.example/versions/1.0.0', 'https://two.example/versions/2.0.0'];
    assert.deepEqual(
      items.map(({ url, content_html }) => [url, /<a href="([^"]*)"/.exec(content_html)?.[1]]),
      [
        [one, two],
        [two, one],
      ],
    );
    const atom = await textOf('/api/v1/public/teams/hosts/feed.atom');
    assert.ok(atom.includes('xml:base="https://one.example/"'));
    assert.ok(atom.includes(`href="${BASE_URL}/changelog/hosts"`));
    assert.ok(atom.includes(`href="${BASE_URL}/api/v1/public/teams/hosts/feed.atom"`));
  });

  it('are valid without any version, and name at most 20 of many others', async () => {
    const team = { slug: 'large', name: 'Large', visibility: 'public', plan: 'paid' };
    const url = '/api/v1/public/teams/large';
    await apply(suite.sandbox, { team, products: [productOf('empty', [])] });
    assert.equal(parseAtomFeed(await textOf(`${url}/feed.atom`)).entries, undefined);
    assert.equal(parseRssFeed(await textOf(`${url}/feed.rss`)).items, undefined);
    assert.deepEqual(await itemsOf(`${url}/feed.json`), []);
    // It is said twice, but the others are named once.
    const products = Array.from({ length: 30 }, (_, index) =>
      productOf(`p-${index}`, [['1.0.0', 0, ['added New.', 'added New.']]]),
    );
    await apply(suite.sandbox, { team, products });
    const items = await itemsOf(`${url}/feed.json`);
    assert.equal(items[0]?.content_html.match(/<a /g)?.length, 20);
    assert.match(String(items[0]?.content_html), /, \+9<\/p>/);
    assert.equal(items.filter(({ content_html }) => content_html.includes('New.')).length, 1);
  });

  it('a title that names the product and the label stays as it is', async () => {
    const titled = (title: string) => {
      const { changelog, ...product } = productOf('rocket', []);
      const version = { version: '2.1.0', title, status: 'published', publishedAt: '2026-05-04' };
      return {
        team: FAMILY.team,
        products: [{ ...product, changelog: { ...changelog, versions: [version] } }],
      };
    };
    for (const [title, expected] of [
      ['Faster', 'Rocket 2.1.0: Faster'],
      ['', 'Rocket 2.1.0'],
      ['v2.1.0', 'Rocket v2.1.0'],
      ['2.1.0 is out', 'Rocket 2.1.0 is out'],
      ['Rocket 2.1.0', 'Rocket 2.1.0'],
      ['The rocket v2.1.0', 'The rocket v2.1.0'],
      ['Rockets of 2.1.0', 'Rocket: Rockets of 2.1.0'],
    ] as const) {
      await apply(suite.sandbox, titled(title));
      const [item] = await itemsOf(`${PUBLIC_TEAM}/feed.json?from=2.0.0`);
      assert.equal(item?.title, expected);
    }
  });
});
