// PostgreSQL: a server on the network, reached through a pool of connections.
import {
  CompiledQuery,
  type Dialect,
  Kysely,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  type PostgresPoolClient,
  PostgresQueryCompiler,
} from 'kysely';
import pg from 'pg';
import type { StoreAdapter } from '../engine/dialect.ts';
import { asReader, type Engine, type OpenOptions } from '../engine/engine.ts';
import { DatabaseTimeout, DatabaseUnreachable } from '../engine/failures.ts';
import { DirectReader } from '../engine/prepared.ts';
import { POSTGRES, WRITER_LOCK } from './dialect.ts';
import { queueFor } from './pool.ts';
import { rightsOf, whyNotWritable } from './rights.ts';
import { forTransaction, type RunQuery, type Settings, setUp, throughPooler } from './settings.ts';
import { describeUrl, dumpCommand, restoreCommand, schemaSetting, withUsualSsl } from './url.ts';

/** For users of a command, who would rather wait than see an error. */
const COMMAND_TIMEOUT_MS = 15_000;
const WRITER_LOCK_MS = 30_000;
/** Short, because a server that shuts down waits for its last records. */
const RECORDER_TIMEOUT_MS = 2_000;
/** Less than `deadlock_timeout`: in a deadlock, the server gives up before a command would have to. */
const RECORDER_LOCK_MS = 800;
const IDLE_CONNECTION_MS = 60_000;
/** Limits the named statements, because some texts are never repeated, such as those of `apply`. */
const STATEMENTS_MAX = 100;

const FAILED_TRANSACTION = '25P02';

export const postgres: Engine = {
  openReader: (url, { onQuery, connectionsMax = 1, patienceMs, connectMs }: OpenOptions) => {
    const connections = connect(url, {
      connectionsMax,
      settings: {
        default_transaction_read_only: 'on',
        ...(patienceMs !== undefined && { statement_timeout: patienceMs }),
      },
      connectMs: connectMs ?? patienceMs ?? COMMAND_TIMEOUT_MS,
      ...(patienceMs !== undefined && { queryMs: patienceMs }),
    });
    const { pool, lend, waitingCount } = connections;
    return asReader(
      new DirectReader({
        dialect: dialectFor(connections, SnapshotDriver),
        prepareStatement: (text) => async (values) => {
          const connection = await lend();
          try {
            return (await connection.query<unknown>(text, values)).rows;
          } finally {
            connection.release();
          }
        },
        close: () => pool.ending || pool.end(),
        viewPool: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: waitingCount() }),
        onQuery,
      }),
    );
  },
  openWriter: (url) => {
    const settings = { lock_timeout: WRITER_LOCK_MS };
    const connections = connect(url, { connectionsMax: 1, connectMs: COMMAND_TIMEOUT_MS, settings });
    return new Kysely({ dialect: dialectFor(connections, LockingDriver) });
  },
  openRecorder: (url, { isDurable } = { isDurable: false }) => {
    const settings = {
      statement_timeout: RECORDER_TIMEOUT_MS,
      lock_timeout: RECORDER_LOCK_MS,
      ...(!isDurable && { synchronous_commit: 'off' }),
    };
    const patience = { connectMs: RECORDER_TIMEOUT_MS, queryMs: RECORDER_TIMEOUT_MS };
    const connections = connect(url, { connectionsMax: 1, settings, ...patience });
    return new Kysely({ dialect: dialectFor(connections, PostgresDriver) });
  },
  openScratch: () => null,
  exists: () => true,
  describe: describeUrl,
  fileOf: () => null,
  isReadyToServe: async () => true,
  /** The server checks its own files. */
  checkIntegrity: async () => null,
  whyNotWritable,
  rightsOf,
  watch: null,
  ownTools: { backup: dumpCommand, restore: restoreCommand },
};

type PoolOptions = Readonly<{
  connectionsMax: number;
  connectMs: number;
  queryMs?: number;
  settings: Settings;
}>;

type Connections = Readonly<{
  pool: pg.Pool;
  /** A connection that runs named statements and classifies errors. */
  lend: () => Promise<PostgresPoolClient>;
  waitingCount: () => number;
}>;

