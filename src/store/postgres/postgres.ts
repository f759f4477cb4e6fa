// PostgreSQL: a server on the network, reached through a pool of connections.
import { Kysely, PostgresAdapter, PostgresDialect, type PostgresPoolClient, sql } from 'kysely';
import pg from 'pg';
import type { StoreAdapter } from '../engine/dialect.ts';
import { asReader, type Engine, type OpenOptions, type Rights, type Writer } from '../engine/engine.ts';
import { DatabaseTimeout, DatabaseUnreachable } from '../engine/failures.ts';
import { DirectReader } from '../engine/prepared.ts';
import { POSTGRES, WRITER_LOCK } from './dialect.ts';
import { shareConnections } from './pool.ts';
import { type RunQuery, type Settings, setUp, throughPooler } from './settings.ts';
import { describeUrl, dumpCommand, restoreCommand, schemaSetting, withUsualSsl } from './url.ts';

/** For users of a command, who would rather wait than see an error. */
const COMMAND_TIMEOUT_MS = 15_000;
const WRITER_LOCK_MS = 30_000;
/** Short, because a server that shuts down waits for its last records. */
const RECORDER_TIMEOUT_MS = 2_000;
const RECORDER_PATIENCE = { connectMs: RECORDER_TIMEOUT_MS, patienceMs: RECORDER_TIMEOUT_MS };
/** Less than `deadlock_timeout`: in a deadlock, the server gives up before a command would have to. */
const RECORDER_LOCK_MS = 800;
const IDLE_CONNECTION_MS = 60_000;
/** Limits the named statements, because some texts are never repeated, such as those of `apply`. */
const STATEMENTS_MAX = 100;

/** All queries of a transaction read the same state. */
const SNAPSHOT = ['begin isolation level repeatable read'];
/** One writer at a time, including migrations, as on SQLite: what a writer has read does not change under it. */
const ONE_WRITER = ['begin', `select pg_advisory_xact_lock(${WRITER_LOCK})`];
const NO_ROWS = { command: '', rowCount: 0, rows: [] };

export const postgres: Engine = {
  openReader: (url, { onQuery, ...options }) => {
    const settings = { default_transaction_read_only: 'on' };
    const { dialect, pool, runnerOf } = connect(url, SNAPSHOT, settings, options);
    const { read, waitingCount } = shareConnections(pool, runnerOf, isHarmless);
    return asReader(
      new DirectReader({
        dialect,
        prepareStatement: (text) => (values) => read(text, values).then(({ rows }) => rows, throwClassified),
        close: () => pool.ending || pool.end(),
        viewPool: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: waitingCount() }),
        onQuery,
      }),
    );
  },
  openWriter: (url) =>
    new Kysely({ dialect: connect(url, ONE_WRITER, { lock_timeout: WRITER_LOCK_MS }).dialect }),
  openRecorder: (url, { isDurable } = { isDurable: false }) => {
    const settings = { lock_timeout: RECORDER_LOCK_MS, ...(!isDurable && { synchronous_commit: 'off' }) };
    return new Kysely({ dialect: connect(url, ['begin'], settings, RECORDER_PATIENCE).dialect });
  },
  exists: () => true,
  describe: describeUrl,
  fileOf: () => null,
  isReadyToServe: async () => true,
  /** The server checks its own files. */
  checkIntegrity: async () => null,
  rightsOf: async (db) => (await RIGHTS.execute(db as unknown as Writer)).rows[0] as Rights,
  watch: null,
  ownTools: { backup: dumpCommand, restore: restoreCommand },
};

/**
 * Without our tables, whether they could be created. Servers read the named ones; those for hooks are left out, because
 * they are needed only with HOOKS, and are written to as well.
 */
