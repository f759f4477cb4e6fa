// The only file that names a database engine: how to open one, for reading or for writing.
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import {
  CompiledQuery,
  type DatabaseConnection,
  type DialectAdapter,
  type Driver,
  Kysely,
  type LogEvent,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  sql,
} from 'kysely';
import type { ReadonlyKysely } from 'kysely/readonly';
import { Refusal } from '../errors.ts';
import type { Tables } from './schema.ts';

/** A database to read from; nothing can be written through it, neither by type nor by the engine. */
export type Reader = ReadonlyKysely<Tables>;
export type Writer = Kysely<Tables>;

/** A writer can read, too; the library's types keep the two apart. */
export function asReader(db: Writer): Reader {
  return db as unknown as Reader;
}

/** A read waits this long for a lock, which only crash recovery holds against readers. */
const READER_BUSY_MS = 500;
const WRITER_BUSY_MS = 30_000;

export type OpenOptions = Readonly<{ onQuery?: (event: LogEvent) => void }>;

export function openReader(databaseUrl: string, options: OpenOptions = {}): Reader {
  const file = databaseFile(databaseUrl);
  refuseMissing(file);
  const database = openSqlite(file, { readonly: true, timeout: READER_BUSY_MS });
  database.pragma('query_only = on');
  return asReader(
    new Kysely({
      dialect: new SqliteDialect({ database: withStatementCache(database) }),
      ...logging(options),
    }),
  );
}

/** Makes the database if `create` is set; a database that is not there is otherwise refused. */
export function openWriter(databaseUrl: string, { create }: { create: boolean }): Writer {
  const file = databaseFile(databaseUrl);
  if (!create) refuseMissing(file);
  const database = openSqlite(file, { timeout: WRITER_BUSY_MS });
  // Readers go on while a writer works, and what was committed survives a power cut.
  database.pragma('journal_mode = wal');
  database.pragma('synchronous = full');
  database.pragma('foreign_keys = on');
  return new Kysely({ dialect: new ImmediateDialect({ database: withStatementCache(database) }) });
}

const AWAY = /^SQLITE_(BUSY|LOCKED|IOERR|CANTOPEN|CORRUPT|NOTADB|FULL|NOMEM|PROTOCOL|READONLY|PERM|AUTH)/;

/** Does the failure mean that the database is away, rather than that the question is wrong? */
export function isUnavailable(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && AWAY.test(error.code);
}

/** A database that is gone when it is closed. */
export const IN_MEMORY_URL = 'sqlite::memory:';

/** The file that the database is in. */
export function databaseFile(databaseUrl: string): string {
  return databaseUrl === IN_MEMORY_URL ? ':memory:' : path.resolve(databaseUrl.slice('sqlite:'.length));
}

/** What the engine finds damaged, or null. */
export async function checkIntegrity(db: Reader): Promise<string | null> {
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(db as unknown as Writer);
  const verdict = rows[0]?.quick_check ?? 'no answer';
  return verdict === 'ok' ? null : verdict;
}

function openSqlite(file: string, options: Sqlite.Options): Sqlite.Database {
  try {
    if (!options.readonly) mkdirSync(path.dirname(file), { recursive: true });
    const database = new Sqlite(file, options);
    // Opening is lazy: this is the first look at the file.
    database.pragma('schema_version');
    return database;
  } catch (error) {
    throw new Refusal(`the database ${file} cannot be opened: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}

export function databaseExists(databaseUrl: string): boolean {
  return existsSync(databaseFile(databaseUrl));
}

function refuseMissing(file: string): void {
  if (!existsSync(file))
    throw new Refusal(`there is no database at ${file}: make one with \`changelog migrate\`.`);
}

function logging({ onQuery }: OpenOptions) {
  return onQuery ? { log: onQuery } : {};
}

/** Preparing costs more than running; the texts are few, because values are always parameters. */
function withStatementCache(database: Sqlite.Database) {
  const statements = new Map<string, Sqlite.Statement>();
  return {
    close: () => void database.close(),
    prepare: (text: string) => {
      let statement = statements.get(text);
      if (statement === undefined) {
        statement = database.prepare(text);
        if (statements.size < STATEMENTS_MAX) statements.set(text, statement);
      }
      return statement;
    },
  } as SqliteDialectConfig['database'];
}

const STATEMENTS_MAX = 500;

class ImmediateDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;

  constructor(config: SqliteDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): Driver {
    return new ImmediateDriver(this.#config);
  }

  override createAdapter(): DialectAdapter {
    return new TransactionalDdlAdapter();
  }
}

/** The library is careful for SQLite's sake where it need not be: a migration rolls back like everything else. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** A transaction that starts as a reader and then writes fails if another writer came between: take the lock first. */
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}
