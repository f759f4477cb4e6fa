import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { seedWorld } from '../../../support/content/world.ts';
import { databaseUrl, execute, query } from '../../../support/databases/engine.ts';
import { openReader, type openWriter } from '../../../support/databases/open.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import type { Sandbox } from '../../../support/program/command.ts';

describe('the store', () => {
  const scope = sharedScope();
  const sandbox: Sandbox = { folder: temporaryFolder(scope) };
  before(() => seedWorld(sandbox));

  it('a reader cannot write to the database', async () => {
    const db = await openReader(databaseUrl(sandbox));
    const writing = db as unknown as Awaited<ReturnType<typeof openWriter>>;
    await assert.rejects(writing.deleteFrom('teams').execute(), /readonly|read-only|query_only/i);
    await assert.rejects(writing.schema.dropTable('teams').execute(), /readonly|read-only|query_only/i);
    await db.destroy();
  });

  it('the constraints of the schema reject invalid rows from any writer', async () => {
    const idOf = async (table: string, where: string) =>
      (await query(sandbox, `select id from ${table} where ${where}`))[0]?.id;
    const rocket = await idOf('products', "slug = 'rocket' and status = 'published'");
    const full = await idOf('api_keys', "kind = 'FULL'");
    const acme = await idOf('teams', "slug = 'acme'");
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
      `insert into api_key_products values ('${full}', ${rocket}, ${acme}, 'FULL')`,
    ]) {
      await assert.rejects(execute(sandbox, statement), /constraint/, statement);
    }
  });

  it('deleting a team deletes everything that belongs to it, whichever program deletes it', async (t) => {
    const own: Sandbox = { folder: temporaryFolder(t) };
    await seedWorld(own);
    assert.equal(await execute(own, 'delete from teams'), 2);
    for (const table of ['products', 'changelogs', 'versions', 'changes', 'api_keys', 'api_key_products'])
      assert.deepEqual(await query(own, `select * from ${table}`), [], table);
  });
});
