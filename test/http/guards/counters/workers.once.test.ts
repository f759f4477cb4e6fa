// The socket between workers and their primary process.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { Worker } from 'node:cluster';
import { text } from 'node:stream/consumers';
import { it } from 'node:test';
import { CHANNEL_STDIO, countForWorkers } from '../../../../src/http/guards/counters/workers.ts';

const MODULE = new URL('../../../../src/http/guards/counters/workers.ts', import.meta.url);
/** Counts requests of many clients, prints how many were told, and the last, and ends like a worker. */
const WORKER = `
  process.on('message', () => {}); // Like a server, this keeps it running.
  const { primaryTransport } = await import('${MODULE}');
  const clients = Array.from({ length: 20_000 }, (_, index) => 'client ' + index);
  const parts = clients.map((client) => [client, 3, 1, -1, 600_000]);
  const news = await primaryTransport().exchange({ kind: 'public', max: 60, windowSeconds: 600, parts });
  const [index, count, msLeft] = news.at(-1);
  console.log(news.length, index, count, msLeft > 500_000);
  process.exit(0);`;

it('workers count together, even with messages larger than the socket buffer', async () => {
  const countFor = countForWorkers();
  const count = async () => {
    const stdio = [...CHANNEL_STDIO].with(1, 'pipe');
    const child = spawn(process.execPath, ['--input-type=module', '--eval', WORKER], { stdio });
    countFor({ process: child } as unknown as Worker);
    return (await text(child.stdout as NodeJS.ReadableStream)).trim();
  };
  assert.deepEqual([await count(), await count()], ['20000 19999 3 true', '20000 19999 7 true']);
});
