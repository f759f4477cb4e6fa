import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { attack } from '../../proofs/fuzz/campaign.ts';
import { createWorld } from '../../proofs/fuzz/world.ts';

const REQUESTS = 1_500;
const SEED_MAX = 2 ** 31 - 1_000;
const EXPECTED_STATUSES = [200, 204, 304, 400, 401, 403, 404, 405, 414, 431];

test('no request gets a 5xx or an unexpected body, leaks hidden content or stops the process', async (t) => {
  const seed = randomInt(SEED_MAX);
  t.diagnostic(`seed ${seed}: TEST_ENGINE=sqlite npm run prove fuzz ${REQUESTS} ${seed} repeats this run`);
  const { responses, failure } = await attack(await createWorld(t), { requests: REQUESTS, seed });
  assert.equal(failure, null, failure ?? '');
  for (const status of EXPECTED_STATUSES)
    assert.ok(responses['well-formed'].has(String(status)), `no response had status ${status}`);
});
