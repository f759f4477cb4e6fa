// The socket between workers and their primary process.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { Worker } from 'node:cluster';
import { text } from 'node:stream/consumers';
import { it } from 'node:test';
import { CHANNEL_STDIO, countForWorkers } from '../../../../src/http/guards/counters/workers.ts';

const MODULE = new URL('../../../../src/http/guards/counters/workers.ts', import.meta.url);
/** Counts requests and wrong passwords of many clients, prints the last counts, and ends like a worker. */
const WORKER = `
  process.on('message', () => {}); // Like a server, this keeps it running.
  const { connectPrimary } = await import('${MODULE}');
  const counters = await connectPrimary(4)();
  const [requests, tries] = ['public', 'gate'].map((kind) => ({ kind, max: 1_000, windowSeconds: 600 }));
  const clients = Array.from({ length: 20_000 }, (_, index) => 'client ' + index);
  const counts = await counters.addAll(
    clients.flatMap((client) => [
      { allowance: requests, client, points: 1 },
      { allowance: tries, client, points: 10 },
    ]),
  );
  console.log(counts.slice(-2).map(({ count }) => count).join());
  process.exit(0);`;

it('workers count together, even with messages larger than the socket buffer', async () => {
  const countFor = countForWorkers();
  const count = async () => {
    const stdio = [...CHANNEL_STDIO].with(1, 'pipe');
    const child = spawn(process.execPath, ['--input-type=module', '--eval', WORKER], { stdio });
    countFor({ process: child } as unknown as Worker);
    return (await text(child.stdout as NodeJS.ReadableStream)).trim();
  };
  assert.deepEqual([await count(), await count()], ['1,10', '2,20']);
});
