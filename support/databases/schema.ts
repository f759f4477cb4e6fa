import { migrate } from '../../src/store/migrate/migrate.ts';
import { openWriter } from './open.ts';

/** Migrates a database, as every command that writes does first. */
export async function makeSchema(url: string): Promise<void> {
  const db = await openWriter(url, { create: true });
  await db.transaction().execute((trx) => migrate(trx, { database: url }));
  await db.destroy();
}
