import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Scope } from '../../support/processes/scope.ts';

type SlowServer = {
  port: number;
  /** The delay of a request and its response together. */
  delayMs: number;
  /** Resolves after `more` new connections. */
  connections: (more: number) => Promise<void>;
};

/** A TCP proxy to a server on this machine that delays everything. */
export async function startSlowProxy(scope: Scope, target: number, delayMs: number): Promise<SlowServer> {
  const accepted = new EventEmitter();
  const sockets = new Set<Socket>();
  let count = 0;
  const server = createServer((socket) => {
    const onward = connect(target, '127.0.0.1');
    const ways = [
      [socket, onward],
      [onward, socket],
    ] as const;
    for (const [from, to] of ways) {
      sockets.add(from);
      from.on('error', () => from.destroy());
      from.on('data', (chunk) => void setTimeout(() => to.write(chunk), slow.delayMs / 2));
      from.on('close', () => to.destroy());
    }
    count++;
    accepted.emit('connection');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const slow: SlowServer = {
    port: (server.address() as AddressInfo).port,
    delayMs,
    connections: async (more) => {
      const wanted = count + more;
      while (count < wanted) await once(accepted, 'connection');
    },
  };
  return slow;
}
