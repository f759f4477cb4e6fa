// BASE_URL with a path (R61).
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import inject from 'light-my-request';
import { LISTS, PAGES } from '../../support/content/pages.ts';
import { PUBLIC_FEED, TEAM_FEED } from '../../support/content/world.ts';
import { linksIn } from '../../support/http/crawl.ts';
import { startApp } from '../../support/program/app.ts';
import { suiteWithWorld } from '../support/suite.ts';

const ORIGIN = 'https://acme.example';
const OTHERS = [
  PUBLIC_FEED,
  `${PUBLIC_FEED}/feed.atom`,
  '/api/openapi.json',
  '/docs',
  '/widget.js',
  '/robots.txt',
  '/api/v1/version',
  '/api/v1/repos/acme/rocket/releases',
  '/acme/rocket/releases/tag/2.1.0',
  '/nothing',
  '/changelog/acme/none',
  '/api/v1/none',
];

for (const base of ['/notes', '/changelog', '/a/b'])
  describe(`BASE_URL with the path ${base}`, () => {
    const suite = suiteWithWorld({ BASE_URL: `${ORIGIN}${base}`, LISTING: 'all' });
    const get = (url: string, headers = {}) =>
      inject(suite.app.handle, { url, headers: { host: 'acme.example', ...headers } });

    it('requests are understood with and without it', async () => {
      for (const path of [...PAGES, ...LISTS, ...OTHERS]) {
        // The page of a team, which may be called anything.
        if (`${base}${path}` === '/changelog/nothing') continue;
        const [below, direct] = [await get(base + path), await get(path)];
        assert.equal(below.statusCode, direct.statusCode, path);
        assert.equal(below.body, direct.body, path);
        assert.deepEqual(below.headers.link, direct.headers.link, path);
      }
      assert.equal((await get(base)).body, (await get('/')).body);
    });

    it('every link of a page begins with it, and leads somewhere', async () => {
      const followed = new Set<string>();
      for (const path of [...PAGES, `${PAGES[2]}?type=added`, '/changelog/acme/none', ...LISTS]) {
        const name = path.includes('.') ? path : 'page.html';
        for (const link of linksIn(name, (await get(base + path)).body)) {
          if (link.startsWith('data:') || /^[?#]/.test(link)) continue;
          const url = new URL(link, `${ORIGIN}${base}${path}`);
          assert.equal(url.origin, ORIGIN, link);
          assert.ok(url.pathname.startsWith(`${base}/`), `${path} links to ${link}`);
          followed.add(url.pathname + url.search);
        }
      }
      assert.ok(followed.size > 15);
      for (const link of followed) assert.equal((await get(link)).statusCode, 200, link);
    });

    it('feeds, JSON, OpenAPI and redirects have it', async () => {
      const { body, headers } = await get(`${base}${PUBLIC_FEED}?limit=1`);
      assert.ok(JSON.parse(body).data);
      assert.ok(String(headers.link).startsWith(`<${ORIGIN}${base}${PUBLIC_FEED}?`));
      assert.deepEqual((await get('/api/openapi.json')).json().servers[0].url, ORIGIN + base);
      assert.ok(
        (await get(`${PUBLIC_FEED}/feed.atom`)).body.includes(
          `href="${ORIGIN}${base}${PUBLIC_FEED}/feed.atom"`,
        ),
      );
      assert.equal(
        (await get(`${base}/acme/rocket/releases/tag/2.1.0`)).headers.location,
        `${base}/changelog/acme/rocket/versions/2.1.0`,
      );
      assert.ok((await get('/robots.txt')).body.includes(`Sitemap: ${ORIGIN}${base}/sitemap.xml`));
    });

    it('guards are those of the path without it', async () => {
      const gated = (
        await startApp(suite.scope, suite.sandbox, {
          BASE_URL: `${ORIGIN}${base}`,
          LISTING: 'all',
          PASSWORD_PROTECTION: 'true',
          PASSWORD_PROTECTION_USERNAME: 'u',
          PASSWORD_PROTECTION_PASSWORD: 'p',
        })
      ).app;
      for (const path of [
        ...PAGES,
        ...LISTS,
        PUBLIC_FEED,
        TEAM_FEED,
        '/api/%2f',
        '/changelog/%ff',
        '/api/openapi.json',
      ])
        assert.equal((await inject(gated.handle, base + path)).statusCode, 401, path);
      for (const path of ['/docs', '/widget.js', '/robots.txt'])
        assert.equal((await inject(gated.handle, base + path)).statusCode, 200, path);
      assert.equal((await get(`${base}${TEAM_FEED}`)).statusCode, 401);
      assert.ok((await get(`${base}${PUBLIC_FEED}/none`)).headers.ratelimit);
    });
  });
