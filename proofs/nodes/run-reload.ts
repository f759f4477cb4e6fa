// The long run: `npm run reload -- [ROUNDS]`. SIGHUP to a server with workers, under load, without a proxy before it.
import assert from 'node:assert/strict';
import { openScope } from '../../cluster/scope.ts';
import { PUBLIC_FEED, seedWorld } from '../../support/content/world.ts';
import { type Answer, countStatuses, percentile, startLoad } from '../../support/http/load.ts';
import { temporaryFolder } from '../../support/processes/scope.ts';
import { spawnServer } from '../../support/program/process.ts';
import { reload, untilRetired } from '../../support/program/workers.ts';

const ROUNDS = 10;
const WORKERS = 3;
const LASTING = 12;
const FRESH = 6;
const ANSWERS_EACH = 2_000;

const rounds = Number(process.argv[2] ?? ROUNDS);
if (!Number.isSafeInteger(rounds)) {
  process.stderr.write('usage: npm run reload -- [ROUNDS]\n');
  process.exit(2);
}

const scope = openScope();
try {
  const workplace = { folder: temporaryFolder(scope) };
  await seedWorld(workplace);
  const flags = ['--workers', String(WORKERS)];
  const server = await spawnServer(scope, workplace, { PUBLIC_RATE_LIMIT: '1000000000' }, flags);
  const load = startLoad({ urls: [server.address + PUBLIC_FEED], lasting: LASTING, fresh: FRESH });
  console.log(`before: ${times(await load.next(ANSWERS_EACH))}`);
  for (let round = 1; round <= rounds; round++) {
    const answers = load.next(ANSWERS_EACH);
    const tookMs = await reload(server, WORKERS);
    console.log(`reload ${round}: ${Math.round(tookMs)} ms; ${times(await answers)}`);
  }
  const answers = await load.stop();
  await untilRetired(server, WORKERS * rounds);
  console.log(`${answers.length} answers: ${JSON.stringify(countStatuses(answers))}`);
  assert.deepEqual(Object.keys(countStatuses(answers)), ['200']);
} finally {
  await scope.close();
}

function times(answers: readonly Answer[]): string {
  const [usual, slow, slowest] = [0.5, 0.99, 1].map((share) => percentile(answers, share).toFixed(1));
  return `p50 ${usual} ms, p99 ${slow} ms, slowest ${slowest} ms`;
}
