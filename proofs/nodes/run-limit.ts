// The full run: of concurrent requests from one client, the limit is admitted, and at most 1 + (P - 1) / 4 times the limit
// by P processes: four nodes that count in Redis, and two workers that count in their primary process.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { startRedis } from '../../cluster/redis.ts';
import { openScope } from '../../cluster/scope.ts';
import { PUBLIC_FEED, seedWorld } from '../../support/content/world.ts';
import { temporaryFolder } from '../../support/processes/scope.ts';
import { type ServerProcess, spawnServer } from '../../support/program/process.ts';
import { countFor } from '../arguments.ts';

const NODES = 4;
const WORKERS = 2;
/** Fewer requests for the workers: two processes do the work of four. */
const WORKERS_SHARE = 0.1;
const LIMIT = 60;
/** Requests per connection, sent without waiting for responses, because open files are limited. */
const PIPELINED = 20;
/** The window is longer than the run. */
const SETTINGS = { PUBLIC_RATE_LIMIT: String(LIMIT), PUBLIC_RATE_WINDOW_SECONDS: '3600', LOG_LEVEL: 'warn' };

const requests = countFor('limit');
const scope = openScope();
try {
  const sandbox = { folder: temporaryFolder(scope) };
  await seedWorld(sandbox);
  const redis = await startRedis(scope);
  const nodes = await Promise.all(
    Array.from({ length: NODES }, () => spawnServer(scope, sandbox, { ...SETTINGS, REDIS_URL: redis.url })),
  );
  await assertLimit(`${NODES} nodes with Redis`, nodes, NODES, requests);
  await Promise.all(nodes.map((node) => node.stop()));

  const server = await spawnServer(scope, sandbox, SETTINGS, ['--workers', String(WORKERS)]);
  await assertLimit(`1 node with ${WORKERS} workers`, [server], WORKERS, Math.ceil(requests * WORKERS_SHARE));
} finally {
  await scope.close();
}

async function assertLimit(
  what: string,
  servers: readonly ServerProcess[],
  processes: number,
  count: number,
): Promise<void> {
  const startedAt = performance.now();
  const connections = Math.ceil(count / PIPELINED);
  const sent = Array.from({ length: connections }, (_, index) => {
    const { port } = servers[index % servers.length] as ServerProcess;
    return sendPipelined(port, Math.min(PIPELINED, count - index * PIPELINED));
  });
  const statuses = (await Promise.all(sent)).flat();
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const countOf = (status: number) => statuses.filter((found) => found === status).length;
  const [admitted, rejected] = [countOf(200), countOf(429)];
  const alone = servers.reduce((sum, { log }) => sum + log.count('counting locally'), 0);
  const outcome = `${admitted} admitted, ${rejected} rejected, limit ${LIMIT}`;
  console.log(`${count} concurrent requests, ${what}: ${outcome}, ${seconds} s`);
  assert.equal(alone, 0, 'a node counted locally');
  assert.equal(admitted + rejected, count);
  assert.ok(admitted >= LIMIT && admitted <= LIMIT * (1 + (processes - 1) / 4));
}

/** Sends requests on one connection; returns their statuses. */
async function sendPipelined(port: number, count: number): Promise<number[]> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true }).setEncoding('latin1');
  await once(socket, 'connect');
  let received = '';
  const { promise, resolve, reject } = Promise.withResolvers<number[]>();
  socket.on('data', (text) => {
    received += text;
    const statuses = [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
    if (statuses.length === count) resolve(statuses);
  });
  socket.on('error', reject);
  socket.on('close', () => reject(new Error('connection closed before the last response')));
  socket.write(`GET ${PUBLIC_FEED} HTTP/1.1\r\nHost: test\r\n\r\n`.repeat(count));
  return await promise.finally(() => socket.destroy());
}
