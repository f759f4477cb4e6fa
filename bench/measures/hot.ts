// Cached responses, compared with the limits of the runtime and of the machine.
import type { Scope } from '../../cluster/scope.ts';
import type { Environment } from '../../src/config.ts';
import { feedPath, HOT, TEAM, versionPath } from '../data/datasets.ts';
import { addKeys, setDomain } from '../data/sqlite-data.ts';
import type { Subject } from '../rounds/rounds.ts';
import { type RequestSpec, subjectsFor } from '../rounds/subjects.ts';
import { requestOnce } from '../servers/responses.ts';
import { type Server, startBare, startNginxWithFile, startOurs } from '../servers/servers.ts';
import { compressedReads } from './compressed.ts';
import { cachedPages } from './pages.ts';
import { writePaths } from './uncached.ts';

const GROUP = 'Cached';
const FEED = feedPath('hot', 1);
const LARGE = feedPath('large', 1);
const TEAM_FEED = feedPath('hot', 1, '');
const MISSING = `/api/v1/public/teams/${TEAM}/products/none/changelog`;
const [HOT_BLOCK] = HOT;
const AS_FAST_AS_200 = { comparedWith: 'hot', goal: { atLeast: 1 } };
const WITH_A_KEY = { comparedWith: 'hot', goal: { atLeast: 0.92 } };
/** Of another product: on any host, its response has one header more. */
const DOMAIN = { slug: 'hot-2', name: 'changes.example.com', feed: feedPath('hot', 2) };

type HotOptions = Readonly<{ file: string; fileAmong: string; products: number }>;

export async function prepareHot(
  scope: Scope,
  { file, fileAmong, products }: HotOptions,
): Promise<Subject[]> {
  const keys = addKeys(file, 'hot-1');
  setDomain(file, DOMAIN.slug, DOMAIN.name);
  // With metrics, as in production.
  const environment = { DATABASE_URL: `sqlite:${file}`, OPS_PORT: '0' };
  // The last two differ only in the size of their database, and serve no other measurement.
  const [ours, limited, few, among] = await Promise.all([
    startOurs(scope, environment),
    startLimited(scope, environment),
    startOurs(scope, environment),
    startOurs(scope, { ...environment, DATABASE_URL: `sqlite:${fileAmong}` }),
  ]);

  const feed = await requestOnce(ours.address + FEED);
  const large = await requestOnce(ours.address + LARGE);
  const version = versionPath(HOT_BLOCK as (typeof HOT)[number], 1, 1);
  const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });
  const tenPaths = { pathsFile: writePaths(scope, 10, (index) => feedPath('hot', index + 1)) };

  const at = (server: Server, id: string, name: string, target: string) =>
    ({ id, group: GROUP, name, server, target: { path: target }, example: target, status: 200 }) as const;
  const specs: RequestSpec[] = [
    { ...at(await startBare(scope, feed), 'bare', 'bare node:http, same response', FEED), body: feed.body },
    {
      ...at(await startNginxWithFile(scope, FEED, feed), 'nginx', 'nginx, same response from a file', FEED),
      body: feed.body,
      comparedWith: 'bare',
    },
    {
      ...at(ours, 'hot', 'public feed of 20 versions, 200', FEED),
      body: feed.body,
      comparedWith: 'bare',
      goal: { atLeast: 0.9 },
    },
    { ...at(ours, 'full', 'with a FULL key, 200', TEAM_FEED), ...bearer(keys.full), ...WITH_A_KEY },
    { ...at(ours, 'select', 'with a SELECT key, 200', TEAM_FEED), ...bearer(keys.select), ...WITH_A_KEY },
    {
      ...at(ours, '304', 'same feed, 304', FEED),
      headers: { 'if-none-match': feed.header('etag') ?? '' },
      status: 304,
      ...AS_FAST_AS_200,
    },
    { ...at(ours, '404', 'missing product, 404', MISSING), status: 404, ...AS_FAST_AS_200 },
    { ...at(limited, '429', 'over the rate limit, 429', FEED), status: 429, ...AS_FAST_AS_200 },
    { ...at(ours, 'version', 'one version, 200', version), comparedWith: 'hot' },
    at(ours, 'own-host', 'feed of a product with a domain, 200', DOMAIN.feed),
    {
      ...at(ours, 'domain', 'the same on its domain, 200', DOMAIN.feed),
      // wrk would add its own to one in lower case.
      headers: { Host: DOMAIN.name },
      comparedWith: 'own-host',
      goal: { atLeast: 0.97 },
    },
    ...(await compressedReads(ours, FEED, GROUP)),
    ...(await cachedPages(ours, GROUP)),
    {
      ...at(await startBare(scope, large), 'bare-large', 'bare node:http, 1,000 versions', LARGE),
      body: large.body,
    },
    { ...at(ours, 'large', 'public feed of 1,000 versions, 200', LARGE), comparedWith: 'bare-large' },
    { ...at(few, 'ten', 'ten products in turn, 11 in the database', FEED), target: tenPaths },
    {
      ...at(
        among,
        'ten-among',
        `ten products in turn, ${products.toLocaleString('en')} in the database`,
        FEED,
      ),
      target: tenPaths,
      comparedWith: 'ten',
      goal: { atLeast: 0.95 },
    },
  ];
  return await subjectsFor(specs);
}

async function startLimited(scope: Scope, environment: Environment): Promise<Server> {
  const server = await startOurs(scope, {
    ...environment,
    PUBLIC_RATE_LIMIT: '1',
    // A window that ends during the measurement would admit a request.
    PUBLIC_RATE_WINDOW_SECONDS: '86400',
  });
  await requestOnce(server.address + FEED);
  return server;
}
