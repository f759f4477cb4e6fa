// The long run: `npm run rolling -- [ROUNDS]`. All nodes behind nginx are restarted, one after the other.
import { openScope } from '../../cluster/scope.ts';
import { describeStatuses, describeTimes, roundsFrom } from '../../test/faults/figures.ts';
import { assertUnnoticed, startFleet } from './rolling.ts';

const rounds = roundsFrom('rolling', 10);
const scope = openScope();
try {
  const fleet = await startFleet(scope);
  for (let round = 1; round <= rounds; round++) await fleet.roll();
  const answers = await fleet.end();
  for (const own of Object.values(answers))
    console.log(`${rounds} rolling restarts: ${describeStatuses(own)}; ${describeTimes(own)}`);
  assertUnnoticed(answers);
} finally {
  await scope.close();
}
