// R29 and R30 for keys: a cached key is used only while it is as good as one from the database.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createKeyCache } from '../../../src/http/guards/bearer.ts';
import { DatabaseUnreachable } from '../../../src/store/engine/failures.ts';
import { EVERYTHING, type Touch } from '../../../src/store/engine/touches.ts';
import type { AtRevision, KeyRow } from '../../../src/store/read/reads.ts';
import { fakeSource, keysTouch, productTouch, teamTouch } from '../../support/source.ts';

const KEY: KeyRow = { id: 'key_1', team: 'acme', teamId: 1, status: 'active', kind: 'FULL', expiresAt: null };

/** A key cache over a fake source. */
function createCache(keysMax = 10, now?: () => string) {
  const stored: { result: AtRevision<KeyRow> | Error } = { result: { revision: 1, found: KEY } };
  let reads = 0;
  const { state, source, touch } = fakeSource(async () => {
    reads++;
    if (stored.result instanceof Error) throw stored.result;
    return stored.result as never;
  });
  const find = createKeyCache(source, keysMax, now);
  return { state, stored, find, touch, reads: () => reads };
}

describe('the key cache', () => {
  it('a key is read from the database once', async () => {
    const { find, reads } = createCache();
    for (let round = 0; round < 3; round++) assert.equal(await find('hash'), KEY);
    assert.equal(reads(), 1);
  });

  it('a cached key that expires is looked up again, each time, like an unknown one (R5)', async () => {
    let now = '2026-06-01T00:00:00.000Z';
    const { find, reads, stored } = createCache(10, () => now);
    const key = { ...KEY, expiresAt: '2026-06-01T00:00:00.001Z' };
    stored.result = { revision: 1, found: key };
    for (let round = 0; round < 2; round++) assert.equal(await find('hash'), key);
    assert.equal(reads(), 1);
    now = key.expiresAt;
    stored.result = { revision: 1, found: undefined };
    for (let round = 0; round < 2; round++) assert.equal(await find('hash'), undefined);
    assert.equal(reads(), 3);
  });

  const TOUCHES: [Touch[], boolean][] = [
    [[EVERYTHING], true],
    [[], false],
    [[keysTouch(1)], true],
    [[teamTouch(1)], true],
    [[productTouch(1, 5)], true],
    [[keysTouch(2)], false],
    [[productTouch(2, 3), productTouch(1, 5)], true],
  ];
  for (const [touches, isAsked] of TOUCHES) {
    it(`a key is ${isAsked ? '' : 'not '}reread after ${JSON.stringify(touches)}`, async () => {
      const { find, reads, touch } = createCache();
      await find('hash');
      touch(touches);
      await find('hash');
      assert.equal(reads(), isAsked ? 2 : 1);
    });
  }

  it('while the cache may be stale, each request reads the key and fails with the database', async () => {
    const { find, reads, state, stored } = createCache();
    await find('hash');
    state.isConfirmed = false;
    assert.equal(await find('hash'), KEY);
    assert.equal(reads(), 2);
    stored.result = new DatabaseUnreachable('down');
    await assert.rejects(async () => await find('hash'), DatabaseUnreachable);
  });

  it('a key read at an older revision is not cached', async () => {
    const { find, reads, state } = createCache();
    state.revision = 2;
    for (let round = 0; round < 2; round++) assert.equal(await find('hash'), KEY);
    assert.equal(reads(), 2);
  });

  it('an unknown key is never cached', async () => {
    const { find, reads, stored } = createCache(1);
    await find('hash');
    stored.result = { revision: 1, found: undefined };
    for (let round = 0; round < 3; round++) assert.equal(await find(`other-${round}`), undefined);
    assert.equal(await find('hash'), KEY);
    assert.equal(reads(), 4);
  });

  it('the least recently used key is evicted when there are too many', async () => {
    const { find, reads } = createCache(2);
    for (const hash of ['a', 'b', 'a', 'c', 'a']) await find(hash);
    assert.equal(reads(), 3);
    await find('b');
    assert.equal(reads(), 4);
  });
});
