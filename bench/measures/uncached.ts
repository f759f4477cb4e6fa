// Reads that are not cached, from databases of different sizes, compared with a cached read.
import { randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Scope, temporaryFolder } from '../../cluster/scope.ts';
import { type Block, coldOf, feedPath, fillStatements, TEAM, versionPath } from '../data/datasets.ts';
import type { EngineData } from '../data/engine-data.ts';
import type { Goal } from '../report/results.ts';
import type { Subject } from '../rounds/rounds.ts';
import { type RequestSpec, subjectsFor } from '../rounds/subjects.ts';
import { pin } from '../servers/cores.ts';
import { requestOnce } from '../servers/responses.ts';
import { type Server, startBare, startOurs } from '../servers/servers.ts';

/** Enough to be spread all over the tables. */
const PATHS = 10_000;
/** Fewer than the smaller database has products, because concurrent requests for the same product share a query. */
const CONNECTIONS = 32;
/** Slow reads need longer until their code is compiled. */
const WARM_UPS = 3;
/** A size that fits into every cache. */
const SMALL = 1_000;

type Read = 'feed' | 'version' | 'missing';

const GOALS: Partial<Record<EngineData['id'], Record<Read, Goal>>> = {
  sqlite: { feed: { atLeast: 0.3 }, version: { atLeast: 0.2 }, missing: { atLeast: 0.75 } },
};
/** For a feed and a version: half the processor time of the release that rendered every text at every read (0.10, 0.05). */
const NODE_GOALS: readonly Goal[] = [{ atLeast: 0.2 }, { atLeast: 0.1 }];
const LARGE_FEED: Goal = { atLeast: 0.85 };

type UncachedOptions = Readonly<{ versions: number; onProgress: (text: string) => void }>;

export async function prepareUncached(
  scope: Scope,
  engines: readonly EngineData[],
  { versions, onProgress }: UncachedOptions,
): Promise<Subject[]> {
  const specs: RequestSpec[] = [];
  // Before any server starts: filling a database keeps others waiting, which they log.
  for (const engine of engines) {
    onProgress(`not cached: filling ${engine.name}`);
    await engine.urlFor(fillStatements(coldOf(versions)));
  }
  for (const engine of engines) {
    const start = async (size: number, environment = {}) => {
      onProgress(`not cached: ${count(size)} versions on ${engine.name}`);
      const DATABASE_URL = await engine.urlFor(fillStatements(coldOf(size)));
      return await startOurs(scope, { DATABASE_URL, OPS_PORT: '0', ...environment });
    };
    const cached = await start(SMALL);
    specs.push(...(await cachedReads(scope, engine, cached)));
    const small = await start(SMALL, UNCACHED);
    specs.push(...readsOf(scope, engine, small, SMALL), ...readsOfNode(scope, engine, small));
    specs.push(...readsOf(scope, engine, await start(versions, UNCACHED), versions));
  }
  const subjects = await subjectsFor(specs);
  // PostgreSQL runs on the server's core.
  for (const pid of engines.flatMap(({ pids }) => pids)) pin('server', pid);
  return subjects;
}

export const UNCACHED = { CACHE_MAX_MB: '0', OPS_PORT: '0' };

const idOf = (engine: EngineData, size: number, read: Read) => `${engine.id}-${size}-${read}`;
const askedOf = (engine: EngineData, server: Server) => ({
  group: `Not cached, ${engine.name}`,
  server,
  status: 200,
  alsoPids: engine.pids,
  connections: CONNECTIONS,
});

/** The baseline, and missing products, which are asked of the same server. */
async function cachedReads(scope: Scope, engine: EngineData, server: Server): Promise<RequestSpec[]> {
  const asked = askedOf(engine, server);
  const feed = feedPath('cold', 1);
  const response = await requestOnce(server.address + feed);
  const before = `/api/v1/public/teams/${TEAM}/products/`;
  return [
    {
      ...asked,
      server: await startBare(scope, response),
      id: `${engine.id}-bare`,
      name: 'bare node:http, same response',
      target: { path: feed },
      example: feed,
      body: response.body,
    },
    {
      ...asked,
      id: `${engine.id}-cached`,
      name: 'cached feed of 20 versions',
      target: { path: feed },
      example: feed,
      comparedWith: `${engine.id}-bare`,
    },
    {
      ...asked,
      ...comparedWithCached(engine, 'missing'),
      id: idOf(engine, SMALL, 'missing'),
      name: 'a new missing product each time, 404',
      target: { before, after: '/changelog' },
      example: `${before}none/changelog`,
      status: 404,
    },
  ];
}

function readsOf(scope: Scope, engine: EngineData, server: Server, size: number): RequestSpec[] {
  const [block] = coldOf(size) as [Block];
  const asked = { ...askedOf(engine, server), warmUps: WARM_UPS };
  const { feeds, versions } = writeReads(scope, block);
  const compared = (read: Read) =>
    size === SMALL ? comparedWithCached(engine, read) : { comparedWith: idOf(engine, SMALL, read) };
  return [
    {
      ...asked,
      ...compared('feed'),
      ...(size !== SMALL && { goal: LARGE_FEED }),
      id: idOf(engine, size, 'feed'),
      name: `feed of ${block.versions} versions, ${count(size)} in all`,
      ...feeds,
    },
    {
      ...asked,
      ...compared('version'),
      id: idOf(engine, size, 'version'),
      name: `one version, ${count(size)} in all`,
      ...versions,
    },
  ];
}

/** With a database server, the node's own processor time is measured too. */
function readsOfNode(scope: Scope, engine: EngineData, server: Server): RequestSpec[] {
  if (engine.pids.length === 0) return [];
  return readsOf(scope, engine, server, SMALL).map((spec, index) => ({
    ...spec,
    id: `${spec.id}-node`,
    name: `${spec.name}: the node only`,
    alsoPids: [],
    goal: NODE_GOALS[index] as Goal,
  }));
}

function comparedWithCached(engine: EngineData, read: Read) {
  const goal = GOALS[engine.id]?.[read];
  return { comparedWith: `${engine.id}-cached`, ...(goal !== undefined && { goal }) };
}

function writeReads(scope: Scope, block: Block) {
  const products = shuffled(block.products);
  const productAt = (index: number) => products[index % products.length] as number;
  const feeds = writePaths(scope, PATHS, (index) => feedPath(block.slug, productAt(index)));
  const versions = writePaths(scope, PATHS, (index) =>
    versionPath(block, productAt(index), 1 + randomInt(block.versions)),
  );
  return {
    feeds: { target: { pathsFile: feeds }, example: feedPath(block.slug, 1) },
    versions: { target: { pathsFile: versions }, example: versionPath(block, 1, 1) },
  };
}

export function writePaths(scope: Scope, count: number, pathOf: (index: number) => string): string {
  const file = path.join(temporaryFolder(scope), 'paths');
  writeFileSync(file, `${Array.from({ length: count }, (_, index) => pathOf(index)).join('\n')}\n`);
  return file;
}

/** The numbers from 1 to `count` in random order. */
function shuffled(count: number): number[] {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  for (let last = count - 1; last > 0; last--) {
    const other = randomInt(last + 1);
    [numbers[last], numbers[other]] = [numbers[other] as number, numbers[last] as number];
  }
  return numbers;
}

const count = (number: number) => number.toLocaleString('en');
