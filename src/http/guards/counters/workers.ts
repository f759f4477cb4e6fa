// The channel on which workers count in their primary process: a separate socket with one line of JSON per message. On
// the channel of `node:cluster`, messages would queue behind the connections it hands over.
import type { Worker } from 'node:cluster';
import { Socket } from 'node:net';
import type { Environment } from '../../../config.ts';
import { withTimeout } from '../../../timeout.ts';
import type { Addition, Allowance, Count, RemoteCounters } from './counters.ts';
import { processCounters } from './process.ts';
import { PROBE } from './shared.ts';

/** The socket's file descriptor in a worker, after those of `node:cluster`. */
const CHANNEL_FD = 4;
export const CHANNEL_STDIO = ['inherit', 'inherit', 'inherit', 'ipc', 'pipe'] as const;
/** Tells a worker that it has the socket: the primary process may run older code. Not a setting. */
const CHANNEL_VARIABLE = 'CHANGELOG_COUNTS_FD';
export const CHANNEL_ENVIRONMENT = { [CHANNEL_VARIABLE]: String(CHANNEL_FD) };
/** The longest that a worker waits for a count. */
export const PRIMARY_MS_MAX = 1_000;

/** Additions with the same allowance, as `client, points, client, points …`: cheaper than an object each. */
type Group = readonly [allowance: Allowance, additions: (string | number)[]];
type Request = Readonly<{ id: number; groups: readonly Group[] }>;
/** `count, msBeforeNext, count, msBeforeNext …`, in the order of the additions. */
type Reply = Readonly<{ id: number; counts: readonly number[] }>;

/** Runs in the primary process. Returns a function to call with each new worker. */
export function countForWorkers(): (worker: Worker) => void {
  const counters = processCounters();
  return (worker) => {
    const socket = worker.process.stdio[CHANNEL_FD] as Socket;
    onLines<Request>(socket, ({ id, groups }) => {
      const counts: number[] = [];
      for (const [allowance, additions] of groups)
        for (let index = 0; index < additions.length; index += 2) {
          const [client, points] = [additions[index] as string, additions[index + 1] as number];
          const { count, msBeforeNext } = counters.add(allowance, client, points);
          counts.push(count, msBeforeNext);
        }
      sendLine(socket, { id, counts });
    });
  };
}

/** Runs in a worker. */
export function readCounterFd(environment: Environment): number | null {
  const fd = environment[CHANNEL_VARIABLE];
  return fd === undefined ? null : Number(fd);
}

/** Runs in a worker. Returns a function that connects to the primary's counters. */
export function connectPrimary(fd: number | null): () => Promise<RemoteCounters> {
  const counters = fd === null ? null : primaryCounters(fd);
  return async () => {
    if (counters === null) throw new Error('it is an earlier version: restart the server');
    await withTimeout(counters.addAll([{ ...PROBE, points: 0 }]), PRIMARY_MS_MAX);
    return counters;
  };
}

function primaryCounters(fd: number): RemoteCounters {
  const socket = new Socket({ fd, readable: true, writable: true }).unref();
  const requests = new Map<number, (counts: readonly Count[]) => void>();
  let sent = 0;
  onLines<Reply>(socket, ({ id, counts }) => {
    const found: Count[] = [];
    for (let index = 0; index < counts.length; index += 2)
      found.push({ count: counts[index] as number, msBeforeNext: counts[index + 1] as number });
    requests.get(id)?.(found);
    requests.delete(id);
  });
  return {
    addAll: (additions) => {
      const { promise, resolve } = Promise.withResolvers<readonly Count[]>();
      requests.set(++sent, resolve);
      sendLine(socket, { id: sent, groups: groupByAllowance(additions) });
      return promise;
    },
    // The socket stays open: later attempts to connect reuse it.
    close: () => {},
  };
}

/** Keeps additions in order, since counts come back in that order. */
function groupByAllowance(additions: readonly Addition[]): Group[] {
  const groups: Group[] = [];
  for (const { allowance, client, points } of additions) {
    if (groups.at(-1)?.[0] !== allowance) groups.push([allowance, []]);
    groups.at(-1)?.[1].push(client, points);
  }
  return groups;
}

function sendLine(socket: Socket, message: Request | Reply): void {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
}

function onLines<Message>(socket: Socket, handle: (message: Message) => void): void {
  let text = '';
  // If the other process has ended, it needs no message.
  socket.on('error', () => {});
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (text + chunk).split('\n');
    text = lines.pop() as string;
    for (const line of lines) handle(JSON.parse(line) as Message);
  });
}
