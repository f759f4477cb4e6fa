// The short form of `npm run prove database-faults`.
import { before, describe, it } from 'node:test';
import { assertOneQueryEach, gatherCrowd } from '../../proofs/faults/crowd.ts';
import {
  assertSurvived,
  cutOff,
  describeOutcome,
  dropConnections,
  hang,
  restart,
  runFault,
  type Setup,
  setUp,
  shutDown,
} from '../../proofs/faults/database.ts';
import type { Traffic } from '../../proofs/faults/traffic.ts';
import { stretched } from '../../support/processes/busy.ts';
import { sharedScope } from '../../support/processes/scope.ts';

const NODES = 2;
const NEW_VERSIONS = 4_000;
/** Long enough for nodes to notice. */
const AWAY_MS = 1_500;

describe('nodes under load while the database fails', () => {
  const scope = sharedScope();
  let setup: Setup;
  let near: Traffic;
  before(async () => {
    setup = await setUp(scope, NODES, NEW_VERSIONS);
    near = setup.load(setup.nodes);
  });

  for (const fault of [restart('fast'), hang(AWAY_MS), shutDown(AWAY_MS), dropConnections]) {
    it(`nodes serve cached responses and recover when the database ${fault.name}`, async (t) => {
      const outcome = await runFault(setup, near, fault);
      t.diagnostic(describeOutcome(outcome));
      assertSurvived(outcome, stretched);
    });
  }

  it('nodes serve cached responses and recover when the network to the database is cut', async (t) => {
    await near.stop();
    const far = setup.load([setup.distant]);
    const outcome = await runFault(setup, far, cutOff(AWAY_MS));
    await far.stop();
    t.diagnostic(describeOutcome(outcome));
    assertSurvived(outcome, stretched);
  });

  it('each node queries the database once for a response, however many clients wait for it', async () => {
    assertOneQueryEach(await gatherCrowd(setup), NODES);
  });
});
