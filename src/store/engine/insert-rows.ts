// Inserts many rows per statement, and compiles the statement once: that takes longer than running it.
import { type CompiledQuery, type Insertable, sql } from 'kysely';
import { batches } from './batches.ts';
import type { Writer } from './engine.ts';

const ROWS_A_STATEMENT = 100;

/** Returns how many rows were inserted: those whose id is taken are left out. */
export type InsertRows<Row> = (trx: Writer, rows: readonly Row[]) => Promise<number>;

/** All rows must have the same columns. */
export function rowInserter<Table>(table: string): InsertRows<Insertable<Table>> {
  const statements = new Map<number, CompiledQuery>();
  const compile = (trx: Writer, columns: readonly string[], count: number): CompiledQuery => {
    const row = sql`(${sql.join(columns.map(() => sql`${null}`))})`;
    return sql`insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
      values ${sql.join(Array(count).fill(row))} on conflict do nothing`.compile(trx);
  };
  return async (trx, rows) => {
    const columns = Object.keys(rows[0] ?? {}) as (keyof Insertable<Table> & string)[];
    let inserted = 0;
    for (const some of batches(rows, ROWS_A_STATEMENT)) {
      const statement = statements.get(some.length) ?? compile(trx, columns, some.length);
      if (some.length === ROWS_A_STATEMENT) statements.set(some.length, statement);
      const parameters = some.flatMap((row) => columns.map((column) => row[column] ?? null));
      const { numAffectedRows } = await trx.executeQuery({ ...statement, parameters });
      inserted += Number(numAffectedRows ?? 0);
    }
    return inserted;
  };
}
