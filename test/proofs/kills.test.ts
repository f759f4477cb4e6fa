// The short form of `npm run prove kills`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JOBS, killOnce, setUp } from '../../proofs/faults/kills.ts';
import { ENGINE } from '../../support/databases/engine.ts';

/** More than a run has in hand at once, also of those that are new, changed or gone. */
const VERSIONS = 220;

for (const job of JOBS) {
  test(`an ${job} that is killed is done as a whole or not at all, and can be done again`, async (t) => {
    const setup = await setUp(t, job, VERSIONS);
    if (job === 'apply' && ENGINE === 'sqlite') {
      assert.equal(await killOnce(setup, 'at its start'), 'before');
      assert.equal(await killOnce(setup, 'at its last word'), 'after');
      await killOnce(setup, 'at the opening');
    }
    const moment = Math.random() * setup.openMs;
    t.diagnostic(`killed ${Math.round(moment)} ms after the opening`);
    await killOnce(setup, moment);
  });
}
