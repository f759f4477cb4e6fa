import { migrate } from '../../src/store/migrate.ts';
import { openWriter } from '../../src/store/open.ts';

/** Brings a database up to date, as every command that writes does first. */
export async function makeSchema(url: string): Promise<void> {
  const db = await openWriter(url, { create: true });
  await db.transaction().execute(migrate);
  await db.destroy();
}
