// The few words in which the engines differ. Everything else of the schema is written once, in migrations.ts, and
// everything else of the reads in reads.ts.
import type { ColumnDefinitionBuilder, DialectAdapter, Kysely, RawBuilder, SelectQueryBuilder } from 'kysely';
import type { Reader } from './engine.ts';
import type { Tables } from './schema.ts';
import type { SearchDialect } from './search-dialect.ts';
import type { TouchRule } from './touch-rules.ts';

export type SchemaDialect = Readonly<{
  /** Text that sorts by its bytes. */
  text: RawBuilder<string>;
  /** A number that the engine gives out. */
  numbered: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
  /** A whole number that never overflows. */
  counter: RawBuilder<number>;
  /** Statements that make rules hold for every connection which constraints alone do not. */
  guards: readonly string[];
  /** The same for the uses of keys, which came later. */
  keyUsageGuards: readonly string[];
  /** The same for what imports leave. */
  importMarkGuards: readonly string[];
  /** Statements that keep what is public in a table and an index of its own. */
  publicRows: readonly string[];
  /** Statements that make every write to these tables advance the revision. */
  writeTouchTriggers: (rules: readonly TouchRule[]) => readonly string[];
  /** Statements that make the number of a version's changes stay with it, whoever writes. */
  writeCountTriggers: () => readonly string[];
  bulk: BulkDialect;
  facts: FactsDialect;
}>;

/** How what versions are found by is kept; see facts.ts. */
export type FactsDialect = Readonly<{
  /** Statements that make the table and what it needs. */
  writeTables: (db: Kysely<unknown>) => Promise<readonly string[]>;
  triggers: readonly string[];
  /** Statements that write it anew, for all versions, or for those whose ids stand in a JSON array: its `?`. */
  ofAll: readonly string[];
  ofSome: readonly string[];
}>;

/** How a transaction keeps the triggers on versions and changes out of its way. */
export type BulkDialect = Readonly<{
  /** Returns what brings them back. */
  begin: (trx: Kysely<unknown>) => Promise<() => Promise<void>>;
  /** The statement that takes a revision for all that was written. */
  advanceRevision: string;
}>;

/** The library's own place for what dialects differ in. */
export type StoreAdapter = DialectAdapter &
  Readonly<{ schemaDialect: SchemaDialect; rowsAsJson: RowsAsJson; search: SearchDialect }>;

/** The rows that a query selects, in its order, as the text of one JSON array. */
export type RowsAsJson = <DB, Table extends keyof DB, T>(
  query: SelectQueryBuilder<DB, Table, T>,
) => RawBuilder<string>;

export function schemaDialectOf<T>(db: Kysely<T>): SchemaDialect {
  return adapterOf(db).schemaDialect;
}

export function rowsAsJson<DB, Table extends keyof DB, T>(
  db: Reader,
  query: SelectQueryBuilder<DB, Table, T>,
): RawBuilder<string> {
  return adapterOf(db as unknown as Kysely<Tables>).rowsAsJson(query);
}

export function searchDialectOf(db: Reader): SearchDialect {
  return adapterOf(db as unknown as Kysely<Tables>).search;
}

function adapterOf<T>(db: Kysely<T>): StoreAdapter {
  return db.getExecutor().adapter as StoreAdapter;
}
