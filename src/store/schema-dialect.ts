// The few words in which the engines' schemas differ. Everything else of the schema is written once, in migrations.ts.
import type { ColumnDefinitionBuilder, DialectAdapter, Kysely, RawBuilder } from 'kysely';
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
  /** Statements that make every write to these tables advance the revision. */
  writeTouchTriggers: (rules: readonly TouchRule[]) => readonly string[];
  /** Statements that make the number of a version's changes stay with it, whoever writes. */
  writeCountTriggers: () => readonly string[];
  bulk: BulkDialect;
}>;

/** How a transaction keeps the triggers on versions and changes out of its way. */
export type BulkDialect = Readonly<{
  /** Returns what brings them back. */
  begin: (trx: Kysely<unknown>) => Promise<() => Promise<void>>;
  /** The statement that takes a revision for all that was written. */
  advanceRevision: string;
}>;

/** The library's own place for what dialects differ in. */
export type StoreAdapter = DialectAdapter & Readonly<{ schemaDialect: SchemaDialect }>;

export function schemaDialectOf<T>(db: Kysely<T>): SchemaDialect {
  return (db.getExecutor().adapter as StoreAdapter).schemaDialect;
}
