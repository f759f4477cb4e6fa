import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/**
 * Below the range from which Linux takes ports for outgoing connections: a server that is stopped for a while would
 * otherwise find its port in use by some client.
 */
const PORT_MIN = 15_000;
const PORT_MAX = 32_000;
const TRIES_MAX = 10;

/** Starts something on a free loopback port, and on another one if that was taken in between. */
export async function onFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const port = await freePort();
    try {
      return await start(port);
    } catch (error) {
      if (tries === TRIES_MAX || !/address already in use/i.test(String(error))) throw error;
    }
  }
}

export async function freePort(): Promise<number> {
  for (let tries = 1; ; tries++) {
    const candidate = PORT_MIN + Math.floor(Math.random() * (PORT_MAX - PORT_MIN));
    try {
      return await listenOnce(candidate);
    } catch (error) {
      if (tries === TRIES_MAX) throw error;
    }
  }
}

async function listenOnce(candidate: number): Promise<number> {
  const server = createServer();
  server.listen(candidate, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
