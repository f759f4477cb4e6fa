// The short form of `npm run database-faults`.
import { before, describe, it } from 'node:test';
import { assertOneQuestionEach, gatherCrowd } from '../../proofs/faults/crowd.ts';
import {
  assertSuffered,
  cutOff,
  describeOutcome,
  dropConnections,
  hang,
  refuse,
  restart,
  type Stage,
  setStage,
  suffer,
} from '../../proofs/faults/database.ts';
import type { Traffic } from '../../proofs/faults/traffic.ts';
import { sharedScope } from '../../support/processes/scope.ts';

const NODES = 2;
const NEW_VERSIONS = 4_000;
/** Longer than nodes take to notice. */
const AWAY_MS = 1_500;

describe('nodes under load answer what they hold, refuse the rest at once, and recover by themselves', () => {
  const scope = sharedScope();
  let stage: Stage;
  let near: Traffic;
  before(async () => {
    stage = await setStage(scope, NODES, NEW_VERSIONS);
    near = stage.load(stage.nodes);
  });

  for (const fault of [restart('fast'), hang(AWAY_MS), refuse(AWAY_MS), dropConnections]) {
    it(`when the database ${fault.name}`, async (t) => {
      const outcome = await suffer(stage, near, fault);
      t.diagnostic(describeOutcome(outcome));
      assertSuffered(outcome);
    });
  }

  it('when they are cut off from it', async (t) => {
    await near.stop();
    const far = stage.load([stage.distant]);
    const outcome = await suffer(stage, far, cutOff(AWAY_MS));
    await far.stop();
    t.diagnostic(describeOutcome(outcome));
    assertSuffered(outcome);
  });

  it('and ask for an answer once, however many wait for it', async () => {
    assertOneQuestionEach(await gatherCrowd(stage), NODES);
  });
});
