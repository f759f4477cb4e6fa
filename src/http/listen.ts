// The server on its socket: up, and down again without cutting anybody off.
import { once } from 'node:events';
import { type AddressInfo, Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '../errors.ts';

const DRAIN_MS_MAX = 8_000;
const IDLE_CHECK_MS = 50;
/** Ctrl-C and `timeout` reach a process twice, by itself and with its group: that is one request to stop. */
const SAME_SIGNAL_MS = 50;

/** Listens, and returns the address that clients can use. */
export async function listen(
  app: FastifyInstance,
  { host, port }: { host: string; port: number },
): Promise<string> {
  await app.ready();
  const { server } = app;
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    const reason = explainListen(error as NodeJS.ErrnoException, {
      host,
      port,
      given: { host: '--host', port: '--port' },
    });
    throw new Refusal(reason, { cause: error });
  }
  return addressOf(server, host);
}

export function addressOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

type Place = Readonly<{
  host: string;
  port: number;
  /** What the two can be given by. */
  given: Readonly<{ host: string; port: string }>;
}>;

export function explainListen(error: NodeJS.ErrnoException, { host, port, given }: Place): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is taken: stop what listens there, or choose another with ${given.port}.`;
    case 'EACCES':
      return `port ${port} may not be opened by this user: choose one above 1023 with ${given.port}.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine: choose another with ${given.host}.`;
    default:
      return `cannot listen on ${host}:${port}: ${error.message}.`;
  }
}

/** Resolves at the first SIGTERM or SIGINT; calls `onSecond` if another comes after it. */
export function stopRequested(onSecond: (signal: NodeJS.Signals) => void): Promise<void> {
  return new Promise((resolve) => {
    let firstAt: number | null = null;
    const onSignal = (signal: NodeJS.Signals) => {
      if (firstAt === null) {
        firstAt = performance.now();
        resolve();
      } else if (performance.now() - firstAt > SAME_SIGNAL_MS) {
        onSecond(signal);
      }
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  });
}

/** Refuses new connections, lets what is in flight finish, and closes the rest when time is up. */
export async function drain(app: FastifyInstance): Promise<void> {
  const { server } = app;
  const closed = once(server, 'close');
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
  // The listener first: the server's own `close` would drop idle clients while they could still reconnect, to a reset.
  Server.prototype.close.call(server);
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS_MAX);
  await closed;
  clearInterval(idle);
  clearTimeout(deadline);
  await app.close();
}
