// The requests sent to a release: every route that reads the database, on both surfaces, with every key. The OpenAPI
// document and its page are left out, because they do not depend on the database.
import type { SendRequest } from './fixture.ts';
import { KEYS, PRODUCTS } from './world.ts';

const FEEDS = ['/feed.atom', '/feed.rss', '/feed.json', '/CHANGELOG.md'];

/** Queries of `rocket`, on both surfaces. */
const FILTERS = [
  'limit=3',
  'limit=2&include=changes',
  'limit=100',
  'limit=1&type=added&type=security&prerelease=false',
  'include=changes',
  'since=2026-02-01',
  'until=2025-12-31',
  'since=2026-02-01T00:00:00Z&until=2026-05-04T11:00:00%2B02:00',
  'from=1.9.0',
  'to=2.0.0',
  'from=v1&to=2.1&prerelease=false',
  'from=2.0.0-beta.2&to=2.0.0',
  'type=fixed&type=deprecated',
  'prerelease=false',
  'q=launch',
  'q=hushed',
  'q=launch&type=added&limit=1',
  'unknown=1',
];

const RANGES = [
  '',
  '?from=1.4.1&to=2.1.0',
  '?from=2.0.0',
  '?to=2.0.0&type=changed',
  '?prerelease=false',
  '?from=9',
];

/** Searches of `texts`, on both surfaces. */
const WORDS = [
  'title',
  'TITLE',
  '火箭',
  '发射',
  '打ち',
  '발사',
  'café',
  'cafe',
  'cafe\u0301',
  'CRÈME',
  'straße',
  'STRASSE',
  'œuvre',
  'запуск',
  'σίσυφος',
  'σίσυφοσ',
  'إطلاق',
  'שיגור',
  'จรวด',
  'istanbul',
  'İstanbul',
  '🚀',
  '𠜎',
  'rocket.toml',
  'node.js 2.1.0',
  'AND',
  'star*',
  'snake_case',
  'snake',
  'script alert',
  'drop table teams',
  '"',
];

const INVALID = [
  'limit=0',
  'limit=101',
  'limit=1&limit=2',
  'cursor=',
  'cursor=AAAA',
  'since=yesterday',
  'until=2026-02-30',
  'from=latest',
  'to=',
  'type=new',
  'prerelease=no',
  'q=',
  'include=everything',
];

const UNKNOWN_PATHS = [
  '/',
  '/api',
  '/api/v1/public/teams/acme',
  '/api/v1/public/teams/acme/products/rocket/changelog/',
  '/api/v1/public/teams/acme/products/rocket/changelog/feed.xml',
  '/api/v1/public/teams/Acme/products/rocket/changelog',
  '/api/v1/public/teams/acme/products/rocket/changelog/versions/a%2Fb',
  '/api/v1/public/teams/acme/products/rocket/changelog/versions/%00',
  '/api/v1/public/teams/acme/products/rocket/changelog/versions/ver_vault',
];

const TEAM_DOCUMENTS = [
  ...['', '?limit=3', '?include=changes&limit=5', '?type=added', '?q=launch'].map(
    (query) => `versions${query}`,
  ),
  ...['products', 'products?limit=1', 'feed.atom', 'feed.rss', 'feed.json'],
];

const onPublic = (product: string, rest = '', team = 'acme') =>
  `/api/v1/public/teams/${team}/products/${product}/changelog${rest}`;
const onTeam = (product: string, rest = '', team = 'acme') =>
  `/api/v1/teams/${team}/products/${product}/changelog${rest}`;

export async function requestEverything(send: SendRequest): Promise<void> {
  for (const product of [...PRODUCTS, 'missing']) await requestProduct(send, product);
  await requestFilters(send);
  await requestWithKeys(send);
  await requestTeams(send);
  await requestConditionally(send);
  for (const query of INVALID) {
    await send({ path: onPublic('rocket', `?${query}`) });
    await send({ path: onTeam('rocket', `?${query}`), key: 'full' });
  }
  for (const path of UNKNOWN_PATHS) await send({ path });
  for (const method of ['HEAD', 'OPTIONS', 'POST', 'DELETE']) {
    await send({ method, path: onPublic('rocket') });
    await send({ method, path: onTeam('rocket'), key: 'full' });
    await send({ method, path: onPublic('secret') });
  }
}

