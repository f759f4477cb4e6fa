// A database of an earlier release, brought up to date with what is in it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dump, execute, query } from '../../../support/databases/engine.ts';
import { temporaryFolder } from '../../../support/processes/scope.ts';
import { startApp } from '../../../support/program/app.ts';
import { runOk, type Workplace } from '../../../support/program/command.ts';
import { becomes } from '../../support/becomes.ts';
import { makeEarlier } from './earlier.ts';

const TOUCHES = 'select team_id, product_id, revision from touches order by team_id, product_id';
const COUNTS = 'select id, change_count from versions order by id';

describe('a database from before changes were counted', () => {
  it('has each number of changes, and nobody is told of anything', async (t) => {
    const workplace: Workplace = { folder: temporaryFolder(t) };
    await makeEarlier(workplace, '0003_key_usage');
    const before = await query(workplace, TOUCHES);
    assert.match(await runOk(workplace, ['migrate']), /0004_change_counts/);
    assert.deepEqual(await query(workplace, COUNTS), [
      { id: 'ver_11', change_count: 1 },
      { id: 'ver_11b', change_count: 0 },
      { id: 'ver_12', change_count: 1 },
      { id: 'ver_14', change_count: 1 },
      { id: 'ver_21', change_count: 1 },
      { id: 'ver_41', change_count: 1 },
    ]);
    assert.deepEqual(await query(workplace, TOUCHES), before);
    await execute(workplace, `update changes set version_id = 'ver_11b' where id = 'chg_11'`);
    assert.deepEqual((await query(workplace, COUNTS)).slice(0, 2), [
      { id: 'ver_11', change_count: 0 },
      { id: 'ver_11b', change_count: 1 },
    ]);
  });
});

/** Every row of the tables that authors and tools write, and what nodes are told. */
async function contentOf(workplace: Workplace) {
  const { revision, ...tables } = (await dump(workplace)) ?? {};
  const names = ['teams', 'products', 'changelogs', 'versions', 'changes', 'api_keys', 'api_key_products'];
  const kept = names.map((name) => [name, tables[name]]);
  return { ...Object.fromEntries(kept), revision, touches: await query(workplace, TOUCHES) };
}

describe('a database from before what is public was a table of its own', () => {
  it('keeps all that it has, and knows what is public, by path and by word', async (t) => {
    const workplace: Workplace = { folder: temporaryFolder(t) };
    await makeEarlier(workplace, '0006_import_marks');
    const before = await contentOf(workplace);
    assert.match(await runOk(workplace, ['migrate']), /0007_public_rows/);
    assert.deepEqual(await contentOf(workplace), before);
    assert.deepEqual(
      await query(workplace, 'select team_slug, product_slug from public_changelogs order by 1, 2'),
      [
        { team_slug: 'acme', product_slug: 'glider' },
        { team_slug: 'acme', product_slug: 'rocket' },
        { team_slug: 'vault', product_slug: 'crate' },
      ],
    );
    const { app } = await startApp(t, workplace);
    const search = async (path: string) => {
      const response = await app.inject(`/api/v1/public/teams/${path}/changelog?q=one`);
      return response.json().data?.versions.length ?? response.statusCode;
    };
    assert.deepEqual(await Promise.all(['vault/products/crate', 'acme/products/rocket'].map(search)), [1, 0]);
    assert.equal(await search('acme/products/veiled'), 404);
    await execute(workplace, `update products set status = 'published' where slug = 'veiled'`);
    await becomes(() => search('acme/products/veiled'), 1);
  });
});

describe('a database from before imports left marks', () => {
  it('keeps all that it has, has no mark, and nobody is told of anything', async (t) => {
    const workplace: Workplace = { folder: temporaryFolder(t) };
    await makeEarlier(workplace, '0005_version_facts');
    const before = await contentOf(workplace);
    assert.match(await runOk(workplace, ['migrate']), /0006_import_marks/);
    assert.deepEqual(await contentOf(workplace), before);
    assert.deepEqual(await query(workplace, 'select * from import_marks'), []);
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
