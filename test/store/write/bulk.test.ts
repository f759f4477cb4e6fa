// Writing versions and changes with their triggers off.
import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { visibleRows } from '../../../src/domain/access/visibility.ts';
import type { Writer } from '../../../src/store/engine/engine.ts';
import { openReader, openWriter } from '../../../src/store/engine/open.ts';
import { findFeed } from '../../../src/store/read/find-feed.ts';
import type { VersionRow } from '../../../src/store/read/reads.ts';
import { writeInBulk } from '../../../src/store/write/bulk.ts';
import { databaseUrl, query } from '../../../support/databases/engine.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { runOk, type Sandbox } from '../../../support/program/command.ts';
import { SEED } from '../triggers/touch-table.ts';

const scope = sharedScope();
const sandbox: Sandbox = { folder: temporaryFolder(scope) };
let db: Writer;
let revision: number;
before(async () => {
  await runOk(sandbox, ['migrate']);
  db = await openWriter(databaseUrl(sandbox), { create: false });
  scope.after(() => db.destroy());
});
beforeEach(async () => {
  for (const statement of `delete from teams; ${SEED}`.split(';'))
    if (statement.trim() !== '') await sql.raw(statement).execute(db);
  revision = await findRevision();
});

const inTransaction = <T>(work: (trx: Writer) => Promise<T>) => db.transaction().execute(work);
const rename = (trx: Writer) => trx.updateTable('versions').set({ title: 'Other' }).execute();
const addChange = (trx: Writer, id: string) =>
  trx
    .insertInto('changes')
    .values({ id, version_id: 'ver_12', position: 9, type: 'added', text: 'A', breaking: 0 })
    .execute();

async function findRevision(): Promise<number> {
  const [row] = await query<{ value: number }>(sandbox, 'select value from revision');
  return row?.value ?? 0;
}

const listTouches = () =>
  query<{ product_id: number; revision: number }>(
    sandbox,
    `select product_id, revision from touches where revision > ${revision} order by product_id`,
  );

async function countOf(id: string): Promise<number | undefined> {
  const [row] = await query<{ change_count: number }>(
    sandbox,
    `select change_count from versions where id = '${id}'`,
  );
  return row?.change_count;
}

