import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Scope } from '../../support/processes/scope.ts';

export type Wire = Readonly<{
  port: number;
  /** From now on nothing gets through in either direction, and nobody is told. */
  cut: () => void;
  /** What was sent in between arrives after all. */
  mend: () => void;
}>;

/** Leads to a server on this machine, for as long as it is not cut. */
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
      // An end gets through no more than anything else, but a paused socket does not even read it.
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
