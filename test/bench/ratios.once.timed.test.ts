// What must not regress, as ratios of processor time with a margin for noise: a short form of `npm run bench`, without
// nginx and PostgreSQL. Wall-clock times would depend on other load of the machine.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { before, describe, it } from 'node:test';
import { type Block, feedPath, fillStatements, HOT, TEAM, versionPath } from '../../bench/data/datasets.ts';
import { addKeys, makeSqlite } from '../../bench/data/sqlite-data.ts';
import { cachedPages } from '../../bench/measures/pages.ts';
import { measureNotes, timeStart } from '../../bench/measures/process.ts';
import { UNCACHED, writePaths } from '../../bench/measures/uncached.ts';
import { median } from '../../bench/report/statistics.ts';
import { measureInRounds } from '../../bench/rounds/rounds.ts';
import { type RequestSpec, subjectsFor } from '../../bench/rounds/subjects.ts';
import { requestOnce } from '../../bench/servers/responses.ts';
import { startBare, startOurs } from '../../bench/servers/servers.ts';
import { ensureBundle } from '../../cluster/bundle.ts';
import { ensureServers } from '../../cluster/debian.ts';
import { startRedis } from '../../cluster/redis.ts';
import { stretched } from '../../support/processes/busy.ts';
import { sharedScope } from '../../support/processes/scope.ts';

type Promised = Readonly<{ what: string; id: string; to: string; goal: number; limit: number }>;

/** Requests of `id` per second of processor time, compared with `to`: fails below the limit. */
const AT_LEAST: readonly Promised[] = [
  { what: 'a cached public 200, of bare node:http', id: '200', to: 'bare', goal: 0.9, limit: 0.65 },
  { what: 'an authenticated 200, of a public one', id: 'key', to: '200', goal: 0.92, limit: 0.8 },
  { what: 'a 304, of a 200', id: '304', to: '200', goal: 1, limit: 0.8 },
  { what: 'a 404, of a 200', id: '404', to: '200', goal: 1, limit: 0.8 },
  { what: 'a 429, of a 200', id: '429', to: '200', goal: 1, limit: 0.8 },
  { what: 'a cached page, of cached JSON of its size', id: 'page', to: 'json', goal: 0.9, limit: 0.8 },
  { what: 'a feed that is not cached, of a cached one', id: 'feed', to: '200', goal: 0.3, limit: 0.18 },
  {
    what: 'a version that is not cached, of a cached feed',
    id: 'version',
    to: '200',
    goal: 0.2,
    limit: 0.1,
  },
  { what: 'ever new missing products, of a cached feed', id: 'missing', to: '200', goal: 0.75, limit: 0.45 },
];
/** Processor time of a request of `id` in all processes, compared with `to`: fails above the limit. */
const AT_MOST: readonly Promised[] = [
  // With a message for each request, these are above 2.1; runs are short, so a part is handing out connections.
  { what: '2 workers, one client', id: 'two', to: '200', goal: 1.1, limit: 1.5 },
  { what: '2 workers, 1,000 clients', id: 'two-many', to: 'many', goal: 1.1, limit: 1.5 },
  { what: 'Redis, one client', id: 'redis', to: '200', goal: 1.1, limit: 1.5 },
  { what: 'Redis, 1,000 clients', id: 'redis-many', to: 'many', goal: 1.1, limit: 1.5 },
];
/** Processor time until the first response, compared with `node -e 0`; and memory then. */
const START_MAX = 9;
const IDLE_MB_MAX = 95;
/** Processor time of `notes` with 100 KB, compared with `node -e 0`. The goal is 250 ms where that takes 29. */
const NOTES_MAX = 10;

