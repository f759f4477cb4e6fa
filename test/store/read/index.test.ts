// The versions of a changelog in memory: when an index is built, and when what it says is read again.
import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'node:test';
import { visibleRows } from '../../../src/domain/access/visibility.ts';
import { type FeedQuery, NO_FILTER, parseWords } from '../../../src/domain/feed-query.ts';
import type { Reader } from '../../../src/store/engine/engine.ts';
import { type ChangelogIndex, Indexes, readFromIndex, readIndexed } from '../../../src/store/read/index.ts';
import { findPage } from '../../../src/store/read/pages.ts';
import { HEAD } from '../../../src/store/read/reads.ts';
import { databaseUrl, execute } from '../../../support/databases/engine.ts';
import { openReader } from '../../../support/databases/open.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { apply, type Sandbox } from '../../../support/program/command.ts';
import { documentOf } from '../../cli/helpers.ts';

const PATH = { team: 'acme', product: 'rocket' };
const PUBLIC = visibleRows('public');
const scope = sharedScope();
const sandbox: Sandbox = { folder: temporaryFolder(scope) };
let db: Reader;
let statements = 0;

const version = (label: string, day: number, status = 'published') => ({
  id: `ver_${label}`,
  version: label,
  title: label,
  status,
  publishedAt: `2026-05-0${day}`,
  changes: [{ id: `chg_${label}`, type: 'fixed', text: 'Fixed' }],
});

before(async () => {
  const versions = [version('5', 5, 'draft'), ...[4, 3, 2, 1].map((day) => version(String(day), day))];
  await apply(sandbox, documentOf(versions));
});

/** Each test has a connection of its own, which has no index yet. */
beforeEach(async () => {
  db = await openReader(databaseUrl(sandbox), { connectionsMax: 2, onQuery: () => statements++ });
  scope.after(() => db.destroy());
  statements = 0;
});

async function find(query: Partial<FeedQuery> = {}) {
  const filter = { ...NO_FILTER, types: ['fixed'], limit: 10, ...query } as const;
  const { found } = await findPage(db, PATH, PUBLIC, filter);
  return { labels: found?.versions.map(({ label }) => label).join(' '), end: found?.end ?? null };
}

const retitle = (label: string) =>
  execute(sandbox, `update versions set title = 'Again' where id = 'ver_${label}'`);

describe('the index of a changelog', () => {
  it('is built once for many reads that need it at the same time, at first and after a write', async () => {
    const READS = 30;
    const findTogether = () => Promise.all(Array.from({ length: READS }, () => find()));
    assert.deepEqual(new Set((await findTogether()).map(({ labels }) => labels)), new Set(['4 3 2 1']));
    assert.equal(statements, 1 + READS);
    await retitle('4');
    statements = 0;
    await findTogether();
    assert.ok(statements <= 1 + 2 * READS, `${statements} statements`);
  });

  it('is neither built nor read again after a write to a draft, whose time would tell of it (R9)', async () => {
    await find();
    statements = 0;
    await retitle('5');
    await execute(sandbox, `delete from changes where id = 'chg_5'`);
    await apply(
      sandbox,
      documentOf(Array.from({ length: 300 }, (_, n) => version(`draft-${n}`, 1, 'draft'))),
    );
    await find();
    assert.equal(statements, 1);
  });

  it('is built again if the changelog was written to, and then what it says is read again', async () => {
    await find();
    await execute(sandbox, `update versions set status = 'draft' where id = 'ver_3'`);
    statements = 0;
    assert.equal((await find()).labels, '4 2 1');
    assert.equal(statements, 3, 'with the old index, for the new one, and with that');
    await execute(sandbox, `update versions set status = 'published' where id = 'ver_3'`);
  });

  it('is built again after an apply that writes all versions of the changelog, and no other is', async () => {
    const all = (type: string) =>
      documentOf(
        [1, 2].map((day) => ({ ...version(`all-${day}`, day), changes: [{ type, text: 'All' }] })),
        {
          slug: 'all',
        },
      );
    const findAll = async () => {
      const filter = { ...NO_FILTER, types: ['fixed'], limit: 10 } as const;
      return (await findPage(db, { team: 'acme', product: 'all' }, PUBLIC, filter)).found?.versions.length;
    };
    await apply(sandbox, all('added'));
    assert.equal(await findAll(), 0);
    await find();
    await apply(sandbox, all('fixed'));
    assert.equal(await findAll(), 2);
    statements = 0;
    await find();
    assert.equal(statements, 1);
  });

  it('keeps what was found for each word of a search: its next page only reads the versions', async () => {
    const words = parseWords('fixed 4 fix 3');
    await find({ words });
    statements = 0;
    await find({ words });
    assert.equal(statements, 1);
  });

  it('keeps the fields of the head, and not the text that they came in', async () => {
    const { found } = await readFromIndex(db, PATH, PUBLIC, ({ head }) => ({ head }));
    assert.deepEqual(Object.keys(found?.head ?? {}).sort(), [...Object.keys(HEAD), 'revision'].sort());
  });

  it('leaves cursors valid across a write', async () => {
    const { labels, end } = await find({ limit: 2 });
    assert.equal(labels, '4 3');
    await execute(sandbox, `update versions set status = 'draft' where id = 'ver_3'`);
    await execute(sandbox, `update versions set status = 'published' where id = 'ver_5'`);
    assert.equal((await find({ limit: 2, after: end })).labels, '2 1');
    await execute(sandbox, `update versions set status = 'draft' where id = 'ver_5'`);
    await execute(sandbox, `update versions set status = 'published' where id = 'ver_3'`);
  });

  it('is built and read in one transaction, at last, if the changelog is written to all the time', async () => {
    let tries = 0;
    const { found } = await readIndexed(db, PATH, PUBLIC, async (_, own) => {
      tries++;
      await retitle('4');
      return await findPage(own, PATH, PUBLIC, { ...NO_FILTER, limit: 1 });
    });
    assert.equal(found?.versions.length, 1);
    assert.equal(tries, 4);
  });
});

describe('the memory for indexes', () => {
  const indexOf = (versions: number) =>
    ({ head: {}, versions: Array.from({ length: versions }) }) as unknown as ChangelogIndex;
  const put = async (indexes: Indexes, key: string, versions: number) =>
    void (await indexes.build(key, async () => ({ revision: 1, found: indexOf(versions) })));
  const kept = (indexes: Indexes, keys: readonly string[]) => keys.filter((key) => indexes.get(key));

  it('is limited: the least recently used one is forgotten first', async () => {
    const indexes = new Indexes(1_000_000);
    for (const key of ['a', 'b']) await put(indexes, key, 1_000);
    indexes.get('a');
    await put(indexes, 'c', 1_000);
    assert.deepEqual(kept(indexes, ['a', 'b', 'c']), ['a', 'c']);
  });

  it('holds one that is too large, alone', async () => {
    const indexes = new Indexes(1_000_000);
    await put(indexes, 'small', 10);
    await put(indexes, 'large', 100_000);
    assert.deepEqual(kept(indexes, ['small', 'large']), ['large']);
  });
});
