// R29 and R30 for keys: a key that is held is as good as one that is asked for, and no longer than that.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createKeyCache } from '../../../src/http/guards/key-cache.ts';
import { DatabaseUnreachable } from '../../../src/store/engine/failures.ts';
import type { AtRevision, KeyRow } from '../../../src/store/read/reads.ts';
import type { Touch } from '../../../src/store/source/revisions.ts';
import { fakeSource } from '../../support/source.ts';

const KEY: KeyRow = { id: 'key_1', team: 'acme', teamId: 1, status: 'active', kind: 'FULL' };

/** Keys over a source that answers as the test says. */
function finding(keysMax = 10) {
  const kept: { seen: AtRevision<KeyRow> | Error } = { seen: { revision: 1, found: KEY } };
  let reads = 0;
  const { state, source, touch } = fakeSource(async () => {
    reads++;
    if (kept.seen instanceof Error) throw kept.seen;
    return kept.seen as never;
  });
  const find = createKeyCache(source, keysMax);
  return { state, kept, find, touch, reads: () => reads };
}

describe('a key', () => {
  it('is asked for once', async () => {
    const { find, reads } = finding();
    for (let round = 0; round < 3; round++) assert.equal(await find('hash'), KEY);
    assert.equal(reads(), 1);
  });

  const TOUCHES: [Touch[] | null, boolean][] = [
    [null, true],
    [[], false],
    [[{ teamId: 1, productId: -1 }], true],
    [[{ teamId: 1, productId: 0 }], true],
    [[{ teamId: 1, productId: 5 }], true],
    [[{ teamId: 2, productId: -1 }], false],
    [
      [
        { teamId: 2, productId: 3 },
        { teamId: 1, productId: 5 },
      ],
      true,
    ],
  ];
  for (const [touches, isAsked] of TOUCHES) {
    it(`is ${isAsked ? '' : 'not '}asked for anew after ${JSON.stringify(touches)}`, async () => {
      const { find, reads, touch } = finding();
      await find('hash');
      touch(touches);
      await find('hash');
      assert.equal(reads(), isAsked ? 2 : 1);
    });
  }

  it('is asked for every time while it is not known whether anything was written, and fails with the database', async () => {
    const { find, reads, state, kept } = finding();
    await find('hash');
    state.isConfirmed = false;
    assert.equal(await find('hash'), KEY);
    assert.equal(reads(), 2);
    kept.seen = new DatabaseUnreachable('gone');
    await assert.rejects(async () => await find('hash'), DatabaseUnreachable);
  });

  it('is not held if what was read is older than what is known', async () => {
    const { find, reads, state } = finding();
    state.revision = 2;
    for (let round = 0; round < 2; round++) assert.equal(await find('hash'), KEY);
    assert.equal(reads(), 2);
  });

  it('that nobody has is asked for every time, and takes no room', async () => {
    const { find, reads, kept } = finding(1);
    await find('hash');
    kept.seen = { revision: 1, found: undefined };
    for (let round = 0; round < 3; round++) assert.equal(await find(`other-${round}`), undefined);
    assert.equal(await find('hash'), KEY);
    assert.equal(reads(), 4);
  });

  it('makes room for the next where there are too many', async () => {
    const { find, reads } = finding(1);
    for (const hash of ['a', 'b', 'b', 'a']) await find(hash);
    assert.equal(reads(), 3);
  });
});
