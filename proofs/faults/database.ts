// R30: nodes under load while their database restarts, is down, hangs, is cut off, or drops their connections.
import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Node } from '../../cluster/nodes.ts';
import { type PostgresServer, startPostgres } from '../../cluster/postgres.ts';
import { ACME, seedWorld } from '../../support/content/world.ts';
import type { Scope } from '../../support/processes/scope.ts';
import { apply } from '../../support/program/command.ts';
import { databaseUrls, provideDatabase, psql, startNodes } from '../../support/program/nodes.ts';
import { describeStatuses, describeTimes } from '../figures.ts';
import { KINDS, type Sample, startTraffic, type Traffic } from './traffic.ts';
import { startWire, type Wire } from './wire.ts';

export type Setup = Readonly<{
  server: PostgresServer;
  /** Connect to the server directly. */
  nodes: readonly Node[];
  /** Connects to it through the wire. */
  distant: Node;
  wire: Wire;
  /** Queries as a superuser. */
  query: <T>(sql: string) => Promise<T[]>;
  load: (nodes: readonly Node[]) => Traffic;
  nextNew: () => string;
}>;

/** Something that happens to the database; resolves when it is over. */
export type Fault = Readonly<{ name: string; happen: (setup: Setup) => Promise<void> }>;

export type Outcome = Readonly<{
  fault: string;
  /** Requests sent from the start of the fault until every request succeeds again. */
  samples: readonly Sample[];
  /** From the database's return until every kind of request succeeds on every node. */
  recoveryMs: number;
  /** Connections to the database during the recovery: the maximum, and the maximum allowed. */
  connections: Readonly<{ most: number; allowed: number }>;
}>;

const RECOVERY_MS_MAX = 2_000;
const REQUEST_MS_MAX = 2_000;
const KEYED_FAILURE_MS_MAX = 1_000;
/** A pool of 10, one connection that polls for writes, and one that records key usage. */
const CONNECTIONS_MAX = 12;

/** `newVersions` must be enough to request each only once: a missing one counts as a failure. */
export async function setUp(scope: Scope, nodeCount: number, newVersions: number): Promise<Setup> {
  const server = await startPostgres(scope);
  const sandbox = await provideDatabase(scope, server);
  const { full } = await seedWorld(sandbox);
  await apply(sandbox, { team: ACME.team, products: [STOCK] });
  await psql(server, fillStock(newVersions));
  const wire = await startWire(scope, server.port);
  const urls = databaseUrls(server);
  const around = urls.map((url) => url.replace(`:${server.port}/`, `:${wire.port}/`));
  const nodes = await startNodes(scope, urls, nodeCount);
  const [distant] = (await startNodes(scope, around, 1)) as [Node];
  let asked = 0;
  const nextNew = () => `${STOCK_FEED}/versions/ver_stock-${++asked}`;
  return {
    server,
    nodes,
    distant,
    wire,
    query: (sql) => queryServer(server, sql),
    load: (loaded) => {
      const traffic = startTraffic(
        loaded.map(({ address }) => address),
        full,
        nextNew,
      );
      scope.after(traffic.stop);
      return traffic;
    },
    nextNew,
  };
}

const STOCK_FEED = '/api/v1/public/teams/acme/products/stock/changelog';
const STOCK = {
  slug: 'stock',
  name: 'Stock',
  status: 'published',
  changelog: { id: 'cl_stock', status: 'published' },
};
const fillStock = (
  count: number,
) => `insert into versions (id, changelog_id, label, title, status, published_at, yanked, created_order)
  select 'ver_stock-' || n, 'cl_stock', '1.' || n, 'Number ' || n, 'published', '2026-01-01T00:00:00.000Z', 0, n
  from generate_series(1, ${count}) n`;

export const restart = (mode: 'fast' | 'immediate'): Fault => ({
  name: `restarts (${mode})`,
  happen: async ({ server }) => {
    await server.stop(mode);
    await server.start();
  },
});

