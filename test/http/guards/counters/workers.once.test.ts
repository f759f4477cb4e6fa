// The socket between workers and their primary process.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { Worker } from 'node:cluster';
import { text } from 'node:stream/consumers';
import { it } from 'node:test';
import { CHANNEL_STDIO, countForWorkers } from '../../../../src/http/guards/counters/workers.ts';

const MODULE = new URL('../../../../src/http/guards/counters/workers.ts', import.meta.url);
/** Counts one request of each of many clients, prints the last count, and ends like a worker. */
const WORKER = `
  process.on('message', () => {}); // Like a server, this keeps it running.
  const { connectPrimary } = await import('${MODULE}');
  const counters = await connectPrimary(4)();
  const allowance = { kind: 'public', max: 1_000_000, windowSeconds: 600 };
  const clients = Array.from({ length: 20_000 }, (_, index) => 'client ' + index);
  const counts = await counters.addAll(clients.map((client) => ({ allowance, client, points: 1 })));
  console.log(counts.at(-1).count);
  await counters.close();
  process.exit(0);`;

it('a worker that ends returns all of its leases, also if they do not fit into the buffer of the socket', async () => {
  const countFor = countForWorkers();
  const count = async () => {
    const stdio = [...CHANNEL_STDIO].with(1, 'pipe');
    const child = spawn(process.execPath, ['--input-type=module', '--eval', WORKER], { stdio });
    countFor({ process: child } as unknown as Worker);
    return Number(await text(child.stdout as NodeJS.ReadableStream));
  };
  assert.deepEqual([await count(), await count()], [1, 2]);
});
