// The long run: `npm run connections -- [CONNECTIONS]`. Slow and idle connections, and what others notice of them.
import { openScope } from '../../cluster/scope.ts';
import { countFrom, describeTimes } from '../../test/faults/figures.ts';
import { assertBorne, crowd, HOLDINGS, setStage } from './connections.ts';

const CONNECTIONS = 5_000;
const BOUNDS = { megabytesMax: 150, waitMsMax: 250 };
/** Through the time at which those are cut off that have sent no whole request. */
const HELD_MS = 14_000;
const WARM_REQUESTS = 20_000;

const connections = countFrom('connections', 'CONNECTIONS', CONNECTIONS);
const scope = openScope();
try {
  const stage = await setStage(scope);
  for (const holding of HOLDINGS) {
    const outcome = await crowd(stage, holding, {
      connections,
      heldMs: HELD_MS,
      warmRequests: WARM_REQUESTS,
    });
    const { megabytes, waits } = outcome;
    const cost = `${connections} ${holding} connections: +${megabytes.toFixed(0)} MB`;
    console.log(`${cost}; ${waits.length} cached reads of others: ${describeTimes(waits)}`);
    assertBorne(outcome, BOUNDS);
  }
} finally {
  await scope.close();
}
