// The short form of `npm run rolling`.
import { test } from 'node:test';
import { assertUnnoticed, startFleet } from '../../proofs/nodes/rolling.ts';
import { describeStatuses } from '../faults/figures.ts';

test('no client notices when all nodes behind nginx are restarted, one after the other', async (t) => {
  const fleet = await startFleet(t);
  await fleet.roll();
  const answers = await fleet.end();
  for (const own of Object.values(answers)) t.diagnostic(describeStatuses(own));
  assertUnnoticed(answers);
});