export const shutDown = (ms: number): Fault => ({
  name: `is down for ${ms / 1000} s`,
  happen: async ({ server }) => {
    await server.stop();
    await delay(ms);
    await server.start();
  },
});

export const hang = (ms: number): Fault => ({
  name: `hangs for ${ms / 1000} s`,
  happen: async ({ server }) => {
    server.hang();
    await delay(ms);
    server.resume();
  },
});

export const cutOff = (ms: number): Fault => ({
  name: `is cut off for ${ms / 1000} s`,
  happen: async ({ wire }) => {
    wire.cut();
    await delay(ms);
    wire.mend();
  },
});

/** Terminates every connection, one after the other. */
export const dropConnections: Fault = {
  name: 'drops the connections of the nodes',
  happen: async ({ query }) => {
    for (const { pid } of await query<{ pid: number }>(`select pid ${CONNECTIONS}`)) {
      await query(`select pg_terminate_backend(${pid})`);
      await delay(20);
    }
  },
};

const CONNECTIONS = `from pg_stat_activity where application_name = 'changelog' and datname = 'changelog'`;

export async function runFault(setup: Setup, traffic: Traffic, fault: Fault): Promise<Outcome> {
  const beganAt = await traffic.untilServed(performance.now());
  await fault.happen(setup);
  const returnedAt = performance.now();
  let servedAt = Number.NaN;
  const served = traffic.untilServed(returnedAt).then((at) => {
    servedAt = at;
  });
  const [most] = await Promise.all([countConnections(setup, served), served]);
  return {
    fault: fault.name,
    samples: traffic.samples.filter(({ startedAt, endedAt }) => endedAt >= beganAt && startedAt <= servedAt),
    recoveryMs: servedAt - returnedAt,
    connections: { most, allowed: (setup.nodes.length + 1) * CONNECTIONS_MAX },
  };
}

/** The maximum number of connections until `end`. */
async function countConnections({ query }: Setup, end: Promise<void>): Promise<number> {
  let isOver = false;
  const over = end.finally(() => {
    isOver = true;
  });
  let most = 0;
  while (!isOver) {
    const [row] = await query<{ count: number }>(`select count(*)::integer ${CONNECTIONS}`);
    most = Math.max(most, row?.count ?? 0);
    await Promise.race([over, delay(50)]);
  }
  return most;
}

/** On a new connection, because an earlier one may have been closed with the server. */
async function queryServer<T>(server: PostgresServer, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: server.url() });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Asserts what R30 promises for every fault. `limit` may extend the times for a machine that does other work too. */
export function assertSurvived(
  { fault, samples, recoveryMs, connections }: Outcome,
  limit = (ms: number) => ms,
): void {
  for (const sample of samples) {
    const what = `${fault}: ${sample.kind} was ${sample.status} after ${Math.round(sample.ms)} ms`;
    assert.equal(sample.failure, null, what);
    assert.ok(sample.ms <= limit(REQUEST_MS_MAX), what);
    if (sample.kind === 'cached' || sample.kind === 'page') assert.equal(sample.status, 200, what);
    if (sample.kind === 'keyed' && sample.status === 503)
      assert.ok(sample.ms <= limit(KEYED_FAILURE_MS_MAX), what);
  }
  assert.ok(recoveryMs <= limit(RECOVERY_MS_MAX), `${fault}: recovered after ${recoveryMs} ms`);
  assert.ok(connections.most <= connections.allowed, `${fault}: ${connections.most} connections`);
}

export function describeOutcome({ fault, samples, recoveryMs, connections }: Outcome): string {
  const { most, allowed } = connections;
  const head = `${fault}: recovered after ${Math.round(recoveryMs)} ms, with ${most} of ${allowed} connections`;
  const lines = KINDS.map((kind) => {
    const own = samples.filter((sample) => sample.kind === kind);
    return `  ${kind.padEnd(8)} ${describeStatuses(own).padEnd(24)} ${describeTimes(own)}`;
  });
  return [head, ...lines].join('\n');
}
