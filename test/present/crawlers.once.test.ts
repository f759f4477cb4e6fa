import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  frameLlms,
  listPage,
  newestPages,
  sitemapPages,
  URL_SET,
  writeLlmsProduct,
  writePageUrl,
  writeRobots,
} from '../../src/present/crawlers.ts';
import { inFrame } from './outputs/in-frame.ts';
import { SITE } from './pages/sample.ts';

const BASE_URL = 'https://changes.example.com';

describe('robots.txt', () => {
  it('allows everything, and names the sitemap if there is one', () => {
    assert.equal(writeRobots({ isGated: false, sitemapUrl: null }), 'User-agent: *\nAllow: /\n');
    assert.equal(
      writeRobots({ isGated: false, sitemapUrl: `${BASE_URL}/sitemap.xml` }),
      `User-agent: *\nAllow: /\n\nSitemap: ${BASE_URL}/sitemap.xml\n`,
    );
  });

  it('disallows everything behind the gate, and names no sitemap', () => {
    assert.equal(
      writeRobots({ isGated: true, sitemapUrl: `${BASE_URL}/sitemap.xml` }),
      'User-agent: *\nDisallow: /\n',
    );
  });
});

describe('sitemap.xml', () => {
  const rocket = { teamSlug: 'acme', productSlug: 'rocket', domain: null };
  const versionOf = (label: string) => ({
    id: 'ver_1',
    label,
    sortKey: '2026',
    updatedAt: '2026-05-04T09:00:00.000Z',
  });

  it('has URLs in the protocol’s namespace', () => {
    const start = (name: string) =>
      `<?xml version="1.0" encoding="utf-8"?>\n<${name} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n`;
    assert.equal(
      inFrame(URL_SET, [
        writePageUrl(listPage(`${BASE_URL}/`)),
        writePageUrl({ url: `${BASE_URL}/a`, updatedAt: '2026-05-04T09:00:00.000Z' }),
      ]),
      `${start('urlset')}<url><loc>${BASE_URL}/</loc></url>
<url><loc>${BASE_URL}/a</loc><lastmod>2026-05-04T09:00:00.000Z</lastmod></url>\n</urlset>\n`,
    );
  });

  it('has a team’s page before its first product', () => {
    const pathsAfter = (team: string | null) =>
      sitemapPages(SITE.links, rocket, [], team).map(({ url }) => url.replace(BASE_URL, ''));
    assert.deepEqual(pathsAfter(null), ['/changelog/acme', '/changelog/acme/rocket']);
    assert.deepEqual(pathsAfter('aaa'), ['/changelog/acme', '/changelog/acme/rocket']);
    assert.deepEqual(pathsAfter('acme'), ['/changelog/acme/rocket']);
  });

  it('keeps the most recently changed pages if there are too many, in the same order, lists first', () => {
    const pages = [
      listPage('/'),
      { url: '/old', updatedAt: '2026-01-01T00:00:00.000Z' },
      { url: '/new', updatedAt: '2026-03-01T00:00:00.000Z' },
      listPage('/team'),
      { url: '/between', updatedAt: '2026-02-01T00:00:00.000Z' },
    ];
    const kept = (pagesMax: number) => newestPages(pages, pagesMax).map(({ url }) => url);
    assert.deepEqual(kept(5), ['/', '/old', '/new', '/team', '/between']);
    assert.deepEqual(kept(4), ['/', '/new', '/team', '/between']);
    assert.deepEqual(kept(3), ['/', '/new', '/team']);
    assert.deepEqual(kept(1), ['/']);
  });

  it('has a version’s canonical URL', () => {
    const segmentOf = (label: string) =>
      sitemapPages(SITE.links, rocket, [versionOf(label)], 'acme')[1]
        ?.url.split('/')
        .at(-1);
    assert.equal(segmentOf('2.1.0'), '2.1.0');
    assert.equal(segmentOf('<&> é'), '%3C%26%3E%20%C3%A9');
    for (const label of ['latest', 'a/b', '..', 'ver_2']) assert.equal(segmentOf(label), 'ver_1', label);
  });
});

describe('llms.txt', () => {
  const product = {
    teamSlug: 'acme',
    teamName: 'Acme',
    productSlug: 'rocket',
    productName: 'Rocket',
    changelogName: 'Rocket changelog',
    logo: null,
    accent: null,
    domain: null,
    language: 'en',
    newest: {
      id: 'ver_210',
      label: '2.1.0',
      title: 'Faster launches',
      status: 'published',
      publishedAt: '2026-05-04T09:00:00.000Z',
      changeCount: 2,
      yanked: 0,
    },
  } as const;

  it('has a title, a summary, a section for each product and one for the API', () => {
    const text = inFrame(frameLlms(SITE), [writeLlmsProduct(SITE, product)]);
    assert.match(text, /^# Changelogs\n\n> [^\n]+\n\n/);
    const api = `${BASE_URL}/api/v1/public/teams/acme/products/rocket/changelog`;
    for (const line of [
      '## Rocket (Acme)',
      `- [Changelog](${BASE_URL}/changelog/acme/rocket): newest version 2.1.0 of 2026-05-04`,
      `- [Markdown](${BASE_URL}/changelog/acme/rocket.md): the newest versions in full`,
      `- [CHANGELOG.md](${api}/CHANGELOG.md): all versions in one Markdown file`,
      `- [feed.atom](${api}/feed.atom): the newest versions as an Atom feed`,
      `- [feed.rss](${api}/feed.rss): the newest versions as an RSS feed`,
      `- [feed.json](${api}/feed.json): the newest versions as a JSON Feed`,
      `- [releases.xml](${api}/releases.xml): the newest 50 versions as AppStream releases, for app stores on Linux`,
      `- [API reference](${BASE_URL}/docs): read changelogs as JSON, with search and filters`,
      `- [OpenAPI document](${BASE_URL}/api/openapi.json): the same for programs`,
    ])
      assert.ok(text.split('\n').includes(line), line);
  });

  it('explains how to compare versions, without a link that leads nowhere', () => {
    const text = inFrame(frameLlms(SITE), [writeLlmsProduct(SITE, product)]);
    assert.match(text, /`changes\.md\?from=1\.0\.0&to=2\.0\.0`/);
    assert.doesNotMatch(text, /\]\([^)]*changes\.md/);
  });

  it('of one team leads to its versions by date', () => {
    const { start } = frameLlms(SITE, { slug: 'acme', name: 'Acme [1]' });
    assert.match(start, /^# Acme \\\[1\\\]\n\n> /);
    assert.ok(start.includes(`: [Acme \\[1\\]](${BASE_URL}/changelog/acme.md)\n`), start);
  });

  it('notes that a product has no versions yet', () => {
    assert.match(writeLlmsProduct(SITE, { ...product, newest: null }), /rocket\): no versions yet\n/);
  });

  it('shows authored names as plain text on one line', () => {
    const hostile = 'A](https://evil.example)\n## B <script> `x` *y*';
    const text = writeLlmsProduct(SITE, {
      ...product,
      productName: hostile,
      teamName: hostile,
      newest: { ...product.newest, label: hostile },
    });
    assert.equal(text.match(/^## /gm)?.length, 1);
    assert.equal(text.match(/^- /gm)?.length, 7);
    assert.doesNotMatch(text, /[^\\][\]<`*](?=\(https:\/\/evil|script|x|y)/);
  });
});
