// The full run: Redis is killed and suspended under the load of four nodes.
import assert from 'node:assert/strict';
import { startRedis } from '../../cluster/redis.ts';
import { openScope } from '../../cluster/scope.ts';
import type { Environment } from '../../src/config.ts';
import { seedWorld } from '../../support/content/world.ts';
import { countStatuses, percentile, startLoad, type TimedResponse } from '../../support/http/load.ts';
import { temporaryFolder } from '../../support/processes/scope.ts';
import { spawnServer } from '../../support/program/process.ts';
import { countFor } from '../arguments.ts';
import { describeTime, describeTimes } from '../figures.ts';
import {
  assertLimit,
  assertSharedCount,
  assertUnaffected,
  breakOnce,
  NODE,
  type Round,
  startUrls,
} from './redis.ts';

const NODES = 4;
const LIMIT = 60;
const REQUESTS_AT_ONCE = 1_000;
const CONNECTIONS = 12;
const RESPONSES_EACH = 5_000;

const rounds = countFor('redis-faults');

const scope = openScope();
try {
  const redis = await startRedis(scope);
  const sandbox = { folder: temporaryFolder(scope) };
  await seedWorld(sandbox);
  const start = (settings: Environment) =>
    Promise.all(
      Array.from({ length: NODES }, () =>
        spawnServer(scope, sandbox, { ...NODE, REDIS_URL: redis.url, ...settings }),
      ),
    );

  const limited = await start({ PUBLIC_RATE_LIMIT: String(LIMIT) });
  const admitted = await assertLimit(limited, LIMIT, REQUESTS_AT_ONCE);
  console.log(
    `${REQUESTS_AT_ONCE} concurrent requests to ${NODES} nodes, limit ${LIMIT}: ${admitted} admitted`,
  );
  await Promise.all(limited.map((node) => node.stop()));

  const nodes = await start({});

  const load = startLoad({ urls: startUrls(nodes), lasting: CONNECTIONS });
  await load.next(RESPONSES_EACH);
  const results: Round[] = [];
  for (const fault of ['killed', 'hung'] as const) {
    for (let round = 1; round <= rounds; round++) {
      const result = await breakOnce({ redis, nodes, load }, fault, RESPONSES_EACH);
      console.log(`${fault} ${round}: ${describe(result)}`);
      assertUnaffected(result);
      await assertSharedCount(nodes, `192.0.2.${round}`);
      results.push(result);
    }
  }
  const responses = await load.stop();
  const all = (when: 'before' | 'during') => results.flatMap((result) => result[when]);
  console.log(`before the faults: ${describeTimes(all('before'))}`);
  console.log(`during the faults: ${describeTimes(all('during'))}`);
  console.log(`${responses.length} responses: ${JSON.stringify(countStatuses(responses))}`);
  assert.deepEqual(Object.keys(countStatuses(responses)), ['200']);
} finally {
  await scope.close();
}

function describe({ before, during, aloneMs, backMs }: Round): string {
  const waits = `counted locally after ${Math.round(aloneMs)} ms, in Redis again ${Math.round(backMs)} ms after its return`;
  const p99 = (responses: readonly TimedResponse[]) => describeTime(percentile(responses, 0.99));
  return `p99 ${p99(before)} before, ${p99(during)} during; ${waits}`;
}
