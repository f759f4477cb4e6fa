import assert from 'node:assert/strict';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import Sqlite from 'better-sqlite3';
import { visibleRows } from '../../src/domain/visibility.ts';
import { openReader, openWriter } from '../../src/store/open.ts';
import { findFeed, findKey, findVersion } from '../../src/store/reads.ts';
import { databaseUrl, type Workplace } from '../support/command.ts';
import { sharedScope, temporaryFolder } from '../support/folder.ts';
import { spawnServer } from '../support/process.ts';
import { seedWorld } from '../support/world.ts';

describe('the store', () => {
  const scope = sharedScope();
  const workplace: Workplace = { folder: temporaryFolder(scope) };
  const file = path.join(workplace.folder, 'changelog.db');
  before(() => seedWorld(workplace));

  it('reads by index alone: no full scan and no sort in any plan of the API', async (t) => {
    const statements: { sql: string; parameters: readonly unknown[] }[] = [];
    const db = await openReader(databaseUrl(workplace), {
      onQuery: ({ query }) => void statements.push(query),
    });
    t.after(() => db.destroy());
    const asked = { team: 'acme', product: 'rocket', versionId: 'ver_210' };
    for (const surface of ['public', 'team'] as const) {
      await findFeed(db, asked, visibleRows(surface));
      await findVersion(db, asked, visibleRows(surface));
    }
    await findKey(db, 'x');
    assert.equal(statements.length, 5);

    const database = new Sqlite(file, { readonly: true });
    t.after(() => void database.close());
    const plans = statements.map(({ sql, parameters }) =>
      (database.prepare(`explain query plan ${sql}`).all(...parameters) as { detail: string }[]).map(
        ({ detail }) => detail,
      ),
    );
    for (const [index, plan] of plans.entries()) {
      assert.ok(plan.length > 0);
      for (const step of plan) {
        assert.doesNotMatch(
          step,
          /^SCAN|TEMP B-TREE|AUTOMATIC/,
          `${statements[index]?.sql}\n${plan.join('\n')}`,
        );
      }
    }
    for (const plan of [plans[0], plans[1]]) {
      for (const table of ['teams', 'products', 'changelogs', 'versions']) {
        assert.match(
          plan?.join('\n') ?? '',
          new RegExp(`INDEX ${table}_by_state`),
          'a hidden row must not be touched',
        );
      }
    }
  });

  it('gives the server a connection through which nothing can be written', async () => {
    const db = await openReader(databaseUrl(workplace));
    const writing = db as unknown as Awaited<ReturnType<typeof openWriter>>;
    await assert.rejects(writing.deleteFrom('teams').execute(), /readonly|read-only|query_only/i);
    await assert.rejects(writing.schema.dropTable('teams').execute(), /readonly|read-only|query_only/i);
    await db.destroy();
  });

  it('writes durably: WAL, synchronous full, foreign keys on', async () => {
    const { sql } = await import('kysely');
    const db = await openWriter(databaseUrl(workplace), { create: false });
    const pragma = async (name: string) =>
      Object.values(
        (await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(db)).rows[0] ?? {},
      )[0];
    assert.equal(await pragma('journal_mode'), 'wal');
    assert.equal(await pragma('synchronous'), 2);
    assert.equal(await pragma('foreign_keys'), 1);
    await db.destroy();
  });

  it('holds its rules against any writer, also one that does not ask for foreign keys', (t) => {
    const database = new Sqlite(file);
    database.pragma('foreign_keys = off');
    t.after(() => void database.close());
    const idOf = (table: string, where: string) =>
      database.prepare(`select id from ${table} where ${where}`).pluck().get();
    const rocket = idOf('products', "slug = 'rocket' and status = 'published'");
    const vault = idOf('teams', "slug = 'vault'");
    const full = idOf('api_keys', "kind = 'FULL'");
    const select = idOf('api_keys', "kind = 'SELECT'");
    const foreign = idOf('products', `team_id = ${vault}`);
    const acme = idOf('teams', "slug = 'acme'");
    for (const statement of [
      `update teams set visibility = 'secret'`,
      `update teams set plan = 'gold'`,
      `update teams set slug = 'acme' where slug = 'vault'`,
      `update teams set slug = ''`,
      `update teams set slug = 'a b' where slug = 'vault'`,
      `update teams set slug = '-a' where slug = 'vault'`,
      `update teams set slug = 'Upper' where slug = 'vault'`,
      `update products set status = 'gone' where id = ${rocket}`,
      `update products set slug = 'secret' where id = ${rocket}`,
      `update changelogs set status = 'gone'`,
      `insert into changelogs (id, product_id, name, status) values ('cl_second', ${rocket}, 'x', 'draft')`,
      `update versions set status = 'locked'`,
      `update versions set status = 'published' where id = 'ver_300'`,
      `update versions set published_at = null where id = 'ver_210'`,
      `update versions set published_at = '2026-05-04' where id = 'ver_210'`,
      `update versions set published_at = '2026-99-99T99:99:99.999Z' where id = 'ver_210'`,
      `update versions set published_at = 'abcd-ef-ghTij:kl:mn.opqZ' where id = 'ver_210'`,
      `update versions set label = '1.0.0' where id = 'ver_210'`,
      `update versions set yanked = 2 where id = 'ver_210'`,
      `update changes set type = 'improved'`,
      `update changes set position = 0 where version_id = 'ver_210'`,
      `update api_keys set kind = 'SOME'`,
      `update api_keys set status = 'lost'`,
      `update api_keys set hash = 'same'`,
      `insert into api_key_products values ('${select}', ${foreign}, ${acme}, 'SELECT')`,
      `insert into api_key_products values ('${select}', ${foreign}, ${vault}, 'SELECT')`,
      `insert into api_key_products values ('${full}', ${rocket}, ${acme}, 'SELECT')`,
      `insert into api_key_products values ('${full}', ${rocket}, ${acme}, 'FULL')`,
    ]) {
      assert.throws(() => database.prepare(statement).run(), /constraint failed/, statement);
    }
  });

  it('lets nothing outlive what it belonged to, whoever deletes', (t) => {
    const copy = path.join(temporaryFolder(t), 'copy.db');
    const original = new Sqlite(file);
    original.exec(`vacuum into '${copy}'`);
    original.close();
    const database = new Sqlite(copy);
    t.after(() => void database.close());
    database.pragma('foreign_keys = off');
    database.exec(`delete from teams`);
    for (const table of ['products', 'changelogs', 'versions', 'changes', 'api_keys', 'api_key_products']) {
      assert.equal(database.prepare(`select count(*) from ${table}`).pluck().get(), 0, table);
    }
  });

  it('serves a copy made by vacuum into as a database of its own kind', async (t) => {
    const own = { folder: temporaryFolder(t) };
    const original = new Sqlite(file);
    original.exec(`vacuum into '${path.join(own.folder, 'changelog.db')}'`);
    original.close();
    const { child, exited } = await spawnServer(t, own);
    const copy = new Sqlite(path.join(own.folder, 'changelog.db'), { readonly: true });
    assert.equal(copy.pragma('journal_mode', { simple: true }), 'wal');
    copy.close();
    child.kill('SIGTERM');
    await exited;
  });
});