const RIGHTS = sql<Rights>`select
  has_table_privilege(to_regclass('versions'), 'insert') as "mayWriteContent",
  array(select name from unnest(array['api_key_products', 'api_keys', 'changelogs', 'changes', 'products',
    'public_changelogs', 'revision', 'search', 'teams', 'touches', 'versions']) name
    where not has_table_privilege(to_regclass(name), 'select')) as unreadable,
  case when pg_is_in_recovery() then 'it is a replica; put the primary first in DATABASE_URL'
    when (case when to_regclass('teams') is null then has_schema_privilege(current_schema(), 'create')
      else has_table_privilege(to_regclass('teams'), 'insert')
        or has_table_privilege(to_regclass('key_usage'), 'insert') end) is not true
    then 'its user lacks the privilege; grant it, or use another user in DATABASE_URL' end as "whyNotWritable"`;

/** Each transaction begins with these statements. */
function connect(
  url: string,
  begin: readonly string[],
  own: Settings,
  { connectionsMax = 1, connectMs = COMMAND_TIMEOUT_MS, patienceMs }: OpenOptions = {},
) {
  const timeout = patienceMs === undefined ? {} : { statement_timeout: patienceMs };
  const settings: Settings = { ...own, ...timeout, ...schemaSetting(url) };
  const statementOf = namedStatements();
  const runners = new WeakMap<object, RunQuery>();
  const pool = new pg.Pool({
    connectionString: withUsualSsl(url),
    max: connectionsMax,
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    allowExitOnIdle: true,
    keepAlive: true,
    pipeline: true,
    application_name: 'changelog',
    query_timeout: patienceMs,
    types: TYPES,
    onConnect: async (client) => {
      // The pool listens for errors only while a connection is idle. One that breaks in use fails its query, and may
      // emit another error between two queries, which would end the process.
      client.on('error', () => {});
      const isDirect = await setUp(client, settings);
      // A pooler that has no transactions closes the connection at the first one, whatever else was sent.
      for (const text of isDirect ? [] : ['begin', 'commit']) await client.query(text);
      runners.set(client, isDirect ? runNamed(client, statementOf) : throughPooler(client, settings));
    },
  });
  // The pool removes an idle connection that breaks; nothing else is needed.
  pool.on('error', () => {});
  const runnerOf = (client: pg.PoolClient) => runners.get(client) as RunQuery;
  /** A connection that runs named statements and classifies errors. */
  const lend = async (): Promise<PostgresPoolClient> => {
    const client = await pool.connect().catch(throwClassified);
    const run = runnerOf(client);
    let isBroken = false;
    const query = async (text: string, values: readonly unknown[]) => {
      try {
        if (text !== 'begin') return await run(text, values);
        for (const statement of begin) await run(statement, []);
      } catch (error) {
        const isRollback = text === 'rollback';
        isBroken ||= isRollback || !isHarmless(error);
        // The error that ended the transaction is the one to report.
        if (!isRollback) throwClassified(error);
      }
      return NO_ROWS;
    };
    return {
      query: query as unknown as PostgresPoolClient['query'],
      release: (discard = false) => client.release(isBroken || discard),
    };
  };
  const plain = new PostgresDialect({ pool: { options: {}, connect: lend, end: () => pool.end() } });
  const createAdapter = (): StoreAdapter => Object.assign(new PostgresAdapter(), { dialect: POSTGRES });
  return { dialect: Object.assign(plain, { createAdapter }), pool, runnerOf };
}

/** To save time: with a callback, the driver makes no promise, and it copies only what a query does not inherit. */
function runNamed(client: pg.ClientBase, statementOf: ReturnType<typeof namedStatements>): RunQuery {
  return (text, values) =>
    new Promise((resolve, reject) => {
      const finish = (error: Error, result: pg.QueryResult) => (error ? reject(error) : resolve(result));
      client.query(Object.create(statementOf(text)), values as unknown[], finish);
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
function namedStatements(): (text: string) => pg.QueryConfig {
  const named = new Map<string, pg.QueryConfig>();
  return (text) => {
    const isNew = !named.has(text) && named.size < STATEMENTS_MAX;
    if (isNew && /^(select|with|insert|update|delete) /.test(text))
      named.set(text, { name: `changelog-${named.size}`, text });
    return named.get(text) ?? { text };
  };
}

/** All 8-byte integers here are counters, far below the limit of JavaScript's numbers. */
const TYPES = new pg.TypeOverrides();
TYPES.setTypeParser(pg.types.builtins.INT8, Number);
