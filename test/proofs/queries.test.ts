import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { compareWithOracle } from '../../proofs/queries/campaign.ts';

const CASES = 200;

test('every combination of parameters returns the same versions as a full scan, page by page', async (t) => {
  const seed = randomInt(2 ** 30);
  t.diagnostic(`seed ${seed}: npm run prove queries ${CASES} ${seed} repeats this run`);
  assert.equal(await compareWithOracle({ cases: CASES, seed }), CASES);
});
