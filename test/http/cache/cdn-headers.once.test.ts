// R66: `CDN-Cache-Control` and cache tags are on what is public and found, and on nothing else.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { InjectOptions } from 'light-my-request';
import { releaseNumber } from '../../../src/domain/release-number.ts';
import { createTagger } from '../../../src/hooks/cache-tags.ts';
import { ROUTES } from '../../../src/http/routes.ts';
import { LISTS, PAGES, PRODUCT_PAGE } from '../../../support/content/pages.ts';
import { HIDDEN_PATHS, PUBLIC_FEED, TEAM_FEED } from '../../../support/content/world.ts';
import { query } from '../../../support/databases/engine.ts';
import { startApp, type TestApp } from '../../../support/program/app.ts';
import { suiteWithWorld } from '../../support/suite.ts';

const CDN = { CDN_MAX_AGE_SECONDS: '86400' };
const NAMES = ['cdn-cache-control', 'surrogate-key', 'cache-tag'] as const;
const REPO = '/api/v1/repos/acme/rocket';
const TRIES_MAX = 20;

const urlOf = (path: string) =>
  path
    .replace(':team', 'acme')
    .replace(':product', 'rocket')
    .replace(/:versionId|:tag|:label$/, '2.1.0')
    .replace(':labels', '1.0.0...2.1.0')
    .replace(':id', String(releaseNumber('ver_210')));
const isRedirect = (path: string) => path.startsWith('/:');
const served = ROUTES.filter(({ path }) => !path.includes('*'));
const PUBLIC_READS = served.filter(({ read, keyed, path }) => read && !keyed && !isRedirect(path));
const OTHERS = served.filter((line) => line.document || isRedirect(line.path));

