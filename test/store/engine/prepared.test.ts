import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { visibleRows } from '../../../src/domain/access/visibility.ts';
import { dialectOf } from '../../../src/store/engine/dialect.ts';
import { asReader, type Reader } from '../../../src/store/engine/engine.ts';
import { prepare } from '../../../src/store/engine/prepared.ts';
import { seedWorld } from '../../../support/content/world.ts';
import { databaseUrl } from '../../../support/databases/engine.ts';
import { openReader, openWriter } from '../../../support/databases/open.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import type { Sandbox } from '../../../support/program/command.ts';

const scope = sharedScope();
const sandbox: Sandbox = { folder: temporaryFolder(scope) };
before(() => seedWorld(sandbox));

async function open(): Promise<Reader> {
  const db = await openReader(databaseUrl(sandbox));
  scope.after(() => db.destroy());
  return db;
}

const PUBLIC = visibleRows('public');
const ALL = visibleRows('team');

function counting() {
  let builds = 0;
  const find = prepare((_, { slug }: { slug: string }, { team }) => {
    builds++;
    return sql<{ slug: string }>`select slug from teams where slug = ${slug}
      ${team ? sql`and visibility = ${team}` : sql``}`;
  });
  return { find, builds: () => builds };
}

describe('a prepared query', () => {
  it('a prepared query runs with the values of each call, also when calls overlap', async () => {
    const { find, builds } = counting();
    const db = await open();
    const slugs = ['acme', 'vault', 'nobody', 'acme'];
    const found = await Promise.all(slugs.map((slug) => find(db, { slug }, ALL)));
    assert.deepEqual(found, [[{ slug: 'acme' }], [{ slug: 'vault' }], [], [{ slug: 'acme' }]]);
    assert.equal(builds(), 1);
  });

  it('a prepared query is built once per surface and database', async () => {
    const { find, builds } = counting();
    for (const db of [await open(), await open()]) {
      for (let round = 0; round < 2; round++) {
        assert.deepEqual(await find(db, { slug: 'vault' }, ALL), [{ slug: 'vault' }]);
        assert.deepEqual(await find(db, { slug: 'vault' }, PUBLIC), []);
      }
    }
    assert.equal(builds(), 4);
  });

  it('a value that makes a prepared query fail makes only its own call fail', async () => {
    const parse = prepare((db, { text }: { text: string }) => {
      const asJson =
        dialectOf(db).engine === 'sqlite' ? sql<string>`json(${text})` : sql<string>`(${text})::json`;
      return sql`select cast(${asJson} as text) as text from revision`;
    });
    const db = await open();
    const texts = ['[1]', 'nonsense', '[2]', 'more', '[3]'];
    const calls = await Promise.allSettled(texts.map(async (text) => await parse(db, { text })));
    assert.deepEqual(
      calls.map((call) => (call.status === 'fulfilled' ? call.value : call.reason.name !== undefined)),
      [[{ text: '[1]' }], true, [{ text: '[2]' }], true, [{ text: '[3]' }]],
    );
  });

  it('a prepared query in a transaction sees what that wrote', async () => {
    const { find } = counting();
    const db = await openWriter(databaseUrl(sandbox), { create: false });
    scope.after(() => db.destroy());
    const undone = db.transaction().execute(async (trx) => {
      await sql`update teams set slug = 'renamed' where slug = 'acme'`.execute(trx);
      assert.deepEqual(await find(asReader(trx), { slug: 'renamed' }, ALL), [{ slug: 'renamed' }]);
      throw new Error('undone');
    });
    await assert.rejects(undone, /undone/);
  });

  it('a reader that only ran prepared queries, or none, is closed when it is destroyed', async () => {
    for (const runs of [0, 1]) {
      const { find } = counting();
      const db = await openReader(databaseUrl(sandbox));
      for (let run = 0; run < runs; run++) await find(db, { slug: 'acme' }, ALL);
      await db.destroy();
      await db.destroy();
      await assert.rejects(async () => await find(db, { slug: 'acme' }, ALL));
    }
  });
});
