// The channel on which workers count in their primary process. It is a socket of its own with a line of JSON for each
// message: on the channel of `node:cluster` they would wait behind the connections that it hands over.
import type { Worker } from 'node:cluster';
import { Socket } from 'node:net';
import type { Environment } from '../../../config.ts';
import { withTimeout } from '../../../timeout.ts';
import type { RemoteCounters } from './counters.ts';
import type { PrimaryMessage, WorkerMessage } from './lease-messages.ts';
import { leasedCounters, PRIMARY_MS_MAX, type PrimaryChannel } from './leases.ts';
import { primaryCounters } from './primary.ts';
import { PROBE } from './shared.ts';

/** The file descriptor of the socket in a worker, after those of `node:cluster`. */
const CHANNEL_FD = 4;
export const CHANNEL_STDIO = ['inherit', 'inherit', 'inherit', 'ipc', 'pipe'] as const;
/** How a worker is told that it has the socket: the primary process may be older than its code. Not a setting. */
const CHANNEL_VARIABLE = 'CHANGELOG_COUNTER_FD';
export const CHANNEL_ENVIRONMENT = { [CHANNEL_VARIABLE]: String(CHANNEL_FD) };

/** Runs in the primary process. Returns a function to call with each new worker. */
export function countForWorkers(): (worker: Worker) => void {
  const counters = primaryCounters();
  return (worker) => {
    const socket = worker.process.stdio[CHANNEL_FD] as Socket;
    const { receive, close } = counters.connect((message) => sendLine(socket, message));
    onLines(socket, (message) => receive(message as WorkerMessage));
    socket.once('close', close);
  };
}

/** Runs in a worker. */
export function readCounterFd(environment: Environment): number | null {
  const fd = environment[CHANNEL_VARIABLE];
  return fd === undefined ? null : Number(fd);
}

/** Runs in a worker: returns a function that connects to the counters of the primary process. */
export function connectPrimary(fd: number | null): () => Promise<RemoteCounters> {
  const channel = fd === null ? null : openChannel(fd);
  return async () => {
    if (channel === null) throw new Error('it is an earlier version: restart the server');
    const remote = leasedCounters(channel);
    try {
      await withTimeout(remote.addAll([{ ...PROBE, points: 0 }]), PRIMARY_MS_MAX);
      return remote;
    } catch (error) {
      remote.close();
      throw error;
    }
  };
}

function openChannel(fd: number): PrimaryChannel {
  const socket = new Socket({ fd, readable: true, writable: true }).unref();
  let receive: (message: PrimaryMessage) => void = () => {};
  onLines(socket, (message) => receive(message as PrimaryMessage));
  return {
    send: (message) => sendLine(socket, message),
    flush: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      socket.write('', () => resolve());
      return withTimeout(promise, PRIMARY_MS_MAX).catch(() => {});
    },
    onMessage: (receiver) => {
      receive = receiver;
    },
  };
}

function sendLine(socket: Socket, message: WorkerMessage | PrimaryMessage): void {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
}

function onLines(socket: Socket, handle: (message: unknown) => void): void {
  let text = '';
  // The other process may have ended, and then needs no message.
  socket.on('error', () => {});
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (text + chunk).split('\n');
    text = lines.pop() as string;
    for (const line of lines) handle(JSON.parse(line));
  });
}