describe('a bulk write', () => {
  it('a bulk write touches the products that it reports, in one revision', async () => {
    const result = await inTransaction((trx) =>
      writeInBulk(trx, async ({ touch }) => {
        await rename(trx);
        for (const id of [21, 11, 21]) touch(id, false);
        return 'done';
      }),
    );
    assert.equal(result, 'done');
    assert.equal(await findRevision(), revision + 1);
    assert.deepEqual(await listTouches(), [
      { product_id: 11, revision: revision + 1 },
      { product_id: 21, revision: revision + 1 },
    ]);
  });

  it('a bulk write touches a product as public if a published version of a public changelog was written', async () => {
    await inTransaction((trx) =>
      writeInBulk(trx, async ({ touch }) => {
        for (const id of [11, 12, 14, 21, 41]) touch(id, id !== 12);
        touch(11, false);
      }),
    );
    const rows = await query<{ product_id: number }>(
      sandbox,
      `select product_id from touches where public_revision = ${revision + 1} order by product_id`,
    );
    assert.deepEqual(
      rows.map(({ product_id }) => product_id),
      [11, 21],
    );
    await inTransaction((trx) => writeInBulk(trx, async ({ touch }) => touch(21, false)));
    const [row] = await query(sandbox, 'select revision, public_revision from touches where product_id = 21');
    assert.deepEqual(row, { revision: revision + 2, public_revision: revision + 1 });
  });

  it('a bulk write touches thousands of products', async () => {
    const ids = Array.from({ length: 2_000 }, (_, index) => 1_000 + index);
    await inTransaction(async (trx) => {
      const products = ids.map((id) => sql`(${id}, 1, ${`p${id}`}, 'P', 'draft')`);
      await sql`insert into products (id, team_id, slug, name, status) values ${sql.join(products)}`.execute(
        trx,
      );
      revision = (await trx.selectFrom('revision').select('value').executeTakeFirstOrThrow()).value - 1;
      await writeInBulk(trx, async ({ touch }) => {
        for (const id of ids) touch(id, false);
      });
    });
    const touches = await listTouches();
    assert.deepEqual(
      touches.map(({ product_id }) => product_id),
      ids,
    );
    assert.deepEqual([...new Set(touches.map(({ revision }) => revision))], [await findRevision()]);
  });

  it('a bulk write that reports no product touches nothing', async () => {
    await inTransaction((trx) => writeInBulk(trx, async () => {}));
    await inTransaction((trx) => writeInBulk(trx, () => rename(trx)));
    assert.equal(await findRevision(), revision);
    assert.deepEqual(await listTouches(), []);
  });

  it('a bulk write keeps the change counts that it sets', async () => {
    await inTransaction((trx) =>
      writeInBulk(trx, async () => {
        await addChange(trx, 'chg_new');
        await trx.updateTable('versions').set({ change_count: 2 }).where('id', '=', 'ver_12').execute();
        await trx.updateTable('versions').set({ change_count: 5 }).where('id', '=', 'ver_11').execute();
      }),
    );
    assert.deepEqual([await countOf('ver_12'), await countOf('ver_11')], [2, 5]);
  });

  it('a bulk write computes the same facts as the triggers', async () => {
    const facts = () =>
      query(
        sandbox,
        `select label, status, sort_key, version_order, body from version_facts
        where version_id = 'ver_12'`,
      );
    await inTransaction((trx) =>
      writeInBulk(trx, async ({ refreshFacts }) => {
        await rename(trx);
        await addChange(trx, 'chg_new');
        await trx.updateTable('versions').set({ change_count: 2 }).where('id', '=', 'ver_12').execute();
        await refreshFacts(['ver_12']);
      }),
    );
    const written = await facts();
    assert.equal(written[0]?.body, '1\nOther\n\nA\nA');
    await inTransaction((trx) =>
      trx.updateTable('versions').set({ title: 'Other' }).where('id', '=', 'ver_12').execute(),
    );
    assert.deepEqual(await facts(), written);
  });

  it('after a bulk write, the same transaction writes with triggers again', async () => {
    await inTransaction(async (trx) => {
      await writeInBulk(trx, async () => {});
      await addChange(trx, 'chg_new');
    });
    assert.equal(await countOf('ver_12'), 2);
    assert.deepEqual(await listTouches(), [{ product_id: 12, revision: await findRevision() }]);
  });

  it('a connection that was open before sees a bulk write', async (t) => {
    const reader = await openReader(databaseUrl(sandbox));
    t.after(() => reader.destroy());
    const path = { team: 'acme', product: 'glider' };
    const titles = async () => {
      const { found } = await findFeed(reader, path, visibleRows('team'));
      const versions: VersionRow[] = JSON.parse(found?.versions ?? '[]');
      return versions.map(({ title }) => title);
    };
    assert.deepEqual(await titles(), ['One']);
    await inTransaction((trx) => writeInBulk(trx, () => rename(trx)));
    assert.deepEqual(await titles(), ['Other']);
  });

  it('a bulk write that fails leaves nothing behind', async () => {
    const failing = inTransaction((trx) =>
      writeInBulk(trx, async ({ touch }) => {
        await rename(trx);
        touch(11, false);
        throw new Error('enough');
      }),
    );
    await assert.rejects(failing, /enough/);
    assert.deepEqual(await listTouches(), []);
    await inTransaction((trx) => addChange(trx, 'chg_new'));
    assert.equal(await countOf('ver_12'), 2);
  });

  it('a bulk write ends with its transaction, even if that is committed too early', async () => {
    const early = inTransaction(async (trx) => {
      await writeInBulk(trx, () => Promise.reject(new Error('enough'))).catch(() => {});
    });
    // SQLite rejects the commit, and PostgreSQL forgets the setting.
    await early.catch(() => {});
    await inTransaction((trx) => addChange(trx, 'chg_new'));
    assert.equal(await countOf('ver_12'), 2);
    assert.deepEqual(await listTouches(), [{ product_id: 12, revision: await findRevision() }]);
  });
});
