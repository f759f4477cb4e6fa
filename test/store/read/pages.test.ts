// Versions by their changes (R32, R53).
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { visibleRows } from '../../../src/domain/access/visibility.ts';
import { type FeedQuery, NO_FILTER, parseWords } from '../../../src/domain/feed-query.ts';
import type { Surface } from '../../../src/domain/model.ts';
import type { Reader } from '../../../src/store/engine/engine.ts';
import { findIndexedPage, findPage } from '../../../src/store/read/pages.ts';
import { databaseUrl, execute } from '../../../support/databases/engine.ts';
import { openReader } from '../../../support/databases/open.ts';
import { sharedScope, temporaryFolder } from '../../../support/processes/scope.ts';
import { apply, type Sandbox } from '../../../support/program/command.ts';
import { documentOf } from '../../cli/helpers.ts';

const scope = sharedScope();
const sandbox: Sandbox = { folder: temporaryFolder(scope) };
let db: Reader;
const published = (version: string, changes: { type: string; text: string; breaking?: boolean }[]) => ({
  id: `ver_${version}`,
  version,
  title: '',
  status: 'published',
  publishedAt: '2026-05-04',
  changes: changes.map((change, index) => ({ id: `chg_${version}${index}`, ...change })),
});

before(async () => {
  await apply(
    sandbox,
    documentOf([
      published('1', [{ type: 'added', text: 'breaking' }]),
      published('2', [
        { type: 'removed', text: 'fuse', breaking: true },
        { type: 'fixed', text: 'leak' },
      ]),
      published('3', [{ type: 'fixed', text: 'fuse', breaking: true }]),
      { ...published('4', [{ type: 'fixed', text: 'fuse', breaking: true }]), status: 'draft' },
    ]),
  );
  db = await openReader(databaseUrl(sandbox));
  scope.after(() => db.destroy());
});

/** With and without a limit, and counted. */
async function labels(query: Partial<FeedQuery>, surface: Surface = 'public'): Promise<string> {
  const path = { team: 'acme', product: 'rocket' };
  const find = async (limit: number | null) => {
    const { found } = await findPage(db, path, visibleRows(surface), { ...NO_FILTER, ...query, limit });
    return found?.versions.map(({ label }) => label).join(' ') ?? '';
  };
  const found = await find(null);
  assert.equal(await find(10), found);
  const after = { sortKey: '2026-05-04T00:00:00.000Z', id: 'ver_2' };
  const filter = { ...NO_FILTER, ...query, after };
  const { found: counted } = await findIndexedPage(db, path, visibleRows(surface), filter, {});
  const count = found === '' ? 0 : found.split(' ').length;
  const matches = counted === undefined ? { count: 0, isMore: false } : counted.matches;
  assert.deepEqual(matches, { count, isMore: false }, 'the same on every page');
  return found;
}

describe('versions with breaking changes', () => {
  it('are found by any of them, and by one that is of a type and breaking', async () => {
    assert.equal(await labels({ isBreaking: true }), '2 3');
    assert.equal(await labels({ isBreaking: true, types: ['fixed'] }), '3');
    assert.equal(await labels({ isBreaking: true, types: ['fixed', 'removed'] }), '2 3');
    assert.equal(await labels({ isBreaking: true, types: ['added'] }), '');
    assert.equal(await labels({ types: ['fixed'] }), '2 3');
    assert.equal(await labels({ isBreaking: true }, 'team'), '2 3 4');
  });

  it('are not found by the word, and are found by words too', async () => {
    assert.equal(await labels({ words: parseWords('breaking') }), '1');
    assert.equal(await labels({ words: parseWords('leak'), isBreaking: true }), '2');
    assert.equal(await labels({ words: parseWords('leak'), isBreaking: true, types: ['fixed'] }), '');
  });

  it('are found as plain SQL changes them', async () => {
    const write = (statement: string) => execute(sandbox, statement);
    await write(`update changes set breaking = 1 where id = 'chg_10'`);
    assert.equal(await labels({ isBreaking: true }), '1 2 3');
    await write(`update changes set breaking = 0 where id in ('chg_10', 'chg_20')`);
    assert.equal(await labels({ isBreaking: true }), '3');
    await write(`update changes set type = 'other' where id = 'chg_30'`);
    assert.equal(await labels({ isBreaking: true, types: ['other'] }), '3');
    await write(`insert into changes (id, version_id, position, type, text, breaking)
      values ('chg_11', 'ver_1', 9, 'security', '', 1)`);
    assert.equal(await labels({ isBreaking: true, types: ['security'] }), '1');
    await write(`delete from changes where id = 'chg_30'`);
    assert.equal(await labels({ isBreaking: true }), '1');
    await write(`update versions set status = 'published' where id = 'ver_4'`);
    assert.equal(await labels({ isBreaking: true }), '1 4');
  });
});

describe('versions by the beginning of words', () => {
  it('are found by beginnings that very many words have', async () => {
    for (const version of [1, 2, 3]) {
      const words = Array.from({ length: 50 }, (_, index) => `word${version * 100 + index}`).join(' ');
      await execute(sandbox, `update versions set title = 'Fuse ${words}' where id = 'ver_${version}'`);
    }
    assert.equal(await labels({ words: parseWords('word') }), '1 2 3');
    assert.equal(await labels({ words: parseWords('word leak') }), '2');
    assert.equal(await labels({ words: parseWords('word'), types: ['fixed'] }), '2');
    assert.equal(await labels({ words: parseWords('fuse-word word2') }), '2');
    assert.equal(await labels({ words: parseWords('fuse-word21') }), '');
  });

  it('are found when they become public, and not before', async () => {
    const found = (surface?: Surface) => labels({ words: parseWords('hushed-ton') }, surface);
    await execute(sandbox, `update versions set status = 'draft', title = 'Hushed tones' where id = 'ver_4'`);
    assert.deepEqual([await found(), await found('team')], ['', '4']);
    await execute(sandbox, `update versions set status = 'published' where id = 'ver_4'`);
    assert.deepEqual([await found(), await found('team')], ['4', '4']);
    await execute(sandbox, `update products set status = 'draft'`);
    await execute(sandbox, `update versions set title = 'Hushed tonight' where id = 'ver_4'`);
    assert.deepEqual([await found(), await found('team')], ['', '4']);
    await execute(sandbox, `update products set status = 'published'`);
    assert.deepEqual([await found(), await found('team')], ['4', '4']);
  });
});

describe('the number of versions found', () => {
  const count = async (typed: string, limits: Parameters<typeof findIndexedPage>[4] = {}) => {
    const filter = { ...NO_FILTER, words: parseWords(typed) };
    const path = { team: 'acme', product: 'rocket' };
    const { found } = await findIndexedPage(db, path, visibleRows('public'), filter, limits);
    return found?.matches;
  };
  before(() => execute(sandbox, `update versions set title = '機能 many'`));

  it('has a limit', async () => {
    for (const typed of ['man', '機']) {
      assert.deepEqual(await count(typed), { count: 4, isMore: false });
      assert.deepEqual(await count(typed, { countedMax: 4 }), { count: 4, isMore: false });
      assert.deepEqual(await count(typed, { countedMax: 3 }), { count: 3, isMore: true });
    }
  });

  it('is unknown if there are too many texts to compare', async () => {
    assert.equal(await count('機', { comparedMax: 2 }), null);
  });

  it('is the same for what is missing and what is hidden', async () => {
    await execute(sandbox, `update changelogs set status = 'draft'`);
    assert.equal(await count('man'), undefined);
  });
});
