// The full run: PostgreSQL fails under the load of three nodes.
import { openScope } from '../../cluster/scope.ts';
import { countFor } from '../arguments.ts';
import { assertOneQueryEach, gatherCrowd } from './crowd.ts';
import {
  assertSurvived,
  cutOff,
  describeOutcome,
  dropConnections,
  type Fault,
  hang,
  restart,
  runFault,
  setUp,
  shutDown,
} from './database.ts';
import { assertOutlived, describeOutage, shutDownTooLong } from './outlive.ts';
import type { Traffic } from './traffic.ts';

const NODES = 3;
/** New versions requested per round, and after the rounds. */
const NEW_VERSIONS_A_ROUND = 2_000;
const NEW_VERSIONS_AFTER = 20_000;
const DOWN_MS = 5_000;

const rounds = countFor('database-faults');
const scope = openScope();
try {
  const setup = await setUp(scope, NODES, rounds * NEW_VERSIONS_A_ROUND + NEW_VERSIONS_AFTER);
  const runFaults = async (traffic: Traffic, faults: readonly Fault[]) => {
    let cachedReads = 0;
    for (const fault of faults) {
      const outcome = await runFault(setup, traffic, fault);
      console.log(describeOutcome(outcome));
      assertSurvived(outcome);
      cachedReads += outcome.samples.filter(({ kind }) => kind === 'cached').length;
    }
    return cachedReads;
  };

  const traffic = setup.load(setup.nodes);
  const restarts = Array.from({ length: rounds }, (_, round) => restart(round % 2 ? 'immediate' : 'fast'));
  const cachedReads = await runFaults(traffic, restarts);
  console.log(`${rounds} restarts: ${cachedReads} cached reads during them, none failed`);
  await runFaults(traffic, [hang(DOWN_MS), shutDown(DOWN_MS), dropConnections]);
  const end = await shutDownTooLong(setup, traffic);
  console.log(describeOutage(end));
  assertOutlived(end);
  await traffic.stop();

  const distant = setup.load([setup.distant]);
  await runFaults(distant, [cutOff(DOWN_MS)]);
  await distant.stop();

  const crowd = await gatherCrowd(setup);
  console.log(
    `${crowd.responses.length} clients waited for one response: ${crowd.queries} database queries by ${NODES} nodes`,
  );
  assertOneQueryEach(crowd, NODES);
} finally {
  await scope.close();
}
