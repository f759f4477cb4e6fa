// The SQL in which the engines differ, apart from the schema steps. All other SQL is shared.
import { type DialectAdapter, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { VersionBlock } from '../../domain/version-order.ts';
import type { Reader, Writer } from './engine.ts';

export type Sql<T = unknown> = RawBuilder<T>;

export type SqlDialect = Readonly<{
  engine: 'sqlite' | 'postgres';
  /** The type of text that sorts by its bytes. */
  text: Sql<string>;
  due: DueDialect;
  /** Turns off the triggers on versions and changes for the rest of the transaction, or until the end of the bulk write. */
  beginBulk: (trx: Writer) => Promise<BulkWrite>;
  /** The rows of a query, in its order, as the text of one JSON array, in the form that `JSON.stringify` gives it. */
  rowsAsJson: <DB, Table extends keyof DB, T>(query: SelectQueryBuilder<DB, Table, T>) => Sql<string>;
  /** Selects the texts of a JSON array, as rows of one column. */
  textsOf: (list: Sql) => Sql<{ value: string }>;
  /** Whether the index `versions_listed` has a row of `versions`; null if it has all. */
  isListed: Sql<boolean> | null;
  lastId: LastIdDialect;
  search: SearchDialect;
  catalogue: CatalogueDialect;
}>;

/** Looks up tables, which may belong to other programs. */
export type CatalogueDialect = Readonly<{
  /** The columns of the table that queries find by this name; its schema is null if the engine has none. */
  columnsOf: (table: string) => Sql<{ name: string; schema: string | null }>;
  /** Every name that is taken where new tables go. What belongs to an extension does not count as a table. */
  names: Sql<{ name: string; isTable: boolean | number }>;
  /** Where new tables go: the first schema of the path that exists. Null if the engine has no schemas. */
  place: Sql<{ schema: string | null; path: string }> | null;
  /** Sets the mode of the file; not possible in a transaction. Null if there is nothing to set. */
  setMode: Sql | null;
}>;

/** The last number that the database has chosen for the `id` of a row. */
export type LastIdDialect = Readonly<{
  /** No row, or null, if there was none. */
  find: (table: string) => Sql<{ value: number | null }>;
  set: (table: string, value: number) => readonly Sql[];
}>;

/** What publishing scheduled versions needs. The locks are empty for an engine with one writer at a time. */
export type DueDialect = Readonly<{
  /** The database's own clock, as a timestamp; the same throughout a statement. */
  now: Sql<string>;
  /** Ends the conditions on the row of `revision`: waits for other writers, and keeps them waiting. */
  waitForWriters: Sql;
  /** Locks the versions `v` to write, and `p` and `c` as they are. Skips rows that a waiting writer holds. */
  lockRows: Sql;
}>;

type BulkWrite = Readonly<{
  /** Recomputes the facts of the versions whose ids are in this JSON array, as the triggers would. */
  refreshFacts: (versionIds: string) => Promise<unknown>;
  advanceRevision: () => Promise<unknown>;
  /** Turns the triggers on again. */
  end: () => Promise<unknown>;
}>;

/** How much of a version's text is indexed: label, title, description and changes, in this order. */
export const BODY_CHARACTERS_MAX = 100_000;
/** On PostgreSQL, words after this one are found, but not as neighbours: positions in its index end here. */
export const POSITION_MAX = 16_383;

/** How an engine finds versions by their words and the types of their changes. */
export type SearchDialect = Readonly<{
  /** The search in the engine's query language, in which the words of users are quoted. */
  formatMatch: (wanted: Wanted) => string;
  /** The same for the full-text index, if that has another language. */
  formatKeys: (wanted: Wanted) => string;
  /**
   * Does a row `f` of `version_facts` match? Null if the full-text index returns rows in the order of the feed: then it
   * is always faster than a scan.
   */
  hasMatch: ((match: Sql) => Sql<boolean>) | null;
  /** Does the body of `f` contain all texts of a JSON array? */
  containsAll: (texts: Sql) => Sql<boolean>;
  /**
   * For each row of `each`, selects columns of the rows `f` of `version_facts` that `rest` filters, sorts and limits; by
   * default `version_id` and `sort_key`.
   */
  selectOfEach: (each: Sql, rest: Sql, columns?: Sql) => Sql;
  /** Selects `version_id`, `sort_key` and `changelog_id` of the row `f` of each row of `each`, which has its `version_id`. */
  factsOf: (each: Sql) => Sql;
  /** For each row of `changelogs`, selects the rows that a query on it selects, with `changelog_id`. */
  selectOfChangelogs: (changelogs: Sql, rows: Sql) => Sql;
  /** Selects `version_id`, `sort_key` and `changelog_id` of the matches, in the order of the feed. */
  selectMatches: (search: Search) => Sql;
  /** The newest matches in all changelogs, so many of each index, in any order; null if `hasMatch` is not. */
  newestMatches: ((search: Search) => Sql) | null;
}>;

export const PAGE_COLUMNS = sql`f.version_id, f.sort_key`;
export const MATCH_COLUMNS = sql`f.version_id, f.sort_key, f.changelog_id`;

export type Wanted = Readonly<{
  /** What the changes are, of which the versions have at least one. */
  marks: readonly string[];
  phrases: readonly (readonly string[])[];
  /** The versions are in one of these blocks, or anywhere if null. */
  blocks: readonly VersionBlock[] | null;
}>;

export type Search = Readonly<{
  /** A query that selects the `id` of each changelog to search in; null for `changelogs.id`. */
  changelogs: Sql | null;
  match: Sql;
  keys: Sql;
  /** False to include drafts. */
  isPublished: boolean;
  /** On `f`, a row of `version_facts`. */
  conditions: readonly Sql<boolean>[];
  /** Inclusive bounds of `sort_key`, for an index in the order of the feed. */
  newest: Sql<string> | null;
  oldest: Sql<string> | null;
  limit: Sql | null;
}>;

/** Kysely passes the adapter along with every connection. */
export type StoreAdapter = DialectAdapter & Readonly<{ dialect: SqlDialect }>;

export function dialectOf(db: Reader | Writer): SqlDialect {
  return ((db as Writer).getExecutor().adapter as StoreAdapter).dialect;
}
