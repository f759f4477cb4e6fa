// The full run: slow and idle connections, and their effect on other clients.
import { openScope } from '../../cluster/scope.ts';
import { countFor } from '../arguments.ts';
import { describeTimes } from '../figures.ts';
import { assertWithinBounds, CONNECTION_KINDS, crowd, setUp } from './connections.ts';

const BOUNDS = { megabytesMax: 150, waitMsMax: 250 };
/** Longer than the timeout after which the server closes connections with an unfinished request. */
const HELD_MS = 14_000;
const WARM_REQUESTS = 20_000;

const connections = countFor('connections');
const scope = openScope();
try {
  const setup = await setUp(scope);
  for (const kind of CONNECTION_KINDS) {
    const outcome = await crowd(setup, kind, {
      connections,
      heldMs: HELD_MS,
      warmRequests: WARM_REQUESTS,
    });
    const { megabytes, waits } = outcome;
    const cost = `${connections} ${kind} connections: +${megabytes.toFixed(0)} MB`;
    console.log(`${cost}; ${waits.length} cached reads by another client: ${describeTimes(waits)}`);
    assertWithinBounds(outcome, BOUNDS);
  }
} finally {
  await scope.close();
}
