// All counters are in one slot of a Redis Cluster, so that one script can count them.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { startRedisCluster } from '../../../cluster/redis-cluster.ts';
import { PUBLIC_FEED } from '../../../support/content/world.ts';
import { startApp } from '../../../support/program/app.ts';
import { doctor } from '../../../support/program/command.ts';
import { suiteWithWorld } from '../../support/suite.ts';

const PASSWORD = 'qZvK7w/J9x';
const DOWN = 'Redis unreachable';

describe('counters in a Redis Cluster', () => {
  const suite = suiteWithWorld();
  let redis: Awaited<ReturnType<typeof startRedisCluster>>;
  before(async () => {
    redis = await startRedisCluster(suite.scope, PASSWORD);
  });

  it('nodes share their rate limits, whichever server of the cluster each one is given', async (t) => {
    const nodes = await Promise.all(
      redis.servers.map(({ url }) => startApp(t, suite.sandbox, { REDIS_URL: url, PUBLIC_RATE_LIMIT: '10' })),
    );
    const admitted = async (...clients: string[]) => {
      const asked = clients.flatMap((remoteAddress) =>
        nodes.flatMap(({ app }) =>
          Array.from({ length: 5 }, async () => ({
            remoteAddress,
            ...(await app.inject({ url: PUBLIC_FEED, remoteAddress })),
          })),
        ),
      );
      const responses = (await Promise.all(asked)).filter(({ statusCode }) => statusCode === 200);
      return clients.map(
        (client) => responses.filter(({ remoteAddress }) => remoteAddress === client).length,
      );
    };
    const inLimit = (counts: readonly number[]) => counts.every((count) => count >= 10 && count <= 15);
    assert.ok(inLimit(await admitted('192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4')));
    for (const { log } of nodes) assert.equal(log.count(DOWN), 0);

    const keys = await redis.keys();
    const owner = keys.findIndex(({ length }) => length > 0);
    assert.ok(keys[owner]?.every((key) => key.startsWith('{changelog}:')));
    assert.equal(keys.flat().length, keys[owner]?.length, 'all counters are on one server');

    await redis.move('{changelog}', (owner + 1) % keys.length);
    // The first requests detect it.
    for (const { app, log } of nodes) {
      await app.inject(PUBLIC_FEED);
      await log.until('Redis reachable again');
    }
    assert.ok(inLimit(await admitted('192.0.2.5', '192.0.2.6')));
    for (const { log, logLines } of nodes) {
      assert.equal(log.count(DOWN), 1);
      assert.ok(!logLines.join().includes(PASSWORD));
    }
  });

  it('doctor finds every server of the cluster usable', async () => {
    for (const { url, port } of redis.servers) {
      const { stdout } = await doctor({
        ...suite.sandbox,
        environment: { ...suite.sandbox.environment, REDIS_URL: url },
      });
      assert.match(stdout, new RegExp(`^ok +redis +127.0.0.1:${port} responds in time and counts\\.$`, 'm'));
      assert.ok(!stdout.includes(PASSWORD));
    }
  });
});
