// The short form of `npm run prove connections`.
import { test } from 'node:test';
import { assertWithinBounds, crowd, setUp } from '../../proofs/attack/connections.ts';
import { describeTimes } from '../../proofs/figures.ts';

const CONNECTIONS = 500;
const HELD_MS = 300;
const WARM_REQUESTS = 1_000;
/** Includes memory of the runtime, and a margin for other load of the machine. */
const BOUNDS = { megabytesMax: 60, waitMsMax: 1_000 };

test(`${CONNECTIONS} slow or idle connections take little memory and do not delay other clients`, async (t) => {
  const setup = await setUp(t);
  for (const kind of ['idle', 'unfinished'] as const) {
    const options = { connections: CONNECTIONS, heldMs: HELD_MS, warmRequests: WARM_REQUESTS };
    const outcome = await crowd(setup, kind, options);
    const { megabytes, waits } = outcome;
    t.diagnostic(`${kind}: +${megabytes.toFixed(0)} MB; cached reads: ${describeTimes(waits)}`);
    assertWithinBounds(outcome, BOUNDS);
  }
});
