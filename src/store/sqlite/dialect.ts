// SQLite for the query builder.
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteAdapter,
  type SqliteDialectConfig,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/sqlite';
import type { SqlDialect, StoreAdapter } from '../engine/dialect.ts';
import { beginSqliteBulk } from './bulk.ts';
import { SQLITE_SEARCH } from './search.ts';

const STATEMENTS_MAX = 500;

type Database = Readonly<{
  prepare: (text: string) => unknown;
  close: () => unknown;
  inTransaction: boolean;
}>;

export function readDialect(database: Database): Dialect {
  return dialectFor(() => new StoreDriver(database, 'begin', () => {}), OnePlanCompiler);
}

/** A transaction that reads first and then writes fails if another writer was in between. So it takes the lock first. */
export function writeDialect(database: Database, onClosed: () => void): Dialect {
  return dialectFor(() => new StoreDriver(database, 'begin immediate', onClosed), SqliteQueryCompiler);
}

function dialectFor(createDriver: () => SqliteDriver, Compiler: typeof SqliteQueryCompiler): Dialect {
  return {
    createAdapter: (): StoreAdapter => Object.assign(new SqliteAdapter(), { dialect: SQLITE }),
    createDriver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new Compiler(),
  };
}

/**
 * In a database with statistics, SQLite plans a statement again whenever a value is bound to a bare `?`, because another
 * plan may suit the new value. That takes far longer than running it. The reads have one plan for all values (R9).
 */
class OnePlanCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?';
  }
}

const SQLITE: SqlDialect = {
  engine: 'sqlite',
  text: sql`text`,
  due: { now: sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`, waitForWriters: sql``, lockRows: sql`` },
  beginBulk: beginSqliteBulk,
  rowsAsJson: (query) => sql`${jsonArrayFrom(query)}`,
  textsOf: (list) => sql`(select value from json_each(${list}))`,
  isListed: null,
  lastId: {
    find: (table) => sql`select seq as value from sqlite_sequence where name = ${table}`,
    set: (table, value) => [
      sql`delete from sqlite_sequence where name = ${table}`,
      sql`insert into sqlite_sequence (name, seq) values (${table}, ${value})`,
    ],
  },
  search: SQLITE_SEARCH,
  catalogue: {
    columnsOf: (table) => sql`select name, null as "schema" from pragma_table_info(${table})`,
    // Names that differ only in case are the same.
    names: sql`select lower(name) as name, type in ('table', 'view') and name not like 'sqlite\\_%' escape '\\'
      as "isTable" from sqlite_schema order by name`,
    place: null,
    setMode: sql`pragma journal_mode = wal`,
  },
};

class StoreDriver extends SqliteDriver {
  readonly #database: Database;
  readonly #begin: CompiledQuery;

  constructor(database: Database, begin: string, onClosed: () => void) {
    super({ database: withStatementCache(database, onClosed) });
    this.#database = database;
    this.#begin = CompiledQuery.raw(begin);
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(this.#begin);
  }

  /**
   * The error that ended a transaction is the one to report, whatever becomes of the rollback. After an error such as a
   * full disk, SQLite has already rolled back, and a second rollback would fail.
   */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.inTransaction) await super.rollbackTransaction(connection).catch(() => {});
  }
}

/** Preparing a statement takes longer than running it. There are few, because values are always parameters. */
function withStatementCache(database: Database, onClosed: () => void) {
  const statements = new Map<string, unknown>();
  return {
    close: () => {
      database.close();
      onClosed();
    },
    prepare: (text: string) => {
      let statement = statements.get(text);
      if (statement === undefined) {
        statement = database.prepare(text);
        if (statements.size >= STATEMENTS_MAX) statements.delete(statements.keys().next().value as string);
        statements.set(text, statement);
      }
      return statement;
    },
  } as SqliteDialectConfig['database'];
}
