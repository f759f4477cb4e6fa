// The short form of `npm run prove freshness`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHANGES, changeOnce, SHOWN_MS_MAX, setUp, worstOf } from '../../proofs/nodes/freshness.ts';
import { stretched } from '../../support/processes/busy.ts';

test('every node shows a committed change within one second', async (t) => {
  const setup = await setUp(t);
  const rounds = [];
  for (const round of CHANGES.keys()) rounds.push(await changeOnce(setup, round));
  t.diagnostic(`slowest of ${rounds.length} rounds: ${Math.round(worstOf(rounds))} ms`);
  assert.ok(worstOf(rounds) <= stretched(SHOWN_MS_MAX), JSON.stringify(rounds));
});
