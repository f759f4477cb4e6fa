import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startPostgres } from '../../cluster/postgres.ts';
import { sharedScope } from '../processes/scope.ts';
import type { Engine, Session } from './engines.ts';

/** The test runner starts one server for all files; a file that is run on its own starts another. */
const scope = sharedScope();
const SERVER_URL = process.env.TEST_POSTGRES_URL ?? (await startPostgres(scope)).url();

/** Creates and drops databases on one connection: connecting takes longer than dropping a database. */
let administrator: Promise<pg.Client> | null = null;
scope.after(async () => await (await administrator)?.end());

/** The databases that this process has created, by folder. */
const made = new Map<string, Promise<void>>();
scope.after(() => administer(dropping([...made.keys()])));

/** The last session that was used, for the next use: connecting takes longer than most statements. */
let idle: { folder: string; session: Session } | null = null;
scope.after(closeIdle);

async function closeIdle(): Promise<void> {
  const closing = idle?.session.close();
  idle = null;
  await closing;
}

export const postgres: Engine = {
  url: (folder) => Object.assign(new URL(SERVER_URL), { pathname: nameOf(folder) }).href,
  provide: (folder) => {
    const making = made.get(folder) ?? makeDatabase(folder);
    made.set(folder, making);
    return making;
  },
  provideCopy: async (folder, original) => {
    const isNew = !made.has(folder);
    const making = made.get(folder) ?? makeDatabase(folder, `template "${nameOf(original)}"`);
    made.set(folder, making);
    await making;
    return isNew;
  },
  connect: async (folder) => {
    const client = await connect(postgres.url(folder));
    // A test may end all connections, also those that wait for their next use.
    client.on('error', () => {});
    const rowsOf = async <T>(statement: string) => (await client.query(statement)).rows as T[];
    return {
      query: rowsOf,
      execute: async (statement) => (await client.query(statement)).rowCount ?? 0,
      tables: async () => (await rowsOf<{ relname: string }>(TABLES)).map((row) => row.relname),
      close: () => client.end(),
    };
  },
  use: async (folder, run) => {
    const taken = idle?.folder === folder ? idle.session : null;
    if (taken === null) await closeIdle();
    idle = null;
    const session = taken ?? (await postgres.connect(folder));
    let isClean = false;
    try {
      const result = await run(session);
      isClean = true;
      return result;
    } finally {
      // Another may have been put there meanwhile.
      if (isClean && idle === null) idle = { folder, session };
      else await session.close();
    }
  },
  exists: async (folder) =>
    made.has(folder) && (await postgres.use(folder, ({ tables }) => tables())).length > 0,
  makeUnavailable: async (folder) => {
    await closeIdle();
    const name = nameOf(folder);
    await administer([
      `alter database "${name}" with allow_connections false`,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    ]);
    return () => administer([`alter database "${name}" with allow_connections true`]);
  },
  describe: (folder) => `${new URL(SERVER_URL).host}/${nameOf(folder)}`,
  missing: /database "[^"]+" does not exist; create it with `createdb`/,
  stale: { msMax: 1_000, words: 'within a second' },
};

/** Not from `information_schema`, whose views take some milliseconds to plan. */
const TABLES = `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v') order by 1`;

/**
 * First drops the databases whose folder has been deleted: their tests are over. Copying files takes half of the processor
 * time of writing every page to the log, and also copies what each first connection would have to build again.
 */
async function makeDatabase(folder: string, options = ''): Promise<void> {
  await closeIdle();
  const gone = [...made.keys()].filter((other) => !existsSync(other));
  for (const other of gone) made.delete(other);
  await administer([...dropping(gone), `create database "${nameOf(folder)}" strategy file_copy ${options}`]);
}

function dropping(folders: readonly string[]): string[] {
  return folders.map((folder) => `drop database "${nameOf(folder)}" with (force)`);
}

async function administer(statements: readonly string[]): Promise<void> {
  if (statements.length === 0) return;
  administrator ??= connect(SERVER_URL);
  for (const statement of statements) await (await administrator).query(statement);
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, types: { getTypeParser } });
  await client.connect();
  return client;
}

/** `count(*)` is a bigint; tests want a number. */
const BIGINT = 20;
const getTypeParser: typeof pg.types.getTypeParser = ((oid: number, format?: 'text' | 'binary') =>
  oid === BIGINT ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser;

function nameOf(folder: string): string {
  return path.relative(tmpdir(), folder).replaceAll('/', '-');
}
