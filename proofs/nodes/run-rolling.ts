// The full run: all nodes behind nginx are restarted, one after the other.
import { openScope } from '../../cluster/scope.ts';
import { countFor } from '../arguments.ts';
import { describeStatuses, describeTimes } from '../figures.ts';
import { assertNoneFailed, startFleet } from './rolling.ts';

const rounds = countFor('rolling');
const scope = openScope();
try {
  const fleet = await startFleet(scope);
  for (let round = 1; round <= rounds; round++) await fleet.roll();
  const responses = await fleet.end();
  for (const own of Object.values(responses))
    console.log(`${rounds} rolling restarts: ${describeStatuses(own)}; ${describeTimes(own)}`);
  assertNoneFailed(responses);
} finally {
  await scope.close();
}
