// Cached responses, compared with the limits of the runtime and of the machine.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Scope, temporaryFolder } from '../../cluster/scope.ts';
import type { Environment } from '../../src/config.ts';
import { feedPath, HOT, TEAM, versionPath } from '../data/datasets.ts';
import { addKeys } from '../data/sqlite-data.ts';
import type { Subject } from '../rounds/rounds.ts';
import { type Prepared, type RequestSpec, subjectFor } from '../rounds/subjects.ts';
import { requestOnce } from '../servers/responses.ts';
import { type Server, startBare, startNginxWithFile, startOurs } from '../servers/servers.ts';
import { prepareCompressed } from './compressed.ts';

const GROUP = 'Hot';
const FEED = feedPath('hot', 1);
const LARGE = feedPath('large', 1);
const [HOT_BLOCK] = HOT;
const AS_FAST_AS_200 = { comparedWith: 'hot', goal: { atLeast: 1 } };

type HotOptions = Readonly<{ file: string; fileAmong: string; products: number }>;

export async function prepareHot(scope: Scope, { file, fileAmong, products }: HotOptions): Promise<Prepared> {
  const keys = addKeys(file, 'hot-1');
  const databaseUrl = { DATABASE_URL: `sqlite:${file}` };
  // The last two differ only in the size of their database, and serve no other measurement.
  const [ours, limited, few, among] = await Promise.all([
    startOurs(scope, databaseUrl),
    startLimited(scope, databaseUrl),
    startOurs(scope, databaseUrl),
    startOurs(scope, { DATABASE_URL: `sqlite:${fileAmong}` }),
  ]);

  const feed = await requestOnce(ours.address + FEED);
  const large = await requestOnce(ours.address + LARGE);
  const etag = feed.header('etag') ?? '';
  const version = versionPath(HOT_BLOCK as (typeof HOT)[number], 1, 1);
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
  const tenPaths = writeTenPaths(scope);
  const nowhere = (slug: string) => `/api/v1/public/teams/${TEAM}/products/${slug}/changelog`;

  const at = (server: Server, id: string, name: string, target: string) =>
    ({
      id,
      group: GROUP,
      name,
      server,
      target: { path: target },
      example: target,
      status: 200,
    }) satisfies RequestSpec;
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
      goal: { atLeast: 0.85 },
    },
    {
      ...at(ours, '304', 'same feed, 304', FEED),
      headers: { 'if-none-match': etag },
      status: 304,
      ...AS_FAST_AS_200,
    },
    { ...at(ours, '404', 'missing product, 404', nowhere('none')), status: 404, ...AS_FAST_AS_200 },
    {
      ...at(ours, '404-new', 'a new missing product each time, 404', nowhere('none')),
      target: { before: nowhere('').replace('/changelog', ''), after: '/changelog' },
      status: 404,
      // Each is a database query, because a new path cannot be cached.
      comparedWith: 'hot',
    },
    { ...at(limited, '429', 'over the rate limit, 429', FEED), status: 429, ...AS_FAST_AS_200 },
    {
      ...at(ours, 'full', 'with a FULL key, 200', feedPath('hot', 1, '')),
      headers: bearer(keys.full),
      comparedWith: 'bare',
      goal: { atLeast: 0.75 },
    },
    {
      ...at(ours, 'select', 'with a SELECT key, 200', feedPath('hot', 1, '')),
      headers: bearer(keys.select),
      comparedWith: 'bare',
      goal: { atLeast: 0.75 },
    },
    { ...at(ours, 'version', 'one version, 200', version), comparedWith: 'hot' },
    {
      ...at(await startBare(scope, large), 'bare-large', 'bare node:http, 1,000 versions', LARGE),
      body: large.body,
    },
    {
      ...at(
        await startNginxWithFile(scope, LARGE, large),
        'nginx-large',
        'nginx, 1,000 versions from a file',
        LARGE,
      ),
      body: large.body,
      comparedWith: 'bare-large',
    },
    { ...at(ours, 'large', 'public feed of 1,000 versions, 200', LARGE), comparedWith: 'bare-large' },
    { ...at(few, 'ten', 'ten products in turn, 11 in the database', FEED), target: { pathsFile: tenPaths } },
    {
      ...at(
        among,
        'ten-among',
        `ten products in turn, ${products.toLocaleString('en')} in the database`,
        FEED,
      ),
      target: { pathsFile: tenPaths },
      comparedWith: 'ten',
      goal: { atLeast: 0.95 },
    },
  ];
  const subjects: Subject[] = [];
  for (const spec of specs) subjects.push((await subjectFor(spec)).subject);
  const compressed = await prepareCompressed(ours, FEED, GROUP);
  return { subjects: [...subjects, ...compressed.subjects], absent: compressed.absent };
}

async function startLimited(scope: Scope, databaseUrl: Environment): Promise<Server> {
  const server = await startOurs(scope, {
    ...databaseUrl,
    PUBLIC_RATE_LIMIT: '1',
    // A window that ends during the measurement would admit a request.
    PUBLIC_RATE_WINDOW_SECONDS: '86400',
  });
  await requestOnce(server.address + FEED);
  return server;
}

function writeTenPaths(scope: Scope): string {
  const file = path.join(temporaryFolder(scope), 'paths');
  const paths = Array.from({ length: 10 }, (_, index) => feedPath('hot', index + 1));
  writeFileSync(file, `${paths.join('\n')}\n`);
  return file;
}
