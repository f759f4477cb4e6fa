// The short form of `npm run prove cdn`.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import {
  describeJudgement,
  judge,
  OLD_MS_MAX,
  type Setup,
  setUp,
  writeAndRead,
} from '../../proofs/cdn/cdn.ts';
import { HIT_RATE_MIN, replayDay } from '../../proofs/cdn/day.ts';
import { WRITES_OF_ONE } from '../../proofs/cdn/writes.ts';
import { stretched } from '../../support/processes/busy.ts';
import { sharedScope } from '../../support/processes/scope.ts';

const DAY = { requests: 30_000, writes: 1, urls: 40 };
const OUTAGE_MS = 1_000;

describe('Varnish with a lifetime of a day in front of two nodes', () => {
  const scope = sharedScope();
  let setup: Setup;
  before(async () => {
    setup = await setUp(scope);
  });

  it('Varnish serves more than 99 % of the requests of a day', async (t) => {
    const rate = await replayDay(setup, DAY);
    t.diagnostic(`${(rate * 100).toFixed(2)} % of ${DAY.requests} requests`);
    assert.ok(rate > HIT_RATE_MIN);
  });

  it('Varnish serves nothing old a second after a write, whatever was written, nor after an outage of purges', async (t) => {
    const run = await writeAndRead(setup, WRITES_OF_ONE, OUTAGE_MS);
    const judgement = judge(run, stretched(OLD_MS_MAX));
    t.diagnostic(describeJudgement(judgement));
    assert.deepEqual(judgement.wrong, []);
  });
});
