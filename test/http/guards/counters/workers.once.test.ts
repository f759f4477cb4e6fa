// The socket between workers and their primary process.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { Worker } from 'node:cluster';
import { text } from 'node:stream/consumers';
import { it } from 'node:test';
import { CHANNEL_STDIO, countForWorkers } from '../../../../src/http/guards/counters/workers.ts';

const MODULE = new URL('../../../../src/http/guards/counters/workers.ts', import.meta.url);
/** Counts requests of many clients, prints how many sums there are, and the last, and ends like a worker. */
const WORKER = `
  process.on('message', () => {}); // Like a server, this keeps it running.
  const { primaryTransport } = await import('${MODULE}');
  const clients = Array.from({ length: 20_000 }, (_, index) => 'client ' + index);
  const each = (value) => clients.map(() => value);
  const columns = { clients, passed: each(3), waiting: each(1), ages: each(0) };
  const sums = await primaryTransport().exchange({ kind: 'public', max: 60, windowSeconds: 600, ...columns });
  console.log(sums.length, sums.at(-2), sums.at(-1) > 500_000);
  process.exit(0);`;

it('workers count together, even with messages larger than the socket buffer', async () => {
  const countFor = countForWorkers();
  const count = async () => {
    const stdio = [...CHANNEL_STDIO].with(1, 'pipe');
    const child = spawn(process.execPath, ['--input-type=module', '--eval', WORKER], { stdio });
    countFor({ process: child } as unknown as Worker);
    return (await text(child.stdout as NodeJS.ReadableStream)).trim();
  };
  assert.deepEqual([await count(), await count()], ['40000 3 true', '40000 7 true']);
});
