// What a database must not have that another one is copied to.
import { sql } from 'kysely';
import { Refusal } from '../../errors.ts';
import type { Reader, Writer } from '../engine/engine.ts';
import { findCursorKey } from '../engine/revisions.ts';
import { COPIED_TABLES } from './tables.ts';

/** `identity` is the cursor key of the database that is copied. */
export async function requireNoContent(db: Reader, database: string, identity: string): Promise<void> {
  if ((await findCursorKey(db)) === identity)
    throw new Refusal(
      `${database} is the source itself, or a copy of it that was completed before; nothing was written. Name another database, or delete that copy and create an empty database in its place.`,
    );
  const tables = await listFilledTables(db);
  if (tables.length > 0)
    throw new Refusal(
      `${database} is not empty: it has rows in ${new Intl.ListFormat('en-GB').format(tables)}; nothing was written. A copy needs a database without content: name another one, or a schema of its own (?schema=NAME in the URL) on PostgreSQL.`,
    );
}

/** `touches` may have rows of what was deleted. */
async function listFilledTables(db: Reader): Promise<string[]> {
  const tables = COPIED_TABLES.filter((table) => table !== 'touches');
  const filled = tables.map((table) => sql`exists (select 1 from ${sql.table(table)}) as ${sql.ref(table)}`);
  const { rows } = await sql<Record<string, boolean | number>>`select ${sql.join(filled)}`.execute(
    db as unknown as Writer,
  );
  return tables.filter((table) => rows[0]?.[table]);
}
