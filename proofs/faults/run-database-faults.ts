// The long run: `npm run database-faults -- [ROUNDS]`. PostgreSQL goes away under the load of three nodes.
import { openScope } from '../../cluster/scope.ts';
import { roundsFrom } from '../../test/faults/figures.ts';
import { assertOneQuestionEach, gatherCrowd } from './crowd.ts';
import {
  assertSuffered,
  cutOff,
  describeOutcome,
  dropConnections,
  type Fault,
  hang,
  refuse,
  restart,
  setStage,
  suffer,
} from './database.ts';
import { assertOutlived, describeEnd, refuseTooLong } from './outlive.ts';
import type { Traffic } from './traffic.ts';

const NODES = 3;
const ROUNDS = 50;
/** Asked for in one round, and in all that follows the rounds. */
const NEW_VERSIONS_A_ROUND = 2_000;
const NEW_VERSIONS_AFTER = 20_000;
const AWAY_MS = 5_000;

const rounds = roundsFrom('database-faults', ROUNDS);
const scope = openScope();
try {
  const stage = await setStage(scope, NODES, rounds * NEW_VERSIONS_A_ROUND + NEW_VERSIONS_AFTER);
  const sufferAll = async (traffic: Traffic, faults: readonly Fault[]) => {
    let cachedReads = 0;
    for (const fault of faults) {
      const outcome = await suffer(stage, traffic, fault);
      console.log(describeOutcome(outcome));
      assertSuffered(outcome);
      cachedReads += outcome.samples.filter(({ kind }) => kind === 'held').length;
    }
    return cachedReads;
  };

  const traffic = stage.load(stage.nodes);
  const restarts = Array.from({ length: rounds }, (_, round) => restart(round % 2 ? 'immediate' : 'fast'));
  const cachedReads = await sufferAll(traffic, restarts);
  console.log(`${rounds} restarts: ${cachedReads} cached reads meanwhile, none failed`);
  await sufferAll(traffic, [hang(AWAY_MS), refuse(AWAY_MS), dropConnections]);
  const end = await refuseTooLong(stage, traffic);
  console.log(describeEnd(end));
  assertOutlived(end);
  await traffic.stop();

  const distant = stage.load([stage.distant]);
  await sufferAll(distant, [cutOff(AWAY_MS)]);
  await distant.stop();

  const crowd = await gatherCrowd(stage);
  console.log(
    `${crowd.answers.length} clients waited for one answer: ${crowd.questions} questions of ${NODES} nodes`,
  );
  assertOneQuestionEach(crowd, NODES);
} finally {
  await scope.close();
}
