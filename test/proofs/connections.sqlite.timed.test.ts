// The short form of `npm run prove connections`.
import { before, describe, it } from 'node:test';
import { assertWithinBounds, crowd, type Setup, setUp } from '../../proofs/attack/connections.ts';
import { assertNobodyLockedOut, TAKEOVER_KINDS, takeOver } from '../../proofs/attack/takeover.ts';
import { describeTimes } from '../../proofs/figures.ts';
import { stretched } from '../../support/processes/busy.ts';
import { sharedScope } from '../../support/processes/scope.ts';

const CONNECTIONS = 500;
const HELD_MS = 300;
const TAKEOVER_MS = 1_000;
const WARM_REQUESTS = 1_000;
/** The memory includes that of the runtime. */
const bounds = () => ({ megabytesMax: 60, waitMsMax: stretched(250) });

describe('connections', () => {
  const scope = sharedScope();
  let setup: Setup;
  before(async () => {
    setup = await setUp(scope);
  });

  it(`${CONNECTIONS} slow or idle connections take little memory and do not delay other clients`, async (t) => {
    for (const kind of ['idle', 'unfinished'] as const) {
      const options = { connections: CONNECTIONS, heldMs: HELD_MS, warmRequests: WARM_REQUESTS };
      const outcome = await crowd(setup, kind, options);
      const { megabytes, waits } = outcome;
      t.diagnostic(`${kind}: +${megabytes.toFixed(0)} MB; cached reads: ${describeTimes(waits)}`);
      assertWithinBounds(outcome, bounds());
    }
  });

  it('one address that takes all connections locks nobody out', async (t) => {
    for (const kind of TAKEOVER_KINDS) {
      const outcome = await takeOver(setup, kind, { connections: CONNECTIONS, heldMs: TAKEOVER_MS });
      t.diagnostic(`${kind}: ${outcome.others.length} new clients: ${describeTimes(outcome.others)}`);
      assertNobodyLockedOut(outcome);
    }
  });
});
