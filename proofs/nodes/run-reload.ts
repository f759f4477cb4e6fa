// The full run: SIGHUP to a server with workers, under load, without a proxy in front.
import assert from 'node:assert/strict';
import { openScope } from '../../cluster/scope.ts';
import { PUBLIC_FEED, seedWorld } from '../../support/content/world.ts';
import { countStatuses, startLoad } from '../../support/http/load.ts';
import { temporaryFolder } from '../../support/processes/scope.ts';
import { spawnServer } from '../../support/program/process.ts';
import { reload, untilDrained } from '../../support/program/workers.ts';
import { countFor } from '../arguments.ts';
import { describeTimes } from '../figures.ts';

const WORKERS = 3;
const LASTING = 12;
const FRESH = 6;
const RESPONSES_EACH = 2_000;

const rounds = countFor('reload');

const scope = openScope();
try {
  const sandbox = { folder: temporaryFolder(scope) };
  await seedWorld(sandbox);
  const flags = ['--workers', String(WORKERS)];
  const server = await spawnServer(scope, sandbox, { PUBLIC_RATE_LIMIT: '1000000000' }, flags);
  const load = startLoad({ urls: [server.address + PUBLIC_FEED], lasting: LASTING, fresh: FRESH });
  console.log(`before: ${describeTimes(await load.next(RESPONSES_EACH))}`);
  for (let round = 1; round <= rounds; round++) {
    const responses = load.next(RESPONSES_EACH);
    const tookMs = await reload(server, WORKERS);
    console.log(`reload ${round}: ${Math.round(tookMs)} ms; ${describeTimes(await responses)}`);
  }
  const responses = await load.stop();
  await untilDrained(server, WORKERS * rounds);
  console.log(`${responses.length} responses: ${JSON.stringify(countStatuses(responses))}`);
  assert.deepEqual(Object.keys(countStatuses(responses)), ['200']);
} finally {
  await scope.close();
}
