// Listening, signals, and draining without cutting off clients.
import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { Refusal } from '../errors.ts';
import { listenUrl } from '../http/urls.ts';

export const DRAIN_MS_MAX = 8_000;
/** For a message to a hook that is being sent: 10 s, 2 s to end a program, and some time to note the outcome. */
export const SENDING_MS_MAX = 13_000;
/** A client may be about to send on an idle connection. Most do so within this time, and are told to close it. */
const IDLE_GRACE_MS = 5_000;
const IDLE_CHECK_MS = 50;
/** Below the range that Linux uses for outgoing connections, which could take the port first. */
const FREE_PORT_MIN = 15_000;
const FREE_PORT_MAX = 32_000;
const FREE_PORT_TRIES_MAX = 20;
/** Ctrl-C and `timeout` may signal a process twice, directly and through its group: that is one request to stop. */
const SAME_SIGNAL_MS = 50;

type ListenTarget = Readonly<{ host: string; port: number }>;
/** The options or settings named in messages. */
type TargetNames = Readonly<{ host: string; port: string }>;

const FLAGS: TargetNames = { host: '--host', port: '--port' };
export const OPERATIONS: TargetNames = { host: 'OPS_HOST', port: 'OPS_PORT' };

/** Starts listening, and returns the URL for clients. */
export async function listen(
  { server }: { server: Server },
  { host, port }: ListenTarget,
  names = FLAGS,
): Promise<string> {
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    throw listenError(error as NodeJS.ErrnoException, { host, port }, names);
  }
  return listenUrl(server, { host, port });
}

/** Throws if the server could not listen: asked before it makes a database. */
export async function requirePorts({ host, port, opsHost, opsPort }: Config): Promise<void> {
  await requirePort({ host, port }, FLAGS);
  if (opsPort !== null) await requirePort({ host: opsHost, port: opsPort }, OPERATIONS);
}

async function requirePort(target: ListenTarget, names: TargetNames): Promise<void> {
  const error = target.port === 0 ? null : await probePort(target);
  if (error !== null) throw listenError(error, target, names);
}

/** The given port, or a free one if that is 0, for processes that listen on it later. */
export async function choosePort({ host, port }: ListenTarget): Promise<number> {
  for (let tries = 1; port === 0; tries++) {
    const candidate = FREE_PORT_MIN + Math.floor(Math.random() * (FREE_PORT_MAX - FREE_PORT_MIN));
    const error = await probePort({ host, port: candidate });
    if (error === null) return candidate;
    if (tries === FREE_PORT_TRIES_MAX) throw listenError(error, { host, port }, FLAGS);
  }
  return port;
}

/** Listens briefly, and returns the error if that fails. */
async function probePort({ host, port }: ListenTarget): Promise<NodeJS.ErrnoException | null> {
  const probe = new Server();
  try {
    probe.listen({ host, port, exclusive: true });
    await once(probe, 'listening');
    probe.close();
    await once(probe, 'close');
    return null;
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
}

function listenError(error: NodeJS.ErrnoException, target: ListenTarget, names: TargetNames): Refusal {
  return new Refusal(describe(error, target, names), { cause: error });
}

function describe(error: NodeJS.ErrnoException, { host, port }: ListenTarget, names: TargetNames): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is already in use; stop the other process or choose another port with ${names.port}.`;
    case 'EACCES':
      return `permission denied for port ${port}; choose one above 1023 with ${names.port}.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine; choose another with ${names.host}.`;
    default:
      return `cannot listen on ${host}:${port}: ${error.message}.`;
  }
}

/** Resolves on the first SIGTERM, SIGINT or one of `more`, and calls `onSecond` on the next. */
export function waitForStopSignal(
  onSecond: (signal: NodeJS.Signals) => void,
  more: readonly NodeJS.Signals[] = [],
): Promise<void> {
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
    for (const signal of ['SIGTERM', 'SIGINT', ...more] as const) process.on(signal, onSignal);
  });
}

export function onReloadSignal(reload: () => void): void {
  let lastAt = Number.NEGATIVE_INFINITY;
  process.on('SIGHUP', () => {
    const sinceMs = performance.now() - lastAt;
    lastAt = performance.now();
    if (sinceMs > SAME_SIGNAL_MS) reload();
  });
}

/**
 * Stops accepting connections, lets requests in flight finish, and closes the rest at a deadline. `stop` closes idle
 * connections at once; until then, while other processes serve, clients may use them once more.
 */
export async function drain({ server }: { server: HttpServer }, stop: Promise<void>): Promise<void> {
  const closed = once(server, 'close');
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
  // Closes only the listener: `http.Server.close` would also close idle connections while new ones still arrive.
  Server.prototype.close.call(server);
  const deadline = setTimeout(() => server.closeAllConnections(), DRAIN_MS_MAX);
  await Promise.race([closed, stop, delay(IDLE_GRACE_MS, undefined, { ref: false })]);
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(deadline);
}
