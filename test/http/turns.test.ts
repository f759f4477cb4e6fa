import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { takeTurns } from '../../src/http/turns.ts';

describe('work in turns', () => {
  it('is done a few at a time, in the order it came, and refused beyond what may wait', async () => {
    const inTurn = takeTurns(2, 2);
    const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
    const begun: number[] = [];
    const works = gates.map(({ promise }, index) =>
      inTurn(async () => {
        begun.push(index);
        await promise;
        return index;
      }),
    );
    await assert.rejects(
      inTurn(async () => {}),
      { code: 'unavailable', headers: { 'retry-after': 1 } },
    );
    assert.deepEqual(begun, [0, 1]);
    gates[1]?.resolve();
    assert.equal(await works[1], 1);
    assert.deepEqual(begun, [0, 1, 2]);
    for (const { resolve } of gates) resolve();
    assert.deepEqual(await Promise.all(works), [0, 1, 2, 3]);
    assert.equal(await inTurn(async () => 'again'), 'again');
  });

  it('goes on after work that failed', async () => {
    const inTurn = takeTurns(1, 1);
    await assert.rejects(
      inTurn(() => Promise.reject(new Error('no'))),
      /no/,
    );
    assert.equal(await inTurn(async () => 'yes'), 'yes');
  });
});
