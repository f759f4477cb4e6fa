// The price of one limit for several processes: cached reads with workers and with Redis, compared with one process
// that counts by itself, by the processor time of all processes together.
import { childrenOf } from '../../cluster/daemon.ts';
import { type RedisServer, startRedis } from '../../cluster/redis.ts';
import type { Scope } from '../../cluster/scope.ts';
import type { Environment } from '../../src/config.ts';
import { feedPath } from '../data/datasets.ts';
import type { Goal } from '../report/results.ts';
import type { Subject } from '../rounds/rounds.ts';
import { type RequestSpec, subjectsFor } from '../rounds/subjects.ts';
import { requestOnce } from '../servers/responses.ts';
import { type Server, startBare, startOurs } from '../servers/servers.ts';

const GROUP = 'Workers and Redis';
const FEED = feedPath('hot', 1);
const ASKED = { group: GROUP, target: { path: FEED }, example: FEED, status: 200 };
/** It names the clients as a proxy does. */
const LOAD_GENERATOR = '127.0.0.0/8';
const MANY_CLIENTS = 10_000;
/** In one run, a client sends fewer than 20 requests, so that it stays below this. */
const DEFAULT_LIMIT = '60';

/** Handing out the connections of a run to workers is not the price of counting. */
const RUN_MS_MIN = 4_000;

type Clients = 'one' | 'many';
type Setup = Readonly<{ id: string; name: string; server: Server; warmUps?: number; alsoPids?: number[] }>;

const CLIENTS: Record<Clients, { name: string; clients?: number }> = {
  one: { name: 'one client' },
  many: { name: `10,000 clients, limit of ${DEFAULT_LIMIT}`, clients: MANY_CLIENTS },
};
const GOALS: Record<string, Record<Clients, Goal>> = {
  'workers-2': { one: { atMost: 1.1 }, many: { atMost: 1.1 } },
  'workers-4': { one: { atMost: 1.25 }, many: { atMost: 1.25 } },
  redis: { one: { atMost: 1.1 }, many: { atMost: 1.1 } },
};

export async function prepareWorkers(scope: Scope, databaseUrl: string): Promise<Subject[]> {
  const redis = await startRedis(scope);
  const environment = { DATABASE_URL: databaseUrl, OPS_PORT: '0', TRUSTED_PROXIES: LOAD_GENERATOR };
  const unlimited = await startSetups(scope, redis, `${redis.url}/0`, environment);
  const limits = { ...environment, PUBLIC_RATE_LIMIT: DEFAULT_LIMIT };
  const limited = await startSetups(scope, redis, `${redis.url}/1`, limits);
  const response = await requestOnce((unlimited[0] as Setup).server.address + FEED);
  const bare = {
    ...ASKED,
    id: 'bare-all',
    name: 'bare node:http, same response',
    server: await startBare(scope, response, 'all'),
    body: response.body,
  };
  return await subjectsFor([
    bare,
    ...unlimited.map((setup) => read(setup, 'one')),
    ...limited.map((setup) => read(setup, 'many')),
  ]);
}

/** Server and load have all cores, since several processes need them. */
async function startSetups(
  scope: Scope,
  redis: RedisServer,
  redisUrl: string,
  environment: Environment,
): Promise<Setup[]> {
  const withWorkers = async (workers: number): Promise<Setup> => {
    const server = await startOurs(scope, { ...environment, WORKERS: String(workers) }, 'all');
    const found = childrenOf(server.pid).length;
    if (workers > 1 && found !== workers) throw new Error(`${found} workers instead of ${workers}`);
    const name = workers === 1 ? '1 worker' : `${workers} workers`;
    return { id: `workers-${workers}`, name, server, warmUps: workers };
  };
  return [
    ...(await Promise.all([1, 2, 4].map(withWorkers))),
    {
      id: 'redis',
      name: '1 worker, Redis',
      server: await startOurs(scope, { ...environment, REDIS_URL: redisUrl }, 'all'),
      alsoPids: [redis.pid()],
    },
  ];
}

function read({ id, name, ...setup }: Setup, of: Clients): RequestSpec {
  const { name: clientsName, ...clients } = CLIENTS[of];
  const goal = GOALS[id]?.[of];
  return {
    ...ASKED,
    ...setup,
    millisecondsMin: RUN_MS_MIN,
    id: `${id}-${of}`,
    name: `${name}, ${clientsName}`,
    target: { path: FEED, ...clients },
    isCost: true,
    comparedWith: id === 'workers-1' ? 'bare-all' : `workers-1-${of}`,
    ...(goal !== undefined && { goal }),
  };
}
