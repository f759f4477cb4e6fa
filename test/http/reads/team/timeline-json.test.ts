import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { startApp } from '../../../../support/program/app.ts';
import { apply, createKey, runOk } from '../../../../support/program/command.ts';
import { becomes } from '../../../support/becomes.ts';
import { suiteWithWorld } from '../../../support/suite.ts';
import { applyFamily, FAMILY, KEY_TEAM, PUBLIC_TEAM, productOf } from './family.ts';

const BASE_URL = 'https://changes.example.com';
const PRODUCTS = ['rocket', 'lander', 'probe', 'hidden'];
const FILTERS = [
  '',
  'since=2026-05-04T07:00:00Z',
  'until=2026-05-04T11:00:00Z',
  'since=2026-05-04T07:00:00Z&until=2026-05-04T11:30:00Z',
  'type=security',
  'type=fixed&type=added',
  'breaking=true',
  'breaking=true&type=removed',
  'prerelease=false',
  'from=1.0.0',
  'from=0.9.0&to=1.2.0',
  'q=leak',
  'q=signed+key',
  'q=nowhere',
  'q=a&type=added',
];

type Summary = { id: string; version: string; publishedAt: string | null; product: { slug: string } };

describe('the timeline of a team as JSON (R64)', () => {
  const suite = suiteWithWorld({ BASE_URL });
  const keys = { full: '', select: '', selectId: '', empty: '' };

  before(async () => {
    await applyFamily(suite.sandbox);
    keys.full = (await createKey(suite.sandbox, 'family', '--kind', 'FULL')).key;
    const select = await createKey(suite.sandbox, 'family', '--kind', 'SELECT', '--product', 'lander');
    Object.assign(keys, { select: select.key, selectId: select.id });
    const empty = await createKey(suite.sandbox, 'family', '--kind', 'SELECT', '--product', 'hidden');
    keys.empty = empty.key;
    await runOk(suite.sandbox, ['key', 'detach', empty.id, 'hidden']);
  });

  const read = (url: string, key?: string) =>
    suite.app.inject({ url, headers: key === undefined ? {} : { authorization: `Bearer ${key}` } });

  /** All pages of a timeline. */
  const walk = async (url: string, key?: string): Promise<Summary[]> => {
    const { statusCode, headers, body } = await read(url, key);
    assert.equal(statusCode, 200, url);
    const { data } = JSON.parse(body);
    const next = /^<(.*)>; rel="next"$/.exec(String(headers.link ?? ''))?.[1];
    if (next === undefined) return data.versions;
    assert.ok(next.startsWith(`${BASE_URL}/api/`));
    return [...data.versions, ...(await walk(next.slice(BASE_URL.length), key))];
  };

  /** The same, from the changelogs of the products. */
  const expected = async (query: string, slugs: readonly string[], key?: string): Promise<Summary[]> => {
    const all: Summary[] = [];
    for (const slug of slugs) {
      const surface = key === undefined ? PUBLIC_TEAM : KEY_TEAM;
      const { statusCode, body } = await read(`${surface}/products/${slug}/changelog${query}`, key);
      if (statusCode === 404) continue;
      const { versions, product } = JSON.parse(body).data;
      all.push(...versions.map((version: Summary) => ({ ...version, product })));
    }
    const keyOf = ({ publishedAt }: Summary) => publishedAt ?? '~';
    return all.toSorted((one, other) =>
      keyOf(one) === keyOf(other) ? (one.id < other.id ? -1 : 1) : keyOf(one) < keyOf(other) ? 1 : -1,
    );
  };

  it('has the versions of all public products, each with its product, newest first', async () => {
    const { data } = (await read(`${PUBLIC_TEAM}/versions`)).json();
    assert.deepEqual(
      { ...data, versions: [] },
      { object: 'team.timeline', team: { slug: 'family', name: 'Family' }, versions: [] },
    );
    const [first] = data.versions;
    assert.deepEqual(Object.keys(first).slice(-2), ['changeCount', 'product']);
    assert.deepEqual(first.product, { slug: 'rocket', name: 'Rocket' });
    assert.equal(first.changeCount, 2, 'JSON has shared changes everywhere');
    assert.equal(data.versions[1].changeCount, 2);
  });

  it('every filter selects what it selects in the changelogs, on one page and on many', async () => {
    for (const filter of FILTERS) {
      const [query, more] = filter === '' ? ['', '?'] : [`?${filter}`, `?${filter}&`];
      const visible = await expected(query, PRODUCTS);
      assert.deepEqual(await walk(`${PUBLIC_TEAM}/versions${query}`), visible, filter);
      assert.deepEqual(await walk(`${PUBLIC_TEAM}/versions${more}limit=2`), visible, filter);
      const all = await expected(query, PRODUCTS, keys.full);
      assert.deepEqual(await walk(`${KEY_TEAM}/versions${more}limit=3`, keys.full), all, filter);
      const some = await expected(query, ['lander'], keys.full);
      assert.deepEqual(await walk(`${KEY_TEAM}/versions${more}limit=2`, keys.select), some, filter);
      assert.deepEqual(await walk(`${KEY_TEAM}/versions${query}`, keys.empty), [], filter);
    }
  });

  it('include=changes returns each version as the version route does', async () => {
    for (const [surface, key] of [[PUBLIC_TEAM], [KEY_TEAM, keys.full]] as const) {
      const versions = await walk(`${surface}/versions?include=changes&limit=3`, key);
      assert.equal(versions.length, key === undefined ? 7 : 10);
      for (const version of versions) {
        const url = `${surface}/products/${version.product.slug}/changelog/versions/${version.id}`;
        assert.deepEqual((await read(url, key)).json(), { data: version });
      }
    }
  });

  it('a page has 100 versions unless it is limited', async () => {
    const many = Array.from({ length: 101 }, (_, index) => [`1.0.${index}`, 5_000 + index, []] as const);
    const team = { slug: 'many', name: 'Many', visibility: 'public', plan: 'free' };
    await apply(suite.sandbox, { team, products: [productOf('only', many)] });
    const url = '/api/v1/public/teams/many/versions';
    for (const query of ['', '?include=changes']) {
      const { headers, body } = await read(url + query);
      assert.equal(JSON.parse(body).data.versions.length, 100);
      assert.match(String(headers.link), /rel="next"$/);
      assert.equal((await walk(url + query)).length, 101);
    }
    for (const query of [
      '?limit=0',
      '?limit=101',
      '?limit=x',
      '?type=new',
      '?since=x',
      '?cursor=x',
      '?tpye=added',
    ])
      assert.equal((await read(url + query)).statusCode, 400, query);
    assert.equal((await read(`${url}?limit=100&page=7`)).statusCode, 200);
  });

  it('a cursor is valid only for the timeline and the filter that it was issued for', async () => {
    const { headers } = await read(`${PUBLIC_TEAM}/versions?limit=1`);
    const cursor = /cursor=([\w-]+)/.exec(String(headers.link))?.[1];
    assert.equal((await read(`${PUBLIC_TEAM}/versions?limit=3&cursor=${cursor}`)).statusCode, 200);
    for (const url of [
      `${PUBLIC_TEAM}/versions?type=fixed&cursor=${cursor}`,
      `${PUBLIC_TEAM}/products?cursor=${cursor}`,
      `${PUBLIC_TEAM}/products/rocket/changelog?cursor=${cursor}`,
      `/api/v1/public/teams/acme/versions?cursor=${cursor}`,
    ])
      assert.equal((await read(url)).statusCode, 400, url);
    assert.equal((await read(`${KEY_TEAM}/versions?cursor=${cursor}`, keys.full)).statusCode, 400);
  });

  it('401 without a valid key, then the same 403 for every other team, existing or not', async () => {
    const { world } = suite;
    for (const list of ['versions', 'products']) {
      assert.equal((await read(`${KEY_TEAM}/${list}`)).statusCode, 401);
      assert.equal((await read(`${KEY_TEAM}/${list}`, world.disabled)).statusCode, 401);
      const bodies = new Set<string>();
      for (const team of ['family', 'vault', 'nobody', 'NOT-A-SLUG']) {
        const { statusCode, body } = await read(`/api/v1/teams/${team}/${list}`, world.full);
        assert.equal(statusCode, 403, team);
        bodies.add(body);
        assert.equal((await read(`/api/v1/teams/${team}/${list}`, world.select)).statusCode, 403, team);
      }
      assert.equal(bodies.size, 1);
    }
  });

  it('the routes of a team have the headers and methods of their surface', async (t) => {
    for (const list of ['versions', 'products']) {
      const open = await read(`${PUBLIC_TEAM}/${list}`);
      assert.equal(open.headers['cache-control'], 'public, max-age=30');
      assert.equal(open.headers['access-control-allow-origin'], '*');
      assert.match(String(open.headers.ratelimit), /^"public"/);
      const own = await read(`${KEY_TEAM}/${list}`, keys.full);
      assert.equal(own.headers['cache-control'], 'private, no-cache');
      assert.deepEqual(own.headers.vary, ['Authorization', 'Accept-Encoding']);
      assert.equal(own.headers['access-control-allow-origin'], undefined);
      assert.equal(own.headers.ratelimit, undefined);
      for (const [url, headers, { headers: whole }] of [
        [`${PUBLIC_TEAM}/${list}`, {}, open],
        [`${KEY_TEAM}/${list}`, { authorization: `Bearer ${keys.full}` }, own],
      ] as const) {
        const etag = String(whole.etag);
        const ask = (method: 'GET' | 'HEAD' | 'OPTIONS' | 'POST', more = {}) =>
          suite.app.inject({ method, url, headers: { ...headers, ...more } });
        assert.equal((await ask('GET', { 'if-none-match': etag })).statusCode, 304);
        assert.equal((await ask('GET', { 'if-match': '"other"' })).statusCode, 412);
        assert.deepEqual([(await ask('HEAD')).headers.etag, (await ask('HEAD')).body], [etag, '']);
        assert.equal((await ask('OPTIONS')).statusCode, 204);
        assert.equal((await ask('POST')).statusCode, 405);
        assert.equal((await ask('GET', { 'accept-encoding': 'gzip' })).headers['content-encoding'], 'gzip');
        assert.equal((await suite.app.inject({ url: `${url}/`, headers })).statusCode, 404);
      }
    }
    const { app } = await startApp(t, suite.sandbox, { PUBLIC_RATE_LIMIT: '2' });
    const statuses = [];
    for (const url of ['versions', 'feed.atom', 'products'])
      statuses.push((await app.inject(`${PUBLIC_TEAM}/${url}`)).statusCode);
    assert.deepEqual(statuses, [200, 200, 429]);
  });

  it('a response for one key is never served to a key that may read something else', async () => {
    const url = `${KEY_TEAM}/versions`;
    const slugsFor = async (key: string) =>
      [...new Set((await walk(url, key)).map(({ product }) => product.slug))].sort();
    const all = ['hidden', 'lander', 'probe', 'rocket'];
    for (const key of [keys.full, keys.select, keys.empty, keys.full, keys.select, keys.empty])
      assert.deepEqual(await slugsFor(key), key === keys.full ? all : key === keys.select ? ['lander'] : []);
    const { headers } = await read(url, keys.full);
    const unchanged = { authorization: `Bearer ${keys.select}`, 'if-none-match': String(headers.etag) };
    assert.equal((await suite.app.inject({ url, headers: unchanged })).statusCode, 200);
    await runOk(suite.sandbox, ['key', 'attach', keys.selectId, 'probe']);
    await becomes(() => slugsFor(keys.select), ['lander', 'probe']);
    await runOk(suite.sandbox, ['key', 'detach', keys.selectId, 'probe']);
    await becomes(() => slugsFor(keys.select), ['lander']);
  });

  it('a write to any product of the team is in the next response', async () => {
    const labels = async (url: string, key?: string) =>
      (await walk(url, key)).map(({ version, product }) => `${product.slug} ${version}`);
    const [url, own] = [`${PUBLIC_TEAM}/versions`, `${KEY_TEAM}/versions`];
    const before = await labels(url);
    await labels(own, keys.full);
    await runOk(suite.sandbox, ['version', 'publish', 'family/lander', '1.1.0']);
    await becomes(async () => (await labels(url)).includes('lander 1.1.0'), true);
    await becomes(async () => (await labels(own, keys.select)).includes('lander 1.1.0'), true);
    await runOk(suite.sandbox, ['version', 'unpublish', 'family/lander', '1.1.0']);
    await becomes(() => labels(url), before);
    await runOk(suite.sandbox, ['product', 'set', 'family/lander', '--status', 'locked']);
    await becomes(async () => (await labels(url)).some((label) => label.startsWith('lander')), false);
    assert.ok((await labels(own, keys.select)).includes('lander 1.2.0'));
    await runOk(suite.sandbox, ['product', 'set', 'family/lander', '--status', 'published']);
    await becomes(() => labels(url), before);
  });

  it('a team whose products are all hidden is the same as a missing one; with a key, it is shown', async () => {
    const products = FAMILY.products.map((product) => ({ ...product, status: 'locked' }));
    await apply(suite.sandbox, { team: { ...FAMILY.team, slug: 'shut', name: 'Shut' }, products });
    const { key } = await createKey(suite.sandbox, 'shut', '--kind', 'FULL');
    const comparable = ({ statusCode, headers, body }: Awaited<ReturnType<typeof read>>) => {
      const { date: _, ratelimit: __, 'x-request-id': ___, ...others } = headers;
      return { statusCode, others, body };
    };
    for (const below of ['versions', 'versions?limit=1', 'products', 'feed.atom', 'feed.rss', 'feed.json']) {
      const missing = comparable(await read(`/api/v1/public/teams/nobody/${below}`));
      assert.equal(missing.statusCode, 404);
      for (const team of ['shut', 'vault', 'NO'])
        assert.deepEqual(comparable(await read(`/api/v1/public/teams/${team}/${below}`)), missing, team);
    }
    assert.equal((await walk('/api/v1/teams/shut/versions', key)).length, 10);
  });

  it('with LISTING=none, only the routes with a key are served', async (t) => {
    const { app } = await startApp(t, suite.sandbox, { LISTING: 'none' });
    const unknown = await app.inject(`${PUBLIC_TEAM}/unknown`);
    for (const below of ['versions', 'products', 'feed.atom', 'feed.rss', 'feed.json']) {
      const { statusCode, headers, body } = await app.inject(`${PUBLIC_TEAM}/${below}`);
      assert.deepEqual([statusCode, body], [404, unknown.body]);
      assert.deepEqual(Object.keys(headers), Object.keys(unknown.headers));
      assert.equal((await app.inject({ url: `${PUBLIC_TEAM}/${below}`, method: 'POST' })).statusCode, 404);
    }
    const headers = { authorization: `Bearer ${keys.full}` };
    for (const below of ['versions', 'products'])
      assert.equal((await app.inject({ url: `${KEY_TEAM}/${below}`, headers })).statusCode, 200);
    const paths = Object.keys((await app.inject('/api/openapi.json')).json().paths);
    assert.deepEqual(
      paths.filter((path) => /teams\/{teamSlug}\/(?!products\/)/.test(path)),
      ['/api/v1/teams/{teamSlug}/versions', '/api/v1/teams/{teamSlug}/products'],
    );
  });
});