function connect(url: string, { connectionsMax, connectMs, queryMs, ...options }: PoolOptions): Connections {
  const settings = { ...options.settings, ...schemaSetting(url) };
  const nameOf = statementNames();
  const runners = new WeakMap<object, RunQuery>();
  const pool = new pg.Pool({
    connectionString: withUsualSsl(url),
    max: connectionsMax,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    allowExitOnIdle: true,
    keepAlive: true,
    application_name: 'changelog',
    ...(queryMs !== undefined && { query_timeout: queryMs }),
    types: { getTypeParser },
    onConnect: async (client) => {
      // The pool listens for errors only while a connection is idle. One that breaks in use fails its query, and may
      // emit another error between two queries, which would end the process.
      client.on('error', () => {});
      const isDirect = await setUp(client, settings);
      runners.set(
        client,
        isDirect ? runNamed(client, nameOf) : throughPooler(client, forTransaction(settings)),
      );
    },
  });
  // The pool removes an idle connection that breaks; nothing else is needed.
  pool.on('error', () => {});
  const { take, release, waitingCount } = queueFor(pool);
  const lend = async (): Promise<PostgresPoolClient> => {
    const client = await take().catch(throwClassified);
    const run = runners.get(client) as RunQuery;
    let isBroken = false;
    // After an error, all further statements of a transaction fail because of it: report the original error.
    let firstFailure: unknown = null;
    const query = async (text: string, values: readonly unknown[]) => {
      try {
        return await run(text, values);
      } catch (error) {
        isBroken ||= !isHarmless(error);
        if ((error as { code?: string }).code !== FAILED_TRANSACTION) firstFailure = error;
        return throwClassified(firstFailure ?? error);
      }
    };
    return {
      query: query as unknown as PostgresPoolClient['query'],
      release: (discard = false) => release(client, isBroken || discard),
    };
  };
  return { pool, lend, waitingCount };
}

/** With a callback, the driver makes no promise of its own: it would take longer than all the rest. */
function runNamed(client: pg.ClientBase, nameOf: (text: string) => string | undefined): RunQuery {
  return (text, values) =>
    new Promise((resolve, reject) => {
      const statement = { name: nameOf(text), text, values: values as unknown[] };
      client.query(statement, (error, result) => (error ? reject(error) : resolve(result)));
    });
}

/** Errors of the server have their own class; all others are about reaching it. */
function throwClassified(error: unknown): never {
  if (error instanceof pg.DatabaseError) throw error;
  const { message, code } = error as NodeJS.ErrnoException;
  const Failure = /timeout/i.test(message) ? DatabaseTimeout : DatabaseUnreachable;
  throw new Failure(message || code || 'the database does not respond', { cause: error });
}

/** The server ends the connection, or refuses a statement that it has parsed there, now and from then on. */
const SPOILS_CONNECTION = /^(?:57P|0A000|26000)/;

/** True if the connection can be used further. */
function isHarmless(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !SPOILS_CONNECTION.test(error.code ?? '');
}

/** A named statement is parsed once per connection. There are few, because values are always parameters. */
function statementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  return (text) => {
    const name = names.get(text);
    if (
      name !== undefined ||
      names.size >= STATEMENTS_MAX ||
      !/^(select|with|insert|update|delete) /.test(text)
    )
      return name;
    names.set(text, `changelog-${names.size}`);
    return names.get(text);
  };
}

const BIGINT = 20;

/** All 8-byte integers here are counters, far below the limit of JavaScript's numbers. */
const getTypeParser: typeof pg.types.getTypeParser = ((oid: number, format?: 'text' | 'binary') =>
  oid === BIGINT ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser;

function dialectFor({ pool, lend }: Connections, Driver: typeof PostgresDriver): Dialect {
  return {
    createAdapter: (): StoreAdapter => Object.assign(new PostgresAdapter(), { dialect: POSTGRES }),
    createDriver: () => new Driver({ pool: { options: {}, connect: lend, end: () => pool.end() } }),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

type Begin = Parameters<PostgresDriver['beginTransaction']>;
type Rollback = Parameters<PostgresDriver['rollbackTransaction']>;

/** All queries of a transaction read the same state. */
class SnapshotDriver extends PostgresDriver {
  override async beginTransaction(...[connection, settings]: Begin): Promise<void> {
    await super.beginTransaction(connection, { ...settings, isolationLevel: 'repeatable read' });
  }
}

/** One writer at a time, including migrations, as on SQLite: what a writer has read does not change under it. */
class LockingDriver extends PostgresDriver {
  override async beginTransaction(...[connection, settings]: Begin): Promise<void> {
    await super.beginTransaction(connection, settings);
    await connection.executeQuery(CompiledQuery.raw(`select pg_advisory_xact_lock(${WRITER_LOCK})`));
  }

  /** The error that ended the transaction is the one to report. A connection that cannot roll back is closed. */
  override async rollbackTransaction(...[connection]: Rollback): Promise<void> {
    await super.rollbackTransaction(connection).catch(() => {});
  }
}
