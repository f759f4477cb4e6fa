// Compares every kind of hidden content with a nonexistent twin: over HTTP, as an attacker would measure it, and in the
// store only, without other influences.
import { readConfig } from '../../src/config.ts';
import { buildApp } from '../../src/http/app.ts';
import { openCounters } from '../../src/http/guards/counters/exchange.ts';
import { createLog } from '../../src/http/telemetry/log.ts';
import { listen } from '../../src/serve/listen.ts';
import { engineOf } from '../../src/store/engine/open.ts';
import { openSource } from '../../src/store/source/open.ts';
import { openRemoteSource } from '../../src/store/source/remote.ts';
import type { Source } from '../../src/store/source/source.ts';
import { databaseUrl, ENGINE, environmentOf, openSession } from '../../support/databases/engine.ts';
import { openReader } from '../../support/databases/open.ts';
import type { Scope } from '../../support/processes/scope.ts';
import type { Sandbox } from '../../support/program/command.ts';
import { spawnServer } from '../../support/program/process.ts';
import type { TimingClass } from './classes.ts';
import { type Connection, connect, sample, timed, writeRequest } from './sample.ts';
import { type Comparison, compare } from './welch.ts';
import { PLANTED } from './world.ts';

/** Neither responses nor 404s are cached, so that every request is like the first one for its name. */
const UNCACHED = {
  CACHE_MAX_MB: '0',
  PUBLIC_RATE_LIMIT: '1000000000',
  LOG_LEVEL: 'silent',
  KEY_USAGE: 'off',
  AUTO_MIGRATE: 'false',
};
/** More often than in production, because each sample waits for a poll. */
const LOOK_EVERY_MS = 2;

export type Compare = (subject: TimingClass, samples: number) => Promise<Comparison>;

/** Sends requests to a server in a separate process. */
export async function openHttp(scope: Scope, sandbox: Sandbox): Promise<Compare> {
  const { port } = await spawnServer(scope, sandbox, UNCACHED);
  const connection = await connect(port);
  scope.after(connection.close);
  return async ({ names, request, status }, samples) => {
    const requests = names.map((some) => some.map(request));
    const times = await sample(samples, (kind, turn) =>
      timeRequest(connection, pick(requests[kind] ?? [], turn), status),
    );
    return compare(...times);
  };
}

/** Runs the server's queries in this process. */
export async function openStore(scope: Scope, sandbox: Sandbox): Promise<Compare> {
  const db = await openReader(databaseUrl(sandbox));
  scope.after(() => db.destroy());
  return async ({ names, query }, samples) => {
    const times = await sample(samples, (kind, turn) => timed(() => query(db, pick(names[kind], turn))));
    return compare(...times);
  };
}

async function timeRequest(connection: Connection, request: Buffer, expected: number): Promise<number> {
  let status = 0;
  const time = await timed(async () => {
    status = await connection.send(request);
  });
  if (expected !== 0 && status !== expected) throw new Error(`status ${status} instead of ${expected}`);
  return time;
}

function pick<T>(items: readonly T[], turn: number): T {
  return items[turn % items.length] as T;
}

type Edits = Readonly<{
  name: string;
  /** The product whose cached response is requested after each edit. */
  product: string;
  /** The edited versions: one whose edits must not be noticeable, and one of a private team. */
  versions: readonly [string, string];
}>;

export const DRAFT_EDIT: Edits = {
  name: 'draft-edit',
  product: 'rocket',
  versions: ['ver_edited_1', 'ver_edited_2'],
};
/** The first version is public: its edits must be noticeable. */
export const PLANTED_EDIT: Edits = {
  name: 'planted-edit',
  product: PLANTED,
  versions: ['ver_planted_1', 'ver_edited_2'],
};

export async function compareEdits(
  scope: Scope,
  sandbox: Sandbox,
  { product, versions }: Edits,
  samples: number,
): Promise<Comparison> {
  const config = readConfig({ ...(await environmentOf(sandbox)), ...UNCACHED, CACHE_MAX_MB: '64' });
  const source = await openWatchfulSource(config.databaseUrls);
  const log = createLog(config.logLevel, { write: () => {} });
  const counters = await openCounters({ ...config, isWorker: false }, log);
  const app = buildApp({ config, source, log, counters });
  const address = await listen(app, { host: '127.0.0.1', port: 0 });
  const connection = await connect(Number(new URL(address).port));
  const session = await openSession(sandbox);
  scope.after(async () => {
    connection.close();
    app.server.close();
    counters.close();
    await Promise.all([source.close(), session.close()]);
  });
  const request = writeRequest(`/api/v1/public/teams/open/products/${product}/changelog`);
  const times = await sample(samples, async (kind, turn) => {
    const before = source.revision();
    await session.execute(
      `update versions set title = 'edited ${1_000_000 + turn}' where id = '${versions[kind]}'`,
    );
    // If requests do not check for commits themselves, measure one after the poll that has found this commit.
    while (ENGINE !== 'sqlite' && source.revision() === before)
      await new Promise((resolve) => setImmediate(resolve));
    return await timeRequest(connection, request, 200);
  });
  return compare(...times);
}

async function openWatchfulSource(urls: readonly [string, ...string[]]): Promise<Source> {
  if (ENGINE === 'sqlite') return await openSource(urls);
  return await openRemoteSource(await engineOf(urls[0]), urls, { pollEveryMs: LOOK_EVERY_MS });
}
