// PostgreSQL: a server on the network, reached through a pool of connections.
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  type PostgresPool,
  PostgresQueryCompiler,
  sql,
  type TransactionSettings,
} from 'kysely';
import pg from 'pg';
import type { SqlDialect, StoreAdapter } from '../engine/dialect.ts';
import { asReader, type Engine, type OpenOptions, type PoolView } from '../engine/engine.ts';
import { DatabaseTimeout, DatabaseUnreachable } from '../engine/failures.ts';
import { DirectReader } from '../engine/prepared.ts';
import { beginPostgresBulk } from './bulk.ts';
import { POSTGRES_CATALOGUE } from './catalogue.ts';
import { dumpCommand, restoreCommand } from './dump.ts';
import { connectionTaker } from './pool.ts';
import { rightsOf, whyNotWritable } from './rights.ts';
import { POSTGRES_SEARCH } from './search.ts';
import { forTransaction, READ_ONLY, type RunQuery, type Settings, setUp, throughPooler } from './settings.ts';
import { createRunner } from './statements.ts';
import { describeUrl, schemaSetting, withUsualSsl } from './url.ts';
import { POSTGRES_DUE, WRITER_LOCK } from './writer-lock.ts';

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
    const waitMsMax = connectMs ?? patienceMs ?? COMMAND_TIMEOUT_MS;
    const connections = connect(url, {
      connectionsMax,
      settings: { ...READ_ONLY, ...(patienceMs !== undefined && { statement_timeout: patienceMs }) },
      connectMs: waitMsMax,
      ...(patienceMs !== undefined && { queryMs: patienceMs }),
    });
    const { pool } = connections;
    const limits = { connectionsMax, waitMsMax };
    const runner = createRunner({
      ...connections,
      ...limits,
      parserOf: getTypeParser,
      isHarmless,
      classify,
    });
    const reader = asReader(
      new DirectReader({
        dialect: dialectFor(connections, SnapshotDriver),
        prepareStatement: runner.prepareStatement,
        close: () => pool.ending || pool.end(),
        onQuery,
      }),
    );
    views.set(reader, () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount + runner.waitingCount(),
    }));
    return reader;
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
  backup: (url) => ({ commandFor: (file) => dumpCommand(new URL(url), file) }),
  restore: (url) => ({ commandFor: (file) => restoreCommand(new URL(url), file) }),
  poolOf: (db) => views.get(db)?.() ?? null,
};

const views = new WeakMap<object, () => PoolView>();

type PoolOptions = Readonly<{
  connectionsMax: number;
  connectMs: number;
  queryMs?: number;
  settings: Settings;
}>;

type Connections = Readonly<{
  pool: pg.Pool;
  take: () => Promise<pg.PoolClient>;
  /** The name of a statement, the same on all connections. */
  nameOf: (text: string) => string | undefined;
  /** On a connection to a pooler, what every transaction has to run first. There, statements have no names. */
  preludeOf: (client: object) => string | undefined;
}>;

function connect(url: string, { connectionsMax, connectMs, queryMs, ...options }: PoolOptions): Connections {
  const settings = { ...options.settings, ...schemaSetting(url) };
  const preludes = new WeakMap<object, string>();
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
      if (!(await setUp(client, settings))) preludes.set(client, forTransaction(settings));
    },
  });
  // The pool removes an idle connection that breaks; nothing else is needed.
  pool.on('error', () => {});
  const take = connectionTaker<pg.PoolClient>(pool);
  return { pool, take, nameOf: statementNames(), preludeOf: (client) => preludes.get(client) };
}

