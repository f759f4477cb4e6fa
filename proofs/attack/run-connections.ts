// The full run: slow and idle connections, and their effect on other clients.
import assert from 'node:assert/strict';
import { openScope } from '../../cluster/scope.ts';
import { percentile } from '../../support/http/load.ts';
import { countFor } from '../arguments.ts';
import { describeStatuses, describeTimes } from '../figures.ts';
import { assertWithinBounds, CONNECTION_KINDS, crowd, setUp } from './connections.ts';
import { assertNobodyLockedOut, TAKEOVER_KINDS, takeOver } from './takeover.ts';

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
  for (const kind of TAKEOVER_KINDS) {
    const outcome = await takeOver(setup, kind, { connections, heldMs: HELD_MS });
    const { others } = outcome;
    const taken = `all ${connections} connections taken by one address, ${kind}`;
    console.log(`${taken}: new clients ${describeStatuses(others)}; ${describeTimes(others)}`);
    assertNobodyLockedOut(outcome);
    assert.ok(percentile(others, 1) <= BOUNDS.waitMsMax, `${kind}: a new client waited too long`);
  }
} finally {
  await scope.close();
}
