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
/** Ctrl-C and `timeout` may signal a process twice, directly and through its group: that is one request to stop. */
const SAME_SIGNAL_MS = 50;

type ListenTarget = Readonly<{ host: string; port: number; exclusive?: boolean }>;
/** The options or settings named in messages. */
type TargetNames = Readonly<{ host: string; port: string }>;

const FLAGS: TargetNames = { host: '--host', port: '--port' };
export const OPERATIONS: TargetNames = { host: 'OPS_HOST', port: 'OPS_PORT' };

/** Starts listening, and returns the URL for clients. */
export async function listen(
  { server }: { server: Server },
  target: ListenTarget,
  names = FLAGS,
): Promise<string> {
  const { host, port, exclusive = false } = target;
  try {
    server.listen({ host, port, exclusive });
    await once(server, 'listening');
  } catch (error) {
    throw new Refusal(describe(error as NodeJS.ErrnoException, target, names), { cause: error });
  }
  return listenUrl(server, target);
}

/** Throws if the server could not listen: asked before it makes a database. Returns the port, or a free one if that is 0. */
export async function requirePorts({ host, port, opsHost, opsPort }: Config): Promise<number> {
  if (opsPort !== null) await tryPort({ host: opsHost, port: opsPort }, OPERATIONS);
  return await tryPort({ host, port });
}

/** Listens briefly. */
async function tryPort(target: ListenTarget, names = FLAGS): Promise<number> {
  const server = new Server();
  const url = await listen({ server }, { ...target, exclusive: true }, names);
  server.close();
  await once(server, 'close');
  return Number(new URL(url).port || 80);
}

function describe(
  { code, message }: NodeJS.ErrnoException,
  target: ListenTarget,
  names: TargetNames,
): string {
  const { host, port } = target;
  if (code === 'EADDRINUSE')
    return `port ${port} on ${host} is already in use; stop the other process or choose another port with ${names.port}.`;
  if (code === 'EACCES')
    return `permission denied for port ${port}; choose one above 1023 with ${names.port}.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${host} is not an address of this machine; choose another with ${names.host}.`;
  return `cannot listen on ${host}:${port}: ${message}.`;
}

/** Resolves on the first SIGTERM, SIGINT or one of `more`, and calls `onSecond` on the next. */
export function waitForStopSignal(
  onSecond: (signal: NodeJS.Signals) => void,
  more: readonly NodeJS.Signals[] = [],
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isStopping = false;
  onSignals(['SIGTERM', 'SIGINT', ...more], (signal) => {
    if (isStopping) onSecond(signal);
    isStopping = true;
    resolve();
  });
  return promise;
}

export function onSignals(
  signals: readonly NodeJS.Signals[],
  handle: (signal: NodeJS.Signals) => void,
): void {
  let lastAt = Number.NEGATIVE_INFINITY;
  const onSignal = (signal: NodeJS.Signals) => {
    const sinceMs = performance.now() - lastAt;
    lastAt = performance.now();
    if (sinceMs > SAME_SIGNAL_MS) handle(signal);
  };
  for (const signal of signals) process.on(signal, onSignal);
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
