import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import type { Scope } from '../../support/processes/scope.ts';

export type Gate = Readonly<{
  address: string;
  /** From now on connections end at this port. */
  open: (port: number) => void;
  /** From now on connections are reset. */
  close: () => void;
}>;

/** A TCP proxy to a server on this machine that can be closed, as while a CDN's API is down. */
export async function startGate(scope: Scope): Promise<Gate> {
  let target: number | null = null;
  const server = createServer((near) => {
    near.on('error', () => near.destroy());
    if (target === null) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(target, '127.0.0.1');
    far.on('error', () => near.destroy());
    near.on('close', () => far.destroy());
    near.pipe(far).pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.after(() => void server.close());
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    open: (port) => {
      target = port;
    },
    close: () => {
      target = null;
    },
  };
}
