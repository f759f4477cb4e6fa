// The server on its socket: up, and down again without cutting anybody off.
import { once } from 'node:events';
import { type AddressInfo, Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '../errors.ts';
import type { App } from '../http/app.ts';

export const DRAIN_MS_MAX = 8_000;
/** A client may be sending on a connection that is idle here; most ask again within this time and are told to close. */
const IDLE_GRACE_MS = 5_000;
const IDLE_CHECK_MS = 50;
/** Below the range that Linux takes ports from for outgoing connections: none of those gets in between. */
const FREE_PORT_MIN = 15_000;
const FREE_PORT_MAX = 32_000;
const FREE_PORT_TRIES_MAX = 20;
/** Ctrl-C and `timeout` reach a process twice, by itself and with its group: that is one request to stop. */
const SAME_SIGNAL_MS = 50;

/** Listens, and returns the address that clients can use. */
export async function listen(app: App, { host, port }: { host: string; port: number }): Promise<string> {
  const { server } = app;
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    throw listenError(error as NodeJS.ErrnoException, host, port);
  }
  return listenUrl(server, { host, port });
}

/** The port that is asked for, or a free one: for processes that are to listen on it later. */
export async function choosePort({ host, port }: { host: string; port: number }): Promise<number> {
  for (let tries = 1; port === 0; tries++) {
    const candidate = FREE_PORT_MIN + Math.floor(Math.random() * (FREE_PORT_MAX - FREE_PORT_MIN));
    const error = await tryToListen({ host, port: candidate });
    if (error === null) return candidate;
    if (tries === FREE_PORT_TRIES_MAX) throw listenError(error, host, port);
  }
  return port;
}

/** Listens and closes again; returns the error if that is not possible. */
export async function tryToListen(target: {
  host: string;
  port: number;
}): Promise<NodeJS.ErrnoException | null> {
  const probe = new Server();
  try {
    probe.listen({ ...target, exclusive: true });
    await once(probe, 'listening');
    probe.close();
    await once(probe, 'close');
    return null;
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): Refusal {
  const given = { host: '--host', port: '--port' };
  return new Refusal(describeListenError(error, { host, port, given }), { cause: error });
}

/** The port that it listens on, which is the one that was asked for unless any would do. */
export function listenUrl(server: Server | null, { host, port }: { host: string; port: number }): string {
  const bound = server?.address() as AddressInfo | null | undefined;
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound?.port ?? port}`;
}

type ListenTarget = Readonly<{
  host: string;
  port: number;
  /** What the two can be given by. */
  given: Readonly<{ host: string; port: string }>;
}>;

export function describeListenError(
  error: NodeJS.ErrnoException,
  { host, port, given }: ListenTarget,
): string {
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
export function waitForStopSignal(onSecond: (signal: NodeJS.Signals) => void): Promise<void> {
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

/** Calls `reload` at every SIGHUP. */
export function onReloadRequest(reload: () => void): void {
  let lastAt = Number.NEGATIVE_INFINITY;
  process.on('SIGHUP', () => {
    const sinceMs = performance.now() - lastAt;
    lastAt = performance.now();
    if (sinceMs > SAME_SIGNAL_MS) reload();
  });
}

/**
 * Takes no new connections, lets what is in flight finish, and closes the rest when time is up. Idle connections are
 * closed at once if all is to `stop`; if others go on serving, they have some time to be used once more.
 */
export async function drain(app: App, stop: Promise<void>): Promise<void> {
  const { server } = app;
  const closed = once(server, 'close');
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
  // The listener first: the server's own `close` would drop idle clients while they could still reconnect, to a reset.
  Server.prototype.close.call(server);
  const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS_MAX);
  await Promise.race([closed, stop, delay(IDLE_GRACE_MS, undefined, { ref: false })]);
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(deadline);
}
