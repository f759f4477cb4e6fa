import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { compareWithOracle } from '../../proofs/queries/campaign.ts';

const CASES = 200;

test('every combination of parameters finds what going through everything finds, page by page', async (t) => {
  const seed = randomInt(2 ** 30);
  t.diagnostic(`seed ${seed}: npm run queries -- ${CASES} ${seed} asks the same`);
  assert.equal(await compareWithOracle({ cases: CASES, seed }), CASES);
});
