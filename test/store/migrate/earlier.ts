// A database with the schema of an earlier step.
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { openWriter } from '../../../src/store/engine/open.ts';
import { MIGRATIONS } from '../../../src/store/migrate/migrate.ts';
import { databaseUrl, environmentOf } from '../../../support/databases/engine.ts';
import type { Sandbox } from '../../../support/program/command.ts';
import { SEED } from '../triggers/touch-table.ts';

/** Runs the steps up to this one, and writes rows into every table. */
export async function makeEarlier(sandbox: Sandbox, step: string): Promise<void> {
  await environmentOf(sandbox);
  const db = await openWriter(databaseUrl(sandbox), { create: true });
  await db.transaction().execute(async (trx) => {
    const migrator = new Migrator({
      db: trx,
      provider: { getMigrations: async () => ({ ...MIGRATIONS }) },
      migrationTableName: 'schema_migrations',
      migrationLockTableName: 'schema_migrations_lock',
    });
    const { error } = await migrator.migrateTo(step);
    assert.equal(error, undefined);
    for (const statement of SEED.split(';'))
      if (statement.trim() !== '') await sql.raw(statement).execute(trx);
  });
  await db.destroy();
}
