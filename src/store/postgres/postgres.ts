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
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import pg from 'pg';
import type { SqlDialect, StoreAdapter } from '../engine/dialect.ts';
import { asReader, type Engine, type OpenOptions, type Writer } from '../engine/engine.ts';
import { DatabaseTimeout, DatabaseUnreachable } from '../engine/failures.ts';
import { beginPostgresBulk } from './bulk.ts';
import { connectionTaker } from './pool.ts';
import { POSTGRES_SEARCH } from './search.ts';

/** For people at a terminal, who would rather wait than read an error. */
const COMMAND_TIMEOUT_MS = 5_000;
const WRITER_LOCK_MS = 30_000;
/** Short, because a server that stops waits for what it still has to record. */
const RECORDER_TIMEOUT_MS = 2_000;
const IDLE_CONNECTION_MS = 60_000;
/** Of the statements whose text does not repeat, such as those of `apply`, only so many get a name. */
const STATEMENTS_MAX = 100;
/** Any number, the same for all of our writers. */
const WRITER_LOCK = 7_423_116_021;

const FAILED_TRANSACTION = '25P02';

/**
 * The reads are written to go down by indexes, and are planned so whatever the tables hold: hidden costs what missing
 * does (R9), and a small database is read as a large one is. Planning once a connection is then enough. A plan that
 * cannot do without what is kept from it looks dear, and would be compiled first, which takes half a second.
 */
const BY_INDEX = `set plan_cache_mode = force_generic_plan; set join_collapse_limit = 1; set jit = off; ${[
  'seqscan',
  'bitmapscan',
  'hashjoin',
  'mergejoin',
  'sort',
]
  .map((way) => `set enable_${way} = off`)
  .join('; ')}`;

const READ_ONLY = `set default_transaction_read_only = on; set default_transaction_isolation = 'repeatable read';
  ${BY_INDEX}`;

export const postgres: Engine = {
  openReader: (url, { onQuery, connectionsMax = 1, patienceMs, connectMs }: OpenOptions) => {
    const session =
      patienceMs === undefined ? READ_ONLY : `${READ_ONLY}; set statement_timeout = ${patienceMs}`;
    const connections = connect(url, {
      connectionsMax,
      session,
      connectMs: connectMs ?? patienceMs ?? COMMAND_TIMEOUT_MS,
      ...(patienceMs !== undefined && { queryMs: patienceMs }),
    });
    const dialect = dialectFor(connections, PostgresDriver);
    const reader = asReader(new Kysely({ dialect, ...(onQuery && { log: onQuery }) }));
    pools.set(reader, connections);
    return reader;
  },
  openWriter: (url) => {
    const session = `set lock_timeout = ${WRITER_LOCK_MS}`;
    const connections = connect(url, { connectionsMax: 1, connectMs: COMMAND_TIMEOUT_MS, session });
    return new Kysely({ dialect: dialectFor(connections, LockingDriver) });
  },
  openRecorder: (url) => {
    const session = `set synchronous_commit = off; set statement_timeout = ${RECORDER_TIMEOUT_MS}`;
    const patience = { connectMs: RECORDER_TIMEOUT_MS, queryMs: RECORDER_TIMEOUT_MS };
    const connections = connect(url, { connectionsMax: 1, session, ...patience });
    return new Kysely({ dialect: dialectFor(connections, PostgresDriver) });
  },
  openScratch: () => null,
  exists: () => true,
  describe: (url) => {
    const { hostname, port, pathname } = new URL(url);
    return `${hostname || 'localhost'}:${port || 5432}${pathname}`;
  },
  fileOf: () => null,
  isReadyToServe: async () => true,
  /** The server looks after its own files; a question that it answers is all that can be told from here. */
  checkIntegrity: async () => null,
  whyNotWritable: async (db) => {
    const { rows } = await WRITING_RIGHTS.execute(db as unknown as Writer);
    if (rows[0]?.isReplica) return 'it is a replica: put the primary first in DATABASE_URL';
    return rows[0]?.mayWrite
      ? null
      : 'its user lacks the right: grant it, or name another user in DATABASE_URL';
  },
  clockMs: async (db) => {
    const { rows } = await CLOCK.execute(db as unknown as Writer);
    return Number(rows[0]?.seconds) * 1_000;
  },
  watch: null,
  poolOf: (db) => {
    const pool = pools.get(db);
    return pool === undefined
      ? null
      : { open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount };
  },
};

