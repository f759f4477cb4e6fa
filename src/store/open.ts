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

/** A read waits this long for a lock, and everybody with it; only crash recovery holds one against readers. */
const READER_BUSY_MS = 50;
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
  return connectWriter(database);
}

/** A database that is gone when it is closed. */
export function openInMemory(): Writer {
  return connectWriter(new Sqlite(':memory:'));
}

function connectWriter(database: Sqlite.Database): Writer {
  database.pragma('foreign_keys = on');
  return new Kysely({ dialect: new ImmediateDialect({ database: withStatementCache(database) }) });
}

/** Is the file in the mode that writers put it into? A copy made by `vacuum into` is not. */
export async function isReadyToServe(db: Reader): Promise<boolean> {
  return (await readPragma(db, 'journal_mode')) === 'wal';
}

const AWAY = /^SQLITE_(BUSY|LOCKED|IOERR|CANTOPEN|CORRUPT|NOTADB|FULL|NOMEM|PROTOCOL|READONLY|PERM|AUTH)/;

/** Does the failure mean that the database is away, rather than that the question is wrong? */
export function isUnavailable(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && AWAY.test(error.code);
}

/** The file that the database is in. */
export function databaseFile(databaseUrl: string): string {
  return path.resolve(databaseUrl.slice('sqlite:'.length));
}

/** What the engine finds damaged, or null. */
export async function checkIntegrity(db: Reader): Promise<string | null> {
  const verdict = await readPragma(db, 'quick_check(1)');
  if (verdict !== 'ok') return String(verdict);
  const orphans = await readPragma(db, 'foreign_key_check');
  return orphans === undefined ? null : `rows of ${orphans} refer to rows that are gone`;
}

/** The first value that a pragma answers with. */
async function readPragma(db: Reader, pragma: string): Promise<unknown> {
  const query = sql<Record<string, unknown>>`pragma ${sql.raw(pragma)}`;
  const { rows } = await query.execute(db as unknown as Writer);
  return Object.values(rows[0] ?? {})[0];
}

/** A failure of the engine in words for whoever typed the command, or null if it was no such failure. */
export function explainFailure(error: unknown): string | null {
  if (!(error instanceof Sqlite.SqliteError)) return null;
  const advice = ADVICE.find(([code]) => code.test(error.code))?.[1];
  return advice === undefined ? null : `${error.message}; ${advice}.`;
}

const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/^SQLITE_(BUSY|LOCKED)/, 'another process is writing to it; wait until that is done, then try again'],
  [/^SQLITE_(READONLY|PERM|AUTH|CANTOPEN)/, 'check that this user may write its file and its folder'],
  [/^SQLITE_FULL/, 'the disk is full; make room, then try again'],
  [/^SQLITE_(CORRUPT|NOTADB)/, 'check DATABASE_URL, or restore a backup'],
  [/^SQLITE_IOERR/, 'check DATABASE_URL and the disk'],
];

function openSqlite(file: string, options: Sqlite.Options): Sqlite.Database {
  try {
    if (!options.readonly) makeFolder(path.dirname(file));
    const database = new Sqlite(file, options);
    // Opening is lazy: this is the first look at the file.
    database.pragma('schema_version');
    return database;
  } catch (error) {
    const reason = explainFailure(error) ?? `${(error as Error).message}: check DATABASE_URL.`;
    throw new Refusal(`the database ${file} cannot be opened: ${reason}`, { cause: error });
  }
}

/** One level at a time: the recursive form of `mkdir` never returns where a folder cannot be made, as under /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
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

/**
 * SQLite holds foreign keys only for connections that ask it to, and the `sqlite3` shell does not. These triggers hold
 * for every connection: what belongs to something goes with it, and a key's products are products of its team.
 */
export const SCHEMA_GUARDS: readonly string[] = [
  ...[
    ['teams', 'products', 'team_id'],
    ['teams', 'api_keys', 'team_id'],
    ['products', 'changelogs', 'product_id'],
    ['products', 'api_key_products', 'product_id'],
    ['changelogs', 'versions', 'changelog_id'],
    ['versions', 'changes', 'version_id'],
    ['api_keys', 'api_key_products', 'key_id'],
  ].map(
    ([above, below, column]) =>
      `create trigger ${below}_go_with_${above} after delete on ${above} begin
         delete from ${below} where ${column} = old.id; end`,
  ),
  ...['insert', 'update'].map(
    (event) =>
      `create trigger api_key_products_checked_on_${event} before ${event} on api_key_products
         when not exists (
           select 1 from api_keys join products using (team_id)
           where api_keys.id = new.key_id and api_keys.kind = 'SELECT' and products.id = new.product_id
             and products.team_id = new.team_id)
         begin select raise(abort, 'constraint failed: a key takes products of its team, and only a SELECT key does'); end`,
  ),
];
