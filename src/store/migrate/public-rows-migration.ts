import { type Kysely, sql } from 'kysely';
import { schemaDialectOf } from '../engine/schema-dialect.ts';

/**
 * What is public all the way stands in a table of its own, and its words are found without a look at those of what is
 * hidden (R9). Each engine has its own SQL for it, written out.
 */
export async function createPublicRows(db: Kysely<unknown>): Promise<void> {
  for (const statement of schemaDialectOf(db).publicRows) await sql.raw(statement).execute(db);
}