/** Longer on a busy machine, so that a server gets as much processor time: at first it also compiles and connects. */
const pace = (isFirst: boolean) => ({
  rounds: ROUNDS,
  milliseconds: stretched(150),
  leadMilliseconds: stretched(80),
  warmUpMilliseconds: isFirst ? stretched(700) : 0,
});
const ROUNDS = 3;
/** Other load may spoil a few rounds, so a limit must be missed in this many. A regression is in all of them. */
const ROUNDS_MAX = 12;
const STARTS = 3;
const STARTS_MAX = 30;
const CONNECTIONS = 32;
/** Fewer for slow reads: requests that are unfinished at the end of a run take processor time but are not counted. */
const CONNECTIONS_UNCACHED = 8;

/** Fewer than in the benchmark: in a short run, many would send little more than their first requests. */
const MANY_CLIENTS = 1_000;

const FEED = feedPath('hot', 1);
const TEAM_FEED = feedPath('hot', 1, '');
const PRODUCTS = `/api/v1/public/teams/${TEAM}/products/`;
const MISSING = `${PRODUCTS}none/changelog`;
const [{ products, versions }] = HOT as [Block];

describe('the processor time of requests', () => {
  const scope = sharedScope();
  const cpuMicros = new Map<string, number[]>();

  before(async () => {
    await ensureServers(['wrk', 'redis']);
    await ensureBundle();
    const subjects = await subjectsFor(await prepare());
    for (let round = 0; round < ROUNDS_MAX; round += ROUNDS) {
      for (const { id, cpuMicros: times = [] } of await measureInRounds(subjects, pace(round === 0)))
        cpuMicros.set(id, [...(cpuMicros.get(id) ?? []), ...times]);
      if (AT_LEAST.every(isKept) && AT_MOST.every(isAffordable)) break;
    }
  });

  async function prepare(): Promise<RequestSpec[]> {
    const file = await makeSqlite(scope, fillStatements(HOT));
    const keys = addKeys(file, 'hot-1');
    const redis = await startRedis(scope);
    // All cores for each, since workers need them.
    const start = (environment = {}) =>
      startOurs(
        scope,
        { DATABASE_URL: `sqlite:${file}`, OPS_PORT: '0', TRUSTED_PROXIES: '127.0.0.0/8', ...environment },
        'all',
      );
    const ours = await start();
    const [limited, two, withRedis, uncached] = await Promise.all([
      start({ PUBLIC_RATE_LIMIT: '1', PUBLIC_RATE_WINDOW_SECONDS: '86400' }),
      start({ WORKERS: '2' }),
      start({ REDIS_URL: redis.url }),
      start(UNCACHED),
    ]);
    await requestOnce(limited.address + FEED);
    const response = await requestOnce(ours.address + FEED);
    const bare = await startBare(scope, response, 'all');
    const feed = {
      group: '',
      server: ours,
      target: { path: FEED },
      example: FEED,
      status: 200,
      connections: CONNECTIONS,
    };
    const many = { target: { path: FEED, clients: MANY_CLIENTS } };
    const onTwo = { server: two, warmUps: 2 };
    const onRedis = { server: withRedis, alsoPids: [redis.pid()] };
    const slow = { server: uncached, connections: CONNECTIONS_UNCACHED, warmUps: 3 };
    const feeds = writePaths(scope, products, (index) => feedPath('hot', index + 1));
    const ones = writePaths(scope, products * versions, (index) =>
      versionPath(HOT[0] as Block, 1 + (index % products), 1 + Math.floor(index / products)),
    );
    const specs: Omit<RequestSpec, 'name'>[] = [
      { ...feed, id: 'bare', server: bare, body: response.body },
      // Its server is warmed up for many requests, which share the time.
      { ...feed, id: '200', body: response.body, warmUps: 8 },
      { ...feed, id: '304', headers: { 'if-none-match': response.header('etag') ?? '' }, status: 304 },
      { ...feed, id: '404', target: { path: MISSING }, example: MISSING, status: 404 },
      { ...feed, id: '429', server: limited, status: 429 },
      {
        ...feed,
        id: 'key',
        target: { path: TEAM_FEED },
        example: TEAM_FEED,
        headers: { authorization: `Bearer ${keys.full}` },
      },
      { ...feed, ...slow, id: 'feed', target: { pathsFile: feeds } },
      {
        ...feed,
        ...slow,
        id: 'version',
        target: { pathsFile: ones },
        example: versionPath(HOT[0] as Block, 1, 1),
      },
      {
        ...feed,
        id: 'missing',
        target: { before: PRODUCTS, after: '/changelog' },
        example: MISSING,
        status: 404,
      },
      { ...feed, ...many, id: 'many' },
      { ...feed, ...onTwo, id: 'two' },
      { ...feed, ...onTwo, ...many, id: 'two-many' },
      { ...feed, ...onRedis, id: 'redis' },
      { ...feed, ...onRedis, ...many, id: 'redis-many' },
      ...(await cachedPages(ours, '')).map((page) => ({ ...page, connections: CONNECTIONS })),
    ];
    return specs.map((spec) => ({ ...spec, name: spec.id }));
  }

  /** Other load of the machine may spoil the best round or the median, but seldom both; a regression is in both. */
  function costsOf(id: string, to: string): number[] {
    const [times, compared] = [id, to].map((each) => cpuMicros.get(each) ?? []) as [number[], number[]];
    return [median(times) / median(compared), Math.min(...times) / Math.min(...compared)];
  }
  const costOf = ({ id, to }: Promised) => Math.min(...costsOf(id, to));
  const isKept = (promised: Promised) => 1 / costOf(promised) >= promised.limit;
  const isAffordable = (promised: Promised) => costOf(promised) <= promised.limit;

  for (const promised of AT_LEAST) {
    it(`${promised.what}: the goal is ${promised.goal}, and never less than ${promised.limit}`, (t) => {
      t.diagnostic(`${promised.id}: ${(1 / costOf(promised)).toFixed(2)}`);
      assert.ok(isKept(promised), `it is ${1 / costOf(promised)}`);
    });
  }

  for (const promised of AT_MOST) {
    it(`${promised.what}: the goal is ${promised.goal}, and never more than ${promised.limit}`, (t) => {
      t.diagnostic(`${promised.id}: ${costOf(promised).toFixed(2)}`);
      assert.ok(isAffordable(promised), `it is ${costOf(promised)}`);
    });
  }

  it(`a start takes at most ${START_MAX} times the processor time of node -e 0, and ${IDLE_MB_MAX} MB`, async (t) => {
    const databaseUrl = `sqlite:${await makeSqlite(scope, fillStatements(HOT))}`;
    // The first start compiles the bundle.
    await timeStart(process.execPath, databaseUrl);
    const ratios: number[] = [];
    const memory: number[] = [];
    const isQuick = () => Math.min(...ratios) <= START_MAX;
    while (ratios.length < STARTS || (ratios.length < STARTS_MAX && !isQuick())) {
      const { cpuMs, memoryMb } = await timeStart(process.execPath, databaseUrl);
      ratios.push(cpuMs / bareStartCpuMs());
      memory.push(memoryMb);
    }
    t.diagnostic(`start: ${median(ratios).toFixed(1)}, ${median(memory).toFixed(0)} MB`);
    assert.ok(isQuick(), `${ratios}`);
    assert.ok(median(memory) <= IDLE_MB_MAX, `${memory}`);
  });

  it(`notes of 100 KB takes at most ${NOTES_MAX} times the processor time of node -e 0`, (t) => {
    const ratios: number[] = [];
    const isQuick = () => Math.min(...ratios) <= NOTES_MAX;
    while (ratios.length < STARTS || (ratios.length < STARTS_MAX && !isQuick()))
      ratios.push(median(measureNotes(scope, 1).values) / bareStartCpuMs());
    t.diagnostic(`notes: ${median(ratios).toFixed(1)}`);
    assert.ok(isQuick(), `${ratios}`);
  });
});

/** Of Node.js without a program, until it has run its first line. */
function bareStartCpuMs(): number {
  const script = 'const { user, system } = process.cpuUsage(); console.log((user + system) / 1000)';
  return Number(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }));
}
