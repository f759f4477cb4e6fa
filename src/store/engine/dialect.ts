// The SQL in which the engines differ, apart from the schema steps. All other SQL is shared.
import { type DialectAdapter, type RawBuilder, sql } from 'kysely';
import type { Reader, Writer } from './engine.ts';

export type Sql<T = unknown> = RawBuilder<T>;

/** What a query selects, by name: a column of a table that has a text, or an expression. */
export type Fields = Readonly<Record<string, string | Sql>>;

export const selected = (fields: Fields): Sql =>
  sql.join(
    Object.entries(fields).map(
      ([name, value]) => sql`${typeof value === 'string' ? sql.ref(value) : value} as ${sql.ref(name)}`,
    ),
  );

export type SqlDialect = Readonly<{
  engine: 'sqlite' | 'postgres';
  /** The type of text that sorts by its bytes. */
  text: Sql<string>;
  /** For publishing scheduled versions. The locks are empty for an engine with one writer at a time. */
  due: Readonly<{
    /** The database's own clock, as a timestamp; the same throughout a statement. */
    now: Sql<string>;
    /** Ends the conditions on the row of `revision`: waits for other writers, and keeps them waiting. */
    waitForWriters: Sql;
    /** Locks the versions `v` to write, and `p` and `c` as they are. Skips rows that a waiting writer holds. */
    lockRows: Sql;
  }>;
  /** The function that gives the greatest of its arguments. */
  greatest: Sql;
  /** The rows of a query, in its order, as the text of one JSON array, in the form that `JSON.stringify` gives it. */
  rowsAsJson: (fields: Fields, from: Sql) => Sql<string>;
  /** The same with a row as an array of columns, which takes less time to write and to read. */
  tuplesAsJson: (columns: Sql, rows: Sql) => Sql<string>;
  /** Selects fields, in the form from which `unpack` makes the row that `selected` would have. Null: in that form. */
  pack: (fields: Fields) => Sql;
  unpack: ((row: Record<string, unknown>) => object) | null;
  /** Selects the texts of a JSON array, as rows of one column. */
  textsOf: (list: Sql) => Sql<{ value: string }>;
  /** For each row of `each`, selects the rows of `versions` that `rest` filters, sorts and limits. */
  newestOfEach: (each: Sql, rest: Sql) => Sql;
  /** The last number that the database has chosen for the `id` of a row. */
  lastId: Readonly<{
    /** No row, or null, if there was none. */
    find: (table: string) => Sql<{ value: number | null }>;
    set: (table: string, value: number) => readonly Sql[];
  }>;
  search: SearchDialect;
  /** Looks up tables, which may belong to other programs. */
  catalogue: Readonly<{
    /** The columns of the table that queries find by this name. */
    columnsOf: (table: string) => Sql<{ name: string }>;
    /** Every name that is taken where new tables go. What belongs to an extension does not count as a table. */
    names: Sql<{ name: string; isTable: boolean | number }>;
    /** Where new tables go: the first schema of the path that exists. Null if the engine has no schemas. */
    place: Sql<{ schema: string | null; path: string }> | null;
    /** Sets the mode of the file; not possible in a transaction. Null if there is nothing to set. */
    setMode: Sql | null;
  }>;
}>;

/** The full-text index: the published texts of public changelogs. */
export type SearchDialect = Readonly<{
  /** A phrase in the engine's query language; its last word is a beginning. */
  formatPhrase: (words: readonly string[]) => string;
  /** Each selects `place` and `version_id` of texts of `changelogs.id` with a phrase, after a place, in their order. */
  parts: readonly ((phrase: Sql<string>, after: Sql<number>) => Sql)[];
  /** How many rows a part selects at most; null if all. */
  sliceRows: number | null;
}>;

/** Kysely passes the adapter along with every connection. */
export type StoreAdapter = DialectAdapter & Readonly<{ dialect: SqlDialect }>;

export function dialectOf(db: Reader | Writer): SqlDialect {
  return ((db as Writer).getExecutor().adapter as StoreAdapter).dialect;
}