/** Where there are no tables yet, the right to make them. */
const WRITING_RIGHTS = sql<{ isReplica: boolean; mayWrite: boolean }>`select
  pg_is_in_recovery() as "isReplica",
  case when to_regclass('teams') is null then has_schema_privilege(current_schema(), 'create')
    else has_table_privilege('teams', 'insert') end as "mayWrite"`;

const CLOCK = sql<{ seconds: string }>`select extract(epoch from clock_timestamp()) as seconds`;

const pools = new WeakMap<object, pg.Pool>();

type PoolOptions = Readonly<{
  connectionsMax: number;
  connectMs: number;
  queryMs?: number;
  /** Statements that every new connection begins with. */
  session: string;
}>;

function connect(url: string, { connectionsMax, connectMs, queryMs, session }: PoolOptions): pg.Pool {
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
      // The pool listens only while nobody uses a connection: one that dies in use fails what is asked on it, and may
      // fail once more between two questions, which nobody would hear.
      client.on('error', () => {});
      await client.query(session);
    },
  });
  // A connection that dies while nobody uses it is taken out of the pool, and that is all.
  pool.on('error', () => {});
  return pool;
}

/** `sslmode` means what it means to every other client, and not what the library makes of it, with a warning. */
function withUsualSsl(url: string): string {
  const { searchParams } = new URL(url);
  return searchParams.has('sslmode') && !searchParams.has('uselibpqcompat')
    ? `${url}&uselibpqcompat=true`
    : url;
}

/** A pool as the library wants it, with statements that are named and failures that are told apart. */
function asPool(pool: pg.Pool): PostgresPool {
  const nameOf = statementNames();
  const take = connectionTaker<pg.PoolClient>(pool);
  return {
    options: {},
    Client: pg.Client,
    end: () => pool.end(),
    connect: async () => {
      const client = await take().catch(throwClassified);
      // What cannot be reused after a failure is closed instead.
      let isBroken = false;
      // In a transaction everything after a failure fails for that alone: what is told is the failure itself.
      let firstFailure: unknown = null;
      return {
        query: async (text: string, values: readonly unknown[]) => {
          const name = nameOf(text);
          try {
            return await client.query({ text, values: [...values], ...(name !== undefined && { name }) });
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

/** The server says what is wrong in an error of its own class; everything else is about reaching it. */
function throwClassified(error: unknown): never {
  if (error instanceof pg.DatabaseError) throw error;
  const { message, code } = error as NodeJS.ErrnoException;
  const Failure = /timeout/i.test(message) ? DatabaseTimeout : DatabaseUnreachable;
  throw new Failure(message || code || 'the database does not answer', { cause: error });
}

/** A named statement is parsed once a connection; the names are few, because values are always parameters. */
function statementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  return (text) => {
    const name = names.get(text);
    if (name !== undefined || names.size >= STATEMENTS_MAX || !/^(select|insert|update|delete) /.test(text))
      return name;
    names.set(text, `changelog-${names.size}`);
    return names.get(text);
  };
}

const BIGINT = 20;

/** Whole numbers of 8 bytes are counters here, and far from where numbers of JavaScript end. */
const getTypeParser: typeof pg.types.getTypeParser = ((oid: number, format?: 'text' | 'binary') =>
  oid === BIGINT ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser;

function dialectFor(connections: pg.Pool, driver: typeof PostgresDriver): Dialect {
  return {
    createAdapter: () => new StoreDialectAdapter(),
    createDriver: () => new driver({ pool: asPool(connections) }),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

/** One of our writers at a time, migrations included, as with the embedded engine: what one has looked at stays so. */
class LockingDriver extends PostgresDriver {
  override async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    await super.beginTransaction(connection, settings);
    await connection.executeQuery(CompiledQuery.raw(`select pg_advisory_xact_lock(${WRITER_LOCK})`));
  }
}

class StoreDialectAdapter extends PostgresAdapter implements StoreAdapter {
  readonly dialect: SqlDialect = {
    engine: 'postgres',
    text: sql`text collate "C"`,
    beginBulk: beginPostgresBulk,
    rowsAsJson: (query) => sql`cast(${jsonArrayFrom(query)} as text)`,
    search: POSTGRES_SEARCH,
  };

  /** The transaction that a migration runs in has taken the lock of all writers. */
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}
