// A process that keeps connections to a server open: `hold.ts PORT KIND COUNT [FROM]`. It prints `open` when all of them
// are ready, and closes them when its standard input ends. With FROM, it connects from that address, and replaces each
// connection that the server closes.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { PUBLIC_FEED } from '../../support/content/world.ts';
import { type ConnectionKind, LONG_FEED } from './connections.ts';

const [port, kind, count, from] = process.argv.slice(2) as [string, ConnectionKind, string, string?];
/** Nearly the maximum that a server accepts, so that any copy it keeps is noticeable. */
const LONG_HEADER = `X-Long: ${'a'.repeat(15_000)}`;
/** Opened concurrently; the queue of a listening socket is limited. */
const TOGETHER = 100;
const DRIP_MS = 1_000;
const REPLACE_MS = 50;

const BYTES: Record<ConnectionKind, string> = {
  idle: `GET ${PUBLIC_FEED} HTTP/1.1\r\nHost: test\r\n${LONG_HEADER}\r\n\r\n`,
  slow: 'G',
  unfinished: `GET ${PUBLIC_FEED} HTTP/1.1\r\nHost: test\r\n${LONG_HEADER}`,
  stalled: `GET ${LONG_FEED} HTTP/1.1\r\nHost: test\r\n\r\n`,
};

function start(): Socket {
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: from });
  socket.on('error', () => {});
  if (kind === 'stalled') socket.pause();
  else socket.resume();
  socket.write(BYTES[kind]);
  return socket;
}

async function open(): Promise<Socket> {
  const socket = start();
  await once(socket, kind === 'idle' && from === undefined ? 'data' : 'connect');
  return socket;
}

const sockets: Socket[] = [];
while (sockets.length < Number(count)) {
  const more = Math.min(TOGETHER, Number(count) - sockets.length);
  sockets.push(...(await Promise.all(Array.from({ length: more }, open))));
}
process.stdout.write('open\n');
if (from !== undefined)
  setInterval(() => {
    const lost = [...sockets.keys()].filter((index) => sockets[index]?.destroyed);
    for (const index of lost.slice(0, TOGETHER)) sockets[index] = start();
  }, REPLACE_MS);

const over = once(process.stdin.resume(), 'end').then(() => true);
while (!(await Promise.race([over, delay(DRIP_MS, false)]))) {
  // Connections that have been rejected send nothing more.
  const waiting =
    kind === 'slow' || kind === 'unfinished' ? sockets.filter((socket) => socket.bytesRead === 0) : [];
  for (const socket of waiting) socket.write(BYTES.unfinished[socket.bytesWritten] ?? 'a');
}
for (const socket of sockets) socket.destroy();
process.exit(0);