describe('headers for a CDN', () => {
  const suite = suiteWithWorld({ ...CDN, LISTING: 'all' });
  let without: TestApp;
  let tag: (text: string) => string;
  const ids: Record<string, number> = {};

  before(async () => {
    ({ app: without } = await startApp(suite.scope, suite.sandbox, { LISTING: 'all' }));
    const [row] = await query<{ cursor_key: string }>(suite.sandbox, 'select cursor_key from revision');
    tag = createTagger(row?.cursor_key ?? '');
    const rows = await query<{ slug: string; id: number }>(
      suite.sandbox,
      `select slug, id from products where slug in ('rocket', 'new') and id in (select product_id from public_changelogs)
      union all select slug, id from teams`,
    );
    for (const { slug, id } of rows) ids[slug] = id;
  });

  const headersOf = (headers: Record<string, unknown>) =>
    NAMES.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]));
  const get = (asked: InjectOptions | string, app = suite.app) => app.inject(asked);
  /** A response that took long has no lifetime: on a busy machine, it may take several. */
  async function getKept(asked: InjectOptions | string) {
    let response = await get(asked);
    for (let tries = 1; tries < TRIES_MAX && response.headers[NAMES[0]] === undefined; tries++)
      response = await get(asked);
    return response;
  }
  const expected = (texts: readonly string[]) => {
    const tags = texts.map(tag);
    return [
      ['cdn-cache-control', 'public, max-age=86400'],
      ['surrogate-key', tags.join(' ')],
      ['cache-tag', tags.join(',')],
    ];
  };
  const tagsOf = (path: string) => {
    if (path.includes(':product')) return ['all', `team ${ids.acme}`, `product ${ids.rocket}`];
    return path.includes(':team') ? ['all', `team ${ids.acme}`, `team-lists ${ids.acme}`] : ['all', 'lists'];
  };

  it('every public read has them, with GET and HEAD, as 200 and 304, and is the same without them otherwise', async () => {
    assert.ok(PUBLIC_READS.length > 40);
    for (const { path } of PUBLIC_READS) {
      const url = urlOf(path);
      const found = await getKept(url);
      assert.equal(found.statusCode, 200, url);
      assert.deepEqual(headersOf(found.headers), expected(tagsOf(path)), url);
      assert.equal(found.headers['cache-control'], 'public, max-age=30');
      const head = await getKept({ url, method: 'HEAD' });
      const unchanged = await getKept({ url, headers: { 'if-none-match': String(found.headers.etag) } });
      assert.deepEqual([head.statusCode, unchanged.statusCode], [200, 304]);
      for (const { headers } of [head, unchanged])
        assert.deepEqual(headersOf(headers), headersOf(found.headers), url);
      const before = await get(url, without);
      assert.equal(before.body, found.body);
      const own = ['date', 'x-request-id', 'ratelimit', ...NAMES];
      const others = (headers: object) => Object.entries(headers).filter(([name]) => !own.includes(name));
      assert.deepEqual(others(found.headers), others(before.headers), url);
      assert.deepEqual(headersOf(before.headers), []);
    }
  });

  it('documents, redirects, errors and what needs a key have none', async () => {
    const bearer = { authorization: `Bearer ${suite.world.full}` };
    const asked: [InjectOptions | string, number][] = [
      ...OTHERS.flatMap(({ path, isServed }): [string, number][] =>
        isServed ? [] : [[urlOf(path), isRedirect(path) ? 302 : path === '/favicon.ico' ? 204 : 200]],
      ),
      [{ url: TEAM_FEED, headers: bearer }, 200],
      [{ url: `${REPO}/releases`, headers: bearer }, 200],
      [TEAM_FEED, 401],
      [`${PUBLIC_FEED}?limit=0`, 400],
      [`${PRODUCT_PAGE}?since=never`, 400],
      [`${PUBLIC_FEED}/versions/9.9.9`, 404],
      ['/changelog/nobody', 404],
      [{ url: PUBLIC_FEED, method: 'POST' }, 405],
      [{ url: PUBLIC_FEED, method: 'OPTIONS' }, 204],
      [{ url: PUBLIC_FEED, headers: { 'if-match': '"other"' } }, 412],
    ];
    for (const [options, status] of asked) {
      const { statusCode, headers } = await get(options);
      assert.equal(statusCode, status, JSON.stringify(options));
      assert.deepEqual(headersOf(headers), [], JSON.stringify(options));
    }
  });

  it('nothing has them with the gate on', async (t) => {
    const gate = { PASSWORD_PROTECTION_USERNAME: 'ann', PASSWORD_PROTECTION_PASSWORD: 'pass' };
    const environment = { ...CDN, LISTING: 'all', PASSWORD_PROTECTION: 'true', ...gate };
    const { app } = await startApp(t, suite.sandbox, environment);
    const authorization = `Basic ${Buffer.from('ann:pass').toString('base64')}`;
    for (const url of [PUBLIC_FEED, ...PAGES, ...LISTS]) {
      const { statusCode, headers } = await app.inject({ url, headers: { authorization } });
      assert.deepEqual([statusCode, headers['cache-control']], [200, 'private, no-cache']);
      assert.deepEqual(headersOf(headers), [], url);
      assert.deepEqual(headersOf((await app.inject(url)).headers), []);
    }
  });

  it('404 is the same for hidden and missing products, with the setting and without it (R9)', async () => {
    const seen = async (url: string, app: TestApp) => {
      const { statusCode, headers, body } = await get(url, app);
      const { date, 'x-request-id': _id, ratelimit, ...rest } = headers;
      return { statusCode, rest, body };
    };
    const missing = await seen('/api/v1/public/teams/nobody/products/nothing/changelog', without);
    assert.equal(missing.statusCode, 404);
    for (const path of HIDDEN_PATHS)
      for (const app of [suite.app, without])
        assert.deepEqual(
          await seen(`/api/v1/public${path.replace('/api/v1/public', '')}`, app),
          missing,
          path,
        );
  });

  it('two products share the tags of their team, and no others', async () => {
    const tags = async (url: string) => String((await get(url)).headers['cache-tag']).split(',');
    const rocket = await tags(PUBLIC_FEED);
    const other = await tags(PUBLIC_FEED.replace('rocket', 'new'));
    assert.deepEqual(
      other.filter((each) => rocket.includes(each)),
      ['all', `team ${ids.acme}`].map(tag),
    );
  });
});
