// Updates many rows per statement: on PostgreSQL, each statement is a round trip.
import { sql } from 'kysely';
import { batches } from './batches.ts';
import type { Writer } from './engine.ts';

const ROWS_A_STATEMENT = 100;

/** All rows must have the same columns; those in `keys` say which row it is, and together are unique. */
export async function updateRows<Row extends object>(
  trx: Writer,
  table: string,
  keys: readonly (keyof Row & string)[],
  rows: readonly Row[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}) as (keyof Row & string)[];
  const newValue = (column: keyof Row & string) => {
    const value = sql.ref(`new.column${columns.indexOf(column) + 1}`);
    // For PostgreSQL, the values of a list are text.
    return typeof rows[0]?.[column] === 'number' ? sql`cast(${value} as integer)` : value;
  };
  const set = columns
    .filter((column) => !keys.includes(column))
    .map((column) => sql`${sql.ref(column)} = ${newValue(column)}`);
  const where = keys.map((key) => sql`${sql.ref(`${table}.${key}`)} = ${newValue(key)}`);
  for (const some of batches(rows, ROWS_A_STATEMENT)) {
    const lists = some.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
    await sql`update ${sql.table(table)} set ${sql.join(set)} from (values ${sql.join(lists)}) as new
      where ${sql.join(where, sql` and `)}`.execute(trx);
  }
}