/** The list, each version by its id and by its label, the range and the feeds. */
async function requestProduct(send: SendRequest, product: string): Promise<void> {
  const list = await send({ path: onTeam(product), key: 'full' });
  await send({ path: onPublic(product) });
  const versions: { id: string; version: string }[] = JSON.parse(list.body).data?.versions ?? [];
  const names = versions.flatMap(({ id, version }) => [id, version]);
  for (const name of ['latest', 'v2.1.0', '1.0.0', 'ver_missing', ...names]) {
    const version = `/versions/${encodeURIComponent(name)}`;
    await send({ path: onPublic(product, version) });
    // By its label, a version is the same record; once is enough.
    if (!versions.some((other) => other.version === name))
      await send({ path: onTeam(product, version), key: 'full' });
  }
  for (const rest of ['/changes', ...FEEDS]) await send({ path: onPublic(product, rest) });
  await send({ path: onTeam(product, '/changes'), key: 'full' });
}

async function requestFilters(send: SendRequest): Promise<void> {
  const walk = async (path: string, key?: string) => {
    for (let next: string | undefined = path; next !== undefined; ) {
      const { headers } = await send({ path: next, ...(key && { key }) });
      next = /<https?:\/\/[^/>]+([^>]+)>; rel="next"/.exec(headers.link ?? '')?.[1];
    }
  };
  const queries = [
    ...FILTERS.map((query) => ['rocket', `?${query}`] as const),
    ...RANGES.map((query) => ['rocket', `/changes${query}`] as const),
    ...WORDS.map((words) => ['texts', `?q=${encodeURIComponent(words)}`] as const),
    ...['?limit=7', '?from=0.9&to=3', '?since=1000-01-01&until=2024-12-31', '?q=1.0.0'].map(
      (query) => ['labels', query] as const,
    ),
    ['texts', '?limit=4&include=changes'],
    ['imported', '?include=changes'],
    ['empty', '?limit=1&include=changes'],
  ] as const;
  for (const [product, rest] of queries) {
    await walk(onPublic(product, rest));
    await walk(onTeam(product, rest), 'full');
  }
}

/** Every key on every product: which of them may read it. */
async function requestWithKeys(send: SendRequest): Promise<void> {
  for (const key of KEYS.filter((name) => name !== 'unused')) {
    for (const product of ['rocket', 'secret', 'imported', 'empty', 'dropped', 'missing'])
      await send({ path: onTeam(product, '/versions/1.0.0'), key });
    await send({ path: onTeam('rocket', '', 'vault'), key });
    await send({ path: onTeam('engine', '', 'legacy'), key });
    await send({ path: onTeam('rocket', '', 'gone'), key });
  }
  for (const authorization of ['Bearer', 'Basic YTpi', 'Bearer nothing', 'bearer clk_0'])
    await send({ path: onTeam('rocket'), headers: { authorization } });
  await send({ path: onTeam('rocket') });
  await send({ path: onTeam('rocket', '?limit=0') });
}

async function requestTeams(send: SendRequest): Promise<void> {
  for (const [team, product, version] of [
    ['vault', 'rocket', 'ver_vault'],
    ['legacy', 'engine', 'ver_engine'],
    ['gone', 'rocket', 'ver_gone'],
  ] as const) {
    for (const rest of ['', `/versions/${version}`, '/changes', '/feed.atom', '/CHANGELOG.md'])
      await send({ path: onPublic(product, rest, team) });
    for (const rest of ['', `/versions/${version}`, '/changes'])
      await send({ path: onTeam(product, rest, team), key: team });
  }
  for (const team of ['acme', 'vault', 'legacy', 'gone', 'missing'])
    for (const rest of TEAM_DOCUMENTS) await send({ path: `/api/v1/public/teams/${team}/${rest}` });
  for (const key of KEYS.filter((name) => name !== 'unused'))
    for (const rest of ['versions', 'versions?include=changes&limit=5', 'products'])
      await send({ path: `/api/v1/teams/acme/${rest}`, key });
}

/** An ETag from before the upgrade is still valid after it. */
async function requestConditionally(send: SendRequest): Promise<void> {
  for (const request of [
    { path: onPublic('rocket') },
    { path: onPublic('texts', '/versions/latest') },
    { path: onPublic('rocket', '/feed.atom') },
    { path: onPublic('rocket', '?limit=2') },
    { path: onTeam('rocket'), key: 'full' },
  ]) {
    const { headers } = await send(request);
    await send({ ...request, headers: { 'if-none-match': headers.etag ?? '' } });
    await send({ ...request, headers: { 'if-none-match': '"another"' } });
  }
}
