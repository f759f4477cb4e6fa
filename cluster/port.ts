import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Below the range that Linux uses for outgoing connections: otherwise a client could take the port of a server while it
 * is stopped.
 */
const PORT_MIN = 15_000;
const PORT_MAX = 32_000;
const TRIES_MAX = 10;
const LISTENS_EVERY_MS = 10;

/** Starts a server on a free loopback port; retries on another one if the port was taken meanwhile. */
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

/** All different. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

/** For a server that does not say when it listens. */
export async function untilListens(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return;
    } catch {
      await delay(LISTENS_EVERY_MS, undefined, { ref: false });
    } finally {
      socket.destroy();
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
