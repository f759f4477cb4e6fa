// The short form of `npm run prove rolling`.
import { test } from 'node:test';
import { describeStatuses } from '../../proofs/figures.ts';
import { assertNoneFailed, startFleet } from '../../proofs/nodes/rolling.ts';

test('no request fails while all nodes behind nginx are restarted one by one', async (t) => {
  const fleet = await startFleet(t);
  await fleet.roll();
  const responses = await fleet.end();
  for (const own of Object.values(responses)) t.diagnostic(describeStatuses(own));
  assertNoneFailed(responses);
});
