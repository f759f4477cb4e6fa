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
}>;

/** The library's own place for what dialects differ in. */
export type StoreAdapter = DialectAdapter & Readonly<{ schemaDialect: SchemaDialect }>;

export function schemaDialectOf(db: Kysely<unknown>): SchemaDialect {
  return (db.getExecutor().adapter as StoreAdapter).schemaDialect;
}
