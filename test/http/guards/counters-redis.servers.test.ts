import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { Redis } from 'ioredis';
import { type RedisServer, startRedis } from '../../../cluster/redis.ts';
import {
  assertSharedCount,
  assertUnaffected,
  breakOnce,
  NODE,
  startUrls,
} from '../../../proofs/faults/redis.ts';
import { redisTransport } from '../../../src/http/guards/counters/redis.ts';
import { PUBLIC_FEED } from '../../../support/content/world.ts';
import { countStatuses, startLoad } from '../../../support/http/load.ts';
import { deadline, HANGS_MS } from '../../../support/processes/busy.ts';
import { until } from '../../../support/processes/poll.ts';
import type { Scope } from '../../../support/processes/scope.ts';
import { listenApp, type StartedApp, startApp } from '../../../support/program/app.ts';
import { spawnServer } from '../../../support/program/process.ts';
import { assertGuessesBounded, GUARDED } from '../../support/guesses.ts';
import { startSlowProxy } from '../../support/slow.ts';
import { suiteWithWorld } from '../../support/suite.ts';

const DOWN = 'Redis unreachable';
const BACK = 'Redis reachable again';
/** Other tests on the same machine may delay a response this much. */
const BUSY_MS = 400;
/** Many requests at once may take longer than Redis usually may, and would then be counted locally. */
const PATIENT = { countMsMax: HANGS_MS };

