// Many rows per statement: on PostgreSQL, each statement is a round trip.
import { CompiledQuery, type Insertable, sql } from 'kysely';
import { dialectOf } from './dialect.ts';
import type { Writer } from './engine.ts';

/** Low enough for the limit that each engine sets on the parameters of a statement. */
const BATCH_SIZE = 500;
const ROWS_A_STATEMENT = 100;

export function* batches<T>(items: Iterable<T>, size = BATCH_SIZE): Generator<T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Inserts rows with the same columns. Returns how many: those whose id is taken are left out. */
export function rowInserter<Table>(table: string) {
  // Compiling a statement takes longer than running it.
  const compiled = new Map<string, string>();
  return async (trx: Writer, rows: readonly Insertable<Table>[]): Promise<number> => {
    const columns = Object.keys(rows[0] ?? {}) as (keyof Insertable<Table> & string)[];
    let inserted = 0;
    for (const some of batches(rows, ROWS_A_STATEMENT)) {
      const values = some.map((row) => columns.map((column) => row[column] ?? null));
      const key = [dialectOf(trx).engine, some.length, ...columns].join();
      const statement = compiled.get(key) ?? insertSql(table, columns, values).compile(trx).sql;
      compiled.set(key, statement);
      const { numAffectedRows } = await trx.executeQuery(CompiledQuery.raw(statement, values.flat()));
      inserted += Number(numAffectedRows ?? 0);
    }
    return inserted;
  };
}

const insertSql = (table: string, columns: readonly string[], rows: readonly unknown[][]) =>
  sql`insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    values ${listOf(rows)} on conflict do nothing`;

const listOf = (rows: readonly unknown[][]) => sql.join(rows.map((values) => sql`(${sql.join(values)})`));

/** Changes rows by their ids. All must have the same columns. */
export async function updateRows<Row extends Readonly<{ id: string }>>(
  trx: Writer,
  table: string,
  rows: readonly Row[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}) as (keyof Row & string)[];
  const newValue = (column: keyof Row & string) => {
    const value = sql.ref(`new.column${columns.indexOf(column) + 1}`);
    // For PostgreSQL, the values of a list are text.
    return typeof rows[0]?.[column] === 'number' ? sql`cast(${value} as integer)` : value;
  };
  const set = columns
    .filter((column) => column !== 'id')
    .map((column) => sql`${sql.ref(column)} = ${newValue(column)}`);
  for (const some of batches(rows, ROWS_A_STATEMENT))
    await sql`update ${sql.table(table)} set ${sql.join(set)}
      from (values ${listOf(some.map((row) => columns.map((column) => row[column])))}) as new
      where ${sql.table(table)}.id = ${newValue('id')}`.execute(trx);
}
