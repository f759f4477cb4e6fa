// What the engines differ in besides the steps of the schema: everything else is written once.
import type { DialectAdapter, Kysely, RawBuilder, SelectQueryBuilder } from 'kysely';
import type { Reader } from './engine.ts';
import type { Tables } from './schema.ts';
import type { SearchDialect } from './search-dialect.ts';

export type SchemaDialect = Readonly<{
  engine: 'sqlite' | 'postgres';
  /** Text that sorts by its bytes. */
  text: RawBuilder<string>;
  bulk: BulkDialect;
  /** Statements that write the facts again for the versions whose ids are in a JSON array, their `?`; see facts.ts. */
  refreshFacts: readonly string[];
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