describe('counters in Redis', () => {
  const suite = suiteWithWorld();
  let redis: RedisServer;
  before(async () => {
    redis = await startRedis(suite.scope);
  });

  const startNodes = (scope: Scope, count: number, environment = {}): Promise<StartedApp[]> =>
    Promise.all(
      Array.from({ length: count }, () =>
        startApp(scope, suite.sandbox, { REDIS_URL: redis.url, ...environment }, PATIENT),
      ),
    );
  const left = (header: unknown) => Number(/r=(\d+)/.exec(String(header))?.[1]);

  it('of a thousand concurrent requests, four nodes admit the limit, and at most 1.75 times the limit', async (t) => {
    const nodes = await startNodes(t, 4, { PUBLIC_RATE_LIMIT: '100' });
    // Cached from now on: a process busy with a thousand requests may find its database slow.
    for (const { app } of nodes) await app.inject({ url: PUBLIC_FEED, remoteAddress: '192.0.2.99' });
    const responses = await Promise.all(
      Array.from({ length: 1_000 }, (_, index) =>
        (nodes[index % 4] as StartedApp).app.inject({ url: PUBLIC_FEED, remoteAddress: '192.0.2.1' }),
      ),
    );
    assert.deepEqual(
      nodes.flatMap(({ logLines }) => logLines.filter((line) => line.includes(DOWN))),
      [],
    );
    const admitted = responses.filter(({ statusCode }) => statusCode === 200);
    assert.ok(admitted.length >= 100 && admitted.length <= 175, `${admitted.length} admitted`);
    assert.equal(responses.filter(({ statusCode }) => statusCode === 429).length, 1_000 - admitted.length);
    for (const node of nodes.keys()) {
      const remaining = responses
        .filter(({ statusCode }, index) => index % 4 === node && statusCode === 200)
        .map(({ headers }) => left(headers.ratelimit));
      assert.deepEqual(
        remaining,
        [...new Set(remaining)].toSorted((a, b) => b - a),
        'fewer each time',
      );
    }
  });

  it('a client on one node gets exactly its limit, and none on another after that', async (t) => {
    const nodes = await startNodes(t, 2, { PUBLIC_RATE_LIMIT: '20' });
    const ask = async (node: StartedApp | undefined, requests: number) => {
      const asked = Array.from({ length: requests }, () =>
        node?.app.inject({ url: PUBLIC_FEED, remoteAddress: '192.0.2.2' }),
      );
      return (await Promise.all(asked)).map((response) => response?.statusCode);
    };
    assert.deepEqual(await ask(nodes[0], 25), [...Array(20).fill(200), ...Array(5).fill(429)]);
    // A quarter passes before the other node hears of it.
    assert.deepEqual(await ask(nodes[1], 10), [...Array(5).fill(200), ...Array(5).fill(429)]);
  });

  it('what a client got too much counts in its next window', async (t) => {
    const transport = redisTransport(redis.url);
    t.after(transport.close);
    const exchange = async (passed: number, waiting: number, age: number) => {
      const columns = { clients: ['a'], passed: [passed], waiting: [waiting], ages: [age] };
      const sums = await transport.exchange({ kind: 'next', max: 60, windowSeconds: 1, ...columns });
      return [sums[0], (sums[1] ?? 0) > 0];
    };
    assert.deepEqual(await exchange(15, 90, 0), [15, true]);
    assert.deepEqual(await exchange(1, 0, 0), [61, true]);
    assert.deepEqual(await exchange(9, 5, 0), [70, true]);
    await until('the window has ended', async () => !(await exchange(0, 0, 1_000))[1]);
    assert.deepEqual(await exchange(5, 0, 1_000), [75, false], 'late');
    assert.deepEqual(await exchange(0, 0, 0), [15, true], 'reading begins no window');
    assert.deepEqual(await exchange(5, 0, 1_000), [80, false]);
    assert.deepEqual(await exchange(1, 0, 100), [21, true]);
  });

  it('a client that is in a message twice, with the end of one window and the start of the next, is counted twice', async (t) => {
    const transport = redisTransport(redis.url);
    t.after(transport.close);
    const columns = { clients: ['b', 'b'], passed: [70, 5], waiting: [], ages: [0, 0] };
    const sums = await transport.exchange({ kind: 'twice', max: 60, windowSeconds: 60, ...columns });
    assert.deepEqual([sums[0], sums[2]], [70, 75]);
    const last = { clients: ['b'], passed: [0], waiting: [], ages: [0] };
    assert.equal((await transport.exchange({ kind: 'twice', max: 60, windowSeconds: 60, ...last }))[0], 75);
  });

  it('of 4,000 clients in one message, each has its own sum', async (t) => {
    const transport = redisTransport(redis.url);
    t.after(transport.close);
    const indexes = Array.from({ length: 4_000 }, (_, index) => index);
    const exchange = (passed: number[]) =>
      transport.exchange({
        ...{ kind: 'many', max: 60, windowSeconds: 60 },
        ...{ clients: indexes.map((index) => `client ${index}`), passed, waiting: [] },
        ages: indexes.map(() => 0),
      });
    await exchange(indexes);
    const sums = await exchange(indexes.map(() => 0));
    assert.deepEqual(
      indexes.map((index) => sums[2 * index]),
      indexes,
    );
  });

  it('keys in Redis have our prefix, name the clients, and expire when nothing in them counts', async (t) => {
    const [node] = await startNodes(t, 1, { PUBLIC_RATE_WINDOW_SECONDS: '7' });
    const client = new Redis(redis.url);
    t.after(() => client.disconnect());
    const keys = () => client.keys('{changelog}:public:7:*');
    const clients = async () => (await Promise.all((await keys()).map((key) => client.hkeys(key)))).flat();
    await node?.app.inject({ url: PUBLIC_FEED, remoteAddress: '192.0.2.20' });
    await node?.app.inject({ url: PUBLIC_FEED, remoteAddress: '2001:db8:0:1::1' });
    await until('both are counted', async () => new Set(await clients()).size === 2);
    assert.ok((await clients()).includes('192.0.2.20'));
    for (const key of await keys()) {
      const msLeft = await client.pttl(key);
      assert.ok(msLeft > 14_000 && msLeft <= 28_000, `${key} has ${msLeft} ms left`);
    }
    for (const key of await client.keys('*')) assert.match(key, /^\{changelog\}:/);
  });

  it('failed attempts at the gate are counted in Redis', async (t) => {
    const nodes = await startNodes(t, 2, {
      PASSWORD_PROTECTION: 'true',
      PASSWORD_PROTECTION_USERNAME: 'visitor',
      PASSWORD_PROTECTION_PASSWORD: 'open sesame',
    });
    const authorization = `Basic ${Buffer.from('visitor:guess').toString('base64')}`;
    const statuses: number[] = [];
    for (let index = 0; index < 22; index++) {
      const { app } = nodes[index % 2] as StartedApp;
      statuses.push((await app.inject({ url: PUBLIC_FEED, headers: { authorization } })).statusCode);
    }
    assert.deepEqual(statuses, [...Array(20).fill(401), 429, 429]);
  });

  it('concurrent guesses are limited, and successful logins are not in Redis', async (t) => {
    const { port, log } = await listenApp(t, suite.sandbox, { REDIS_URL: redis.url, ...GUARDED }, PATIENT);
    await assertGuessesBounded(port);
    const client = new Redis(redis.url);
    t.after(() => client.disconnect());
    const keys = await client.keys('{changelog}:gate:*');
    const clients = (await Promise.all(keys.map((key) => client.hkeys(key)))).flat();
    assert.equal(new Set(clients.filter((name) => name.startsWith('198.51.100.'))).size, 6);
    assert.equal(log.count(DOWN), 0);
  });

  for (const fault of ['killed', 'hung'] as const) {
    it(`Redis ${fault} under load fails and delays no request, logs one line each way, and is used again`, async (t) => {
      const environment = { REDIS_URL: redis.url, ...NODE };
      const nodes = await Promise.all([1, 2].map(() => listenApp(t, suite.sandbox, environment)));
      const load = startLoad({ urls: startUrls(nodes), lasting: 8 });
      t.after(() => void load.stop());
      await assertSharedCount(nodes, '192.0.2.30');
      const round = await breakOnce({ redis, nodes, load }, fault, 1_000);
      assertUnaffected(round, deadline(BUSY_MS));
      await assertSharedCount(nodes, `192.0.2.31`);
      assert.deepEqual(Object.keys(countStatuses(await load.stop())), ['200']);
    });
  }

  it('a server that starts without Redis counts locally, and uses Redis once it is up', async (t) => {
    const late = await startRedis(t);
    await late.kill();
    const { app, log, logLines } = await startApp(t, suite.sandbox, { REDIS_URL: late.url });
    for (let count = 0; count < 20; count++) assert.equal((await app.inject(PUBLIC_FEED)).statusCode, 200);
    assert.equal(log.count(DOWN), 1);
    assert.match(logLines.find((line) => line.includes(DOWN)) ?? '', /"level":"warn".*ECONNREFUSED/);
    await late.start();
    await log.until(BACK);
    assert.match(logLines.find((line) => line.includes(BACK)) ?? '', /"level":"info"/);
    assert.equal((await app.inject(PUBLIC_FEED)).statusCode, 200);
    assert.equal(log.count(DOWN), 1);
  });

  it('a slow Redis is given up on and not used again', async (t) => {
    const slow = await startSlowProxy(t, redis.port, 0);
    const { app, log, logLines } = await startApp(t, suite.sandbox, {
      REDIS_URL: `redis://127.0.0.1:${slow.port}`,
    });
    assert.equal(log.count(DOWN), 0);
    slow.delayMs = 200;
    assert.equal((await app.inject(PUBLIC_FEED)).statusCode, 200);
    await log.until(DOWN);
    assert.match(logLines.find((line) => line.includes(DOWN)) ?? '', /no response within 75 ms/);
    await slow.connections(3);
    for (let count = 0; count < 20; count++) assert.equal((await app.inject(PUBLIC_FEED)).statusCode, 200);
    assert.deepEqual([log.count(DOWN), log.count(BACK)], [1, 0]);
    slow.delayMs = 0;
    await log.until(BACK);
  });

  it('a rejected Redis password makes the server count locally, and is never logged', async (t) => {
    const guarded = await startRedis(t, { password: 'open sesame' });
    const url = guarded.url.replace('open%20sesame', 'hunter2%20hunter2');
    const { app, logLines } = await startApp(t, suite.sandbox, { REDIS_URL: url });
    assert.equal((await app.inject(PUBLIC_FEED)).statusCode, 200);
    const log = logLines.join('');
    assert.match(log, /Redis unreachable/);
    assert.match(log, /WRONGPASS/);
    assert.doesNotMatch(log, /hunter2/);
  });

  it('Redis, up or down, does not keep the process from exiting', async (t) => {
    const own = await startRedis(t);
    const { child, exited, address, log } = await spawnServer(t, suite.sandbox, { REDIS_URL: own.url });
    assert.equal((await fetch(address + PUBLIC_FEED)).status, 200);
    child.kill('SIGTERM');
    assert.deepEqual(await exited, { code: 0, signal: null });
    assert.equal(log.count(DOWN), 0);
    await own.kill();
    const without = await spawnServer(t, suite.sandbox, { REDIS_URL: own.url });
    assert.equal((await fetch(without.address + PUBLIC_FEED)).status, 200);
    assert.equal(without.log.count(DOWN), 1);
    without.child.kill('SIGTERM');
    assert.deepEqual(await without.exited, { code: 0, signal: null });
  });
});
