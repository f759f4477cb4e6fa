import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killOnce, setStage } from './kill.ts';

const RANDOM_ROUNDS = 2;
/** More than an apply has in hand at once, also of those that are new, changed or gone. */
const VERSIONS = 220;

test('an apply that is killed is done as a whole or not at all, and can be done again', async (t) => {
  const stage = await setStage(t, VERSIONS);
  assert.equal(await killOnce(stage, 'start', 'at its start'), 'before');
  assert.equal(await killOnce(stage, 'end', 'at its last word'), 'after');
  await killOnce(stage, 'opening', 'at the opening');
  for (let round = 0; round < RANDOM_ROUNDS; round++) {
    const moment = Math.random() * stage.openMs;
    t.diagnostic(`killed ${Math.round(moment)} ms after the opening`);
    await killOnce(stage, `random-${round}`, moment);
  }
});
