import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Scope } from '../../support/processes/scope.ts';

export type Wire = Readonly<{
  port: number;
  /** From now on nothing gets through in either direction, and connections stay open. */
  cut: () => void;
  /** Delivers what was sent meanwhile. */
  mend: () => void;
}>;

/** A TCP proxy to a server on this machine that can be cut. */
export async function startWire(scope: Scope, target: number): Promise<Wire> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => to.write(chunk));
      // While the wire is cut, the socket is paused and does not even read the end.
      from.on('end', () => to.end());
      from.on('error', () => from.destroy());
      from.on('close', () => {
        sockets.delete(from);
        if (!isCut) to.destroy();
      });
      if (isCut) from.pause();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.pause();
    },
    mend: () => {
      isCut = false;
      for (const socket of sockets) socket.resume();
    },
  };
}
