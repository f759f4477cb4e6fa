// `npm run bench load`: the capacity of one process, as processor time per request (docs/scaling.md).
import { cpus } from 'node:os';
import { type PostgresServer, startPostgres } from '../cluster/postgres.ts';
import { type RedisServer, startRedis } from '../cluster/redis.ts';
import { openScope, type Scope, temporaryFolder } from '../cluster/scope.ts';
import type { Environment } from '../src/config.ts';
import { sendRequests } from '../support/http/busy-clients.ts';
import { cpuMs, memoryMb } from '../support/processes/usage.ts';
import { apply, createKey, type Sandbox } from '../support/program/command.ts';
import { spawnServer } from '../support/program/process.ts';

const CONNECTIONS = 16;
/** Each connection has its own products, so that no two request the same one concurrently. */
const PRODUCTS_EACH = 4;
const VERSIONS = 20;
const CHANGES = 5;

type Case = Readonly<{ what: string; surface: 'public' | 'team'; environment?: Environment }>;

const CASES: readonly Case[] = [
  { what: 'public, cached', surface: 'public' },
  { what: 'public, not cached', surface: 'public', environment: { CACHE_MAX_MB: '0' } },
  { what: 'with a key', surface: 'team' },
];

/** Prints the table of docs/scaling.md. */
export async function printLoad(responses = 20_000): Promise<void> {
  const scope = openScope();
  try {
    const postgres = await startPostgres(scope);
    const redis = await startRedis(scope);
    const targets = await seed(scope, postgres, redis);
    const machine = `${cpus().length} cores (${cpus()[0]?.model}), Node.js ${process.versions.node}`;
    const bytes = await responseBytes(targets[0] as LoadTarget);
    console.log(`${machine}, ${CONNECTIONS} connections, responses of ${bytes} bytes\n`);
    console.log(
      '| Node on | Requests | Node | Server | Capacity of one core | Measured | p50 | p99 | Memory |',
    );
    console.log('|---|---|---|---|---|---|---|---|---|');
    for (const target of targets)
      for (const some of target.cases) console.log(await measure(target, some, responses));
  } finally {
    await scope.close();
  }
}

type LoadTarget = Readonly<{
  name: string;
  sandbox: Sandbox;
  key: string;
  serverPid: number | null;
  cases: readonly Case[];
}>;

async function seed(scope: Scope, postgres: PostgresServer, redis: RedisServer): Promise<LoadTarget[]> {
  const onSqlite = { folder: temporaryFolder(scope) };
  const onPostgres = { folder: temporaryFolder(scope), environment: { DATABASE_URL: postgres.url() } };
  const withRedis = { ...onPostgres, environment: { ...onPostgres.environment, REDIS_URL: redis.url } };
  const key = await fill(onPostgres);
  return [
    { name: 'SQLite', sandbox: onSqlite, key: await fill(onSqlite), serverPid: null, cases: CASES },
    { name: 'PostgreSQL', sandbox: onPostgres, key, serverPid: postgres.pid(), cases: CASES },
    {
      name: 'PostgreSQL, Redis',
      sandbox: withRedis,
      key,
      serverPid: redis.pid(),
      cases: CASES.slice(0, 1),
    },
  ];
}

async function fill(sandbox: Sandbox): Promise<string> {
  await apply(sandbox, {
    team: { slug: 'acme', name: 'Acme', visibility: 'public', plan: 'paid' },
    products: numbers(CONNECTIONS * PRODUCTS_EACH).map((product) => ({
      slug: `product-${product}`,
      name: `Product ${product}`,
      status: 'published',
      changelog: { status: 'published', versions: numbers(VERSIONS).map(version) },
    })),
  });
  return (await createKey(sandbox, 'acme', '--kind', 'FULL')).key;
}

function version(number: number) {
  return {
    version: `1.${number}.0`,
    title: `What is new in 1.${number}`,
    status: 'published',
    publishedAt: new Date(Date.UTC(2026, 0, 1 + number)).toISOString(),
    changes: numbers(CHANGES).map((change) => ({ type: 'added', text: `Change ${change} of 1.${number}.` })),
  };
}

async function measure(
  target: LoadTarget,
  { what, surface, environment }: Case,
  responses: number,
): Promise<string> {
  const inner = openScope();
  try {
    const node = await startServer(inner, target, environment);
    const options = {
      port: node.port,
      paths: numbers(CONNECTIONS).map((connection) =>
        numbers(PRODUCTS_EACH).map((turn) => feed(surface, connection * PRODUCTS_EACH + turn)),
      ),
      ...(surface === 'team' && { headers: { authorization: `Bearer ${target.key}` } }),
    };
    // A first run warms up the server.
    await sendRequests({ ...options, responses });
    const used = () => [cpuMs(node.pid), target.serverPid === null ? 0 : cpuMs(target.serverPid)] as const;
    const [nodeBefore, serverBefore] = used();
    const result = await sendRequests({ ...options, responses });
    const [nodeAfter, serverAfter] = used();
    const nodeMicros = ((nodeAfter - nodeBefore) * 1_000) / result.responses;
    const serverMicros = ((serverAfter - serverBefore) * 1_000) / result.responses;
    const times = result.timesMs.toSorted((a, b) => a - b);
    const share = (part: number) => `${(times[Math.floor(times.length * part)] ?? 0).toFixed(1)} ms`;
    return `| ${[
      target.name,
      what,
      `${nodeMicros.toFixed(0)} µs`,
      target.serverPid === null ? '–' : `${serverMicros.toFixed(0)} µs`,
      `${perSecond(1_000_000 / nodeMicros)}/s`,
      `${perSecond(result.responses / result.seconds)}/s`,
      share(0.5),
      share(0.99),
      `${memoryMb(node.pid).toFixed(0)} MB`,
    ].join(' | ')} |`;
  } finally {
    await inner.close();
  }
}

async function responseBytes(target: LoadTarget): Promise<number> {
  const inner = openScope();
  try {
    const { address } = await startServer(inner, target);
    return (await (await fetch(address + feed('public', 0))).arrayBuffer()).byteLength;
  } finally {
    await inner.close();
  }
}

/** Two digits: more would be false precision. */
function perSecond(count: number): string {
  return Number(count.toPrecision(2)).toLocaleString('en');
}

async function startServer(inner: Scope, { sandbox }: LoadTarget, environment: Environment = {}) {
  return await spawnServer(inner, sandbox, { PUBLIC_RATE_LIMIT: '1000000000', ...environment });
}

function feed(surface: Case['surface'], product: number): string {
  const prefix = surface === 'public' ? '/api/v1/public' : '/api/v1';
  return `${prefix}/teams/acme/products/product-${product}/changelog`;
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