/** A pool for Kysely, with named statements and classified errors. */
function asPool({ pool, take, nameOf, preludeOf }: Connections): PostgresPool {
  return {
    options: {},
    Client: pg.Client,
    end: () => pool.end(),
    connect: async () => {
      const client = await take().catch(throwClassified);
      const prelude = preludeOf(client);
      const run = prelude === undefined ? runNamed(client, nameOf) : throughPooler(client, prelude);
      // A connection that cannot be reused after an error is closed.
      let isBroken = false;
      // After an error, all further statements of a transaction fail because of it: report the original error.
      let firstFailure: unknown = null;
      return {
        query: async (text: string, values: readonly unknown[]) => {
          try {
            return await run(text, values);
          } catch (error) {
            isBroken ||= !(error instanceof pg.DatabaseError);
            if ((error as { code?: string }).code !== FAILED_TRANSACTION) firstFailure = error;
            return throwClassified(firstFailure ?? error);
          }
        },
        release: (discard?: boolean) => client.release(isBroken || discard),
      };
    },
  } as unknown as PostgresPool;
}

function runNamed(client: pg.PoolClient, nameOf: Connections['nameOf']): RunQuery {
  return (text, values) => {
    const name = nameOf(text);
    return client.query({ text, values: [...values], ...(name !== undefined && { name }) });
  };
}

/** Errors of the server have their own class; all others are about reaching it. */
function classify(error: unknown): unknown {
  if (error instanceof pg.DatabaseError) return error;
  const { message, code } = error as NodeJS.ErrnoException;
  const Failure = /timeout/i.test(message) ? DatabaseTimeout : DatabaseUnreachable;
  return new Failure(message || code || 'the database does not respond', { cause: error });
}

/** The server ends the connection, or refuses a statement that it has parsed there, now and from then on. */
const SPOILS_CONNECTION = /^(?:57P|0A000|26000)/;

function isHarmless(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !SPOILS_CONNECTION.test(error.code ?? '');
}

function throwClassified(error: unknown): never {
  throw classify(error);
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

function dialectFor(connections: Connections, driver: typeof PostgresDriver): Dialect {
  return {
    createAdapter: () => new StoreDialectAdapter(),
    createDriver: () => new driver({ pool: asPool(connections) }),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

/** All queries of a transaction read the same state. */
class SnapshotDriver extends PostgresDriver {
  override async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    await super.beginTransaction(connection, { ...settings, isolationLevel: 'repeatable read' });
  }
}

/** One writer at a time, including migrations, as on SQLite: what a writer has read does not change under it. */
class LockingDriver extends PostgresDriver {
  override async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    await super.beginTransaction(connection, settings);
    await connection.executeQuery(CompiledQuery.raw(`select pg_advisory_xact_lock(${WRITER_LOCK})`));
  }

  /** The error that ended the transaction is the one to report. A connection that cannot roll back is closed. */
  override async rollbackTransaction(
    connection: Parameters<PostgresDriver['rollbackTransaction']>[0],
  ): Promise<void> {
    await super.rollbackTransaction(connection).catch(() => {});
  }
}

const sequenceOf = (table: string) => sql`cast(pg_get_serial_sequence(${table}, 'id') as regclass)`;

class StoreDialectAdapter extends PostgresAdapter implements StoreAdapter {
  readonly dialect: SqlDialect = {
    engine: 'postgres',
    text: sql`text collate "C"`,
    due: POSTGRES_DUE,
    beginBulk: beginPostgresBulk,
    // Without the spaces and newlines of `json_agg`.
    rowsAsJson: (
      query,
    ) => sql`(select '[' || coalesce(string_agg(cast(row_to_json(agg) as text), ','), '') || ']'
      from ${query} as agg)`,
    textsOf: (list) => sql`(select value from json_array_elements_text(cast(${list} as json)) every (value))`,
    isListed: sql`octet_length(versions.changelog_id) + octet_length(versions.id)
      + octet_length(versions.label) + octet_length(versions.title) <= 2000`,
    lastId: {
      find: (table) => sql`select pg_sequence_last_value(${sequenceOf(table)}) as value`,
      set: (table, value) => [sql`select setval(${sequenceOf(table)}, ${value})`],
    },
    search: POSTGRES_SEARCH,
    catalogue: POSTGRES_CATALOGUE,
  };

  /** A migration runs in a transaction that already has the lock of the writers. */
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}
