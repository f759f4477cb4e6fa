// A database of an earlier release, brought up to date with what is in it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { MIGRATIONS } from '../../src/store/migrations.ts';
import { openWriter } from '../../src/store/open.ts';
import { runOk, type Workplace } from '../support/command.ts';
import { databaseUrl, dump, environmentOf, execute, query } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { SEED } from './touch-table.ts';

/** Takes the steps up to this one, and puts something into every table. */
async function makeEarlier(workplace: Workplace, step: string): Promise<void> {
  await environmentOf(workplace);
  const db = await openWriter(databaseUrl(workplace), { create: true });
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

const COUNTS = 'select id, change_count from versions order by id';

describe('a database from before changes were counted', () => {
  it('has each number of changes, and nobody is told of anything', async (t) => {
    const workplace: Workplace = { folder: temporaryFolder(t) };
    await makeEarlier(workplace, '0003_key_usage');
    const before = await query(workplace, 'select * from touches order by team_id, product_id');
    assert.match(await runOk(workplace, ['migrate']), /0004_change_counts/);
    assert.deepEqual(await query(workplace, COUNTS), [
      { id: 'ver_11', change_count: 1 },
      { id: 'ver_11b', change_count: 0 },
      { id: 'ver_12', change_count: 1 },
      { id: 'ver_21', change_count: 1 },
    ]);
    assert.deepEqual(await query(workplace, 'select * from touches order by team_id, product_id'), before);
    await execute(workplace, `update changes set version_id = 'ver_11b' where id = 'chg_11'`);
    assert.deepEqual((await query(workplace, COUNTS)).slice(0, 2), [
      { id: 'ver_11', change_count: 0 },
      { id: 'ver_11b', change_count: 1 },
    ]);
  });
});

describe('a database from before imports left marks', () => {
  it('keeps all that it has, has no mark, and nobody is told of anything', async (t) => {
    const workplace: Workplace = { folder: temporaryFolder(t) };
    await makeEarlier(workplace, '0005_version_facts');
    const { schema_migrations: _, ...before } = (await dump(workplace)) ?? {};
    assert.match(await runOk(workplace, ['migrate']), /0006_import_marks/);
    const { schema_migrations: __, ...after } = (await dump(workplace)) ?? {};
    assert.deepEqual(after, { ...before, import_marks: [] });
  });

  it('loses a mark together with its version, whoever deletes that', async (t) => {
    const workplace: Workplace = { folder: temporaryFolder(t) };
    await makeEarlier(workplace, '0006_import_marks');
    await execute(
      workplace,
      `insert into import_marks (version_id, mark) values ('ver_11', 'a'), ('ver_21', 'b')`,
    );
    await execute(workplace, `delete from versions where id = 'ver_11'`);
    await execute(workplace, `delete from teams where slug = 'vault'`);
    assert.deepEqual(await query(workplace, 'select * from import_marks'), []);
  });
});
