import { openWriter } from '../../src/store/engine/open.ts';
import { migrate } from '../../src/store/migrate/migrate.ts';

/** Brings a database up to date, as every command that writes does first. */
export async function makeSchema(url: string): Promise<void> {
  const db = await openWriter(url, { create: true });
  await db.transaction().execute(migrate);
  await db.destroy();
}
