// The short form of `npm run prove kills`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JOBS, killOnce, setUp } from '../../proofs/faults/kills.ts';
import { ENGINE } from '../../support/databases/engine.ts';

/** More than a run processes in one batch, also of new, changed and deleted versions. */
const SIZE = { versions: 220, changesAVersion: 1 };

/** Both jobs write in the same kind of transaction; the long form kills both on both engines. */
const SHORT_JOBS = ENGINE === 'sqlite' ? JOBS : JOBS.slice(0, 1);

for (const job of SHORT_JOBS) {
  test(`an ${job} that is killed has done everything or nothing, and can be run again`, async (t) => {
    const setup = await setUp(t, job, SIZE);
    if (job === 'apply' && ENGINE === 'sqlite') {
      assert.equal(await killOnce(setup, 'at its start'), 'before');
      assert.equal(await killOnce(setup, 'at its last word'), 'after');
      await killOnce(setup, 'at the opening');
    }
    const killAt = Math.random() * setup.openMs;
    t.diagnostic(`killed ${Math.round(killAt)} ms after it opened the database`);
    await killOnce(setup, killAt);
  });
}
