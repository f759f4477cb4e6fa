// Feeds name the hubs that are told of new versions (R65): in their own format, and in the `Link` header.
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith';
import { startApp } from '../../../support/program/app.ts';
import { suiteWithWorld } from '../../support/suite.ts';

const BASE_URL = 'https://changes.example.com';
const TEAM = '/api/v1/public/teams/acme';
const PRODUCT = `${TEAM}/products/rocket/changelog`;
const HUBS = ['https://hub.example/?a=1&b=2', 'https://other.example/'];
const FEEDS = ['feed.atom', 'feed.rss', 'feed.json'];

describe('hubs of a feed', () => {
  const suite = suiteWithWorld({ BASE_URL });
  const withHubs = (t: TestContext) => startApp(t, suite.sandbox, { BASE_URL }, { hubsFor: () => HUBS });

  it('are in feeds of products and teams, and nothing else differs', async (t) => {
    const { app } = await withHubs(t);
    const added: Record<string, string> = {
      'feed.atom': HUBS.map((hub) => `<link rel="hub" href="${hub.replace('&', '&amp;')}"/>\n`).join(''),
      'feed.rss': HUBS.map((hub) => `<atom:link rel="hub" href="${hub.replace('&', '&amp;')}"/>\n`).join(''),
      'feed.json': `"hubs":${JSON.stringify(HUBS.map((url) => ({ type: 'WebSub', url })))},`,
    };
    for (const path of [TEAM, PRODUCT])
      for (const file of FEEDS) {
        const url = `${path}/${file}`;
        const [named, plain] = [await app.inject(url), await suite.app.inject(url)];
        assert.ok(named.body.includes(added[file] ?? ''), url);
        assert.equal(named.body.replace(added[file] ?? '', ''), plain.body);
        const links = [...HUBS.map((hub) => `<${hub}>; rel="hub"`), `<${BASE_URL}${url}>; rel="self"`];
        assert.equal(named.headers.link, [plain.headers.link, ...links].join(', '));
      }
  });

  it('are read by parsers of feeds', async (t) => {
    const { app } = await withHubs(t);
    const textOf = async (file: string) => (await app.inject(`${PRODUCT}/${file}`)).body;
    const hrefs = (links: readonly { rel?: string; href?: string }[] = []) =>
      links.filter(({ rel }) => rel === 'hub').map(({ href }) => href);
    assert.deepEqual(hrefs(parseAtomFeed(await textOf('feed.atom')).links), HUBS);
    assert.deepEqual(hrefs(parseRssFeed(await textOf('feed.rss')).atom?.links), HUBS);
    const { hubs } = parseJsonFeed(await textOf('feed.json'));
    assert.deepEqual(
      hubs?.map(({ url }) => url),
      HUBS,
    );
  });

  it('are not in what no hub is told of: filtered feeds and other formats', async (t) => {
    const { app } = await withHubs(t);
    const paths = [
      ...FEEDS.map((file) => `${PRODUCT}/${file}?type=added`),
      `${PRODUCT}/CHANGELOG.md`,
      `${PRODUCT}`,
    ];
    for (const path of [...paths, `${TEAM}/feed.atom?limit=1`]) {
      const { statusCode, body, headers } = await app.inject(path);
      assert.equal(statusCode, 200, path);
      assert.doesNotMatch(`${body} ${headers.link}`, /hub\.example|rel="hub"/, path);
    }
  });
});
