// Rows into a table, many to a statement and all statements alike: composing and preparing one costs more than it does.
import { type CompiledQuery, type Insertable, sql } from 'kysely';
import { batches } from './batches.ts';
import type { Writer } from './engine.ts';

const ROWS_A_STATEMENT = 100;

/** Returns how many rows went in: those whose id is taken are left out. */
export type InsertRows<Row> = (trx: Writer, rows: readonly Row[]) => Promise<number>;

export function rowInserter<Table>(
  table: string,
  columns: readonly (keyof Insertable<Table> & string)[],
): InsertRows<Insertable<Table>> {
  const statements = new Map<number, CompiledQuery>();
  const compile = (trx: Writer, count: number): CompiledQuery => {
    const row = sql`(${sql.join(columns.map(() => sql`${null}`))})`;
    return sql`insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
      values ${sql.join(Array(count).fill(row))} on conflict do nothing`.compile(trx);
  };
  return async (trx, rows) => {
    let inserted = 0;
    for (const some of batches(rows, ROWS_A_STATEMENT)) {
      const statement = statements.get(some.length) ?? compile(trx, some.length);
      if (some.length === ROWS_A_STATEMENT) statements.set(some.length, statement);
      const parameters = some.flatMap((row) => columns.map((column) => row[column] ?? null));
      const { numAffectedRows } = await trx.executeQuery({ ...statement, parameters });
      inserted += Number(numAffectedRows ?? 0);
    }
    return inserted;
  };
}
