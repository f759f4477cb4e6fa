// Workers count in their primary process, on a separate socket with one line of JSON per message. On the channel of
// `node:cluster`, messages would queue behind the connections it hands over.
import type { Worker } from 'node:cluster';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { LATE_MS, type Message, now, type Sums, type Transport, Windows } from './counters.ts';

/** The socket's file descriptor in a worker, after those of `node:cluster`. */
const CHANNEL_FD = 4;
export const CHANNEL_STDIO = ['inherit', 'inherit', 'inherit', 'ipc', 'pipe'] as const;

/** Adds up the counts of several processes. The script for Redis does the same. */
export class Summary {
  readonly #kinds = new Map<string, Windows<{ count: number; endsAt: number }>>();

  add({ kind, max, windowSeconds, clients, passed, waiting, ages }: Message, time: number): Sums {
    const windowMs = windowSeconds * 1_000;
    const windows = this.#kinds.get(kind) ?? new Windows();
    this.#kinds.set(kind, windows);
    const sums: number[] = [];
    for (const [index, client] of clients.entries()) {
      const [more = 0, wish = 0, age = 0] = [passed[index], waiting[index], ages[index]];
      let sum = windows.find(client) ?? { count: 0, endsAt: 0 };
      if (sum.endsAt <= time && time - age > sum.endsAt - LATE_MS) {
        // What was too much counts in the next window, so a sum outlives its window by the length of one.
        sum = { count: Math.max(0, sum.count - max), endsAt: Math.max(time - age, sum.endsAt) + windowMs };
        if (more + wish > 0) windows.set(client, sum, time, 2 * windowMs);
      }
      const count = sum.count + more;
      sum.count = count + Math.min(wish, Math.max(0, max - count));
      sums.push(count, Math.max(0, sum.endsAt - time));
    }
    return sums;
  }
}

/** Runs in the primary process. Returns a function to call with each new worker. */
export function countForWorkers(): (worker: Worker) => void {
  const summary = new Summary();
  return (worker) => {
    const socket = worker.process.stdio[CHANNEL_FD] as Socket;
    const reply = talk<Message>(socket, (message) => reply(summary.add(message, now())));
  };
}

/** Runs in a worker. The socket stays open whatever happens, and replies come in the order of messages. */
export function primaryTransport(): Transport {
  const socket = new Socket({ fd: CHANNEL_FD, readable: true, writable: true }).unref();
  const waiting: ((sums: Sums) => void)[] = [];
  const send = talk<Sums>(socket, (sums) => waiting.shift()?.(sums));
  const exchange: Transport['exchange'] = (message) => {
    send(message);
    return new Promise((resolve) => waiting.push(resolve));
  };
  return { name: 'primary process', exchange, close: () => {} };
}

/** Returns a function that sends. */
function talk<Received>(socket: Socket, receive: (message: Received) => void): (message: unknown) => void {
  // If the other process has ended, it needs no message.
  const lines = createInterface({ input: socket }).on('error', () => {});
  lines.on('line', (line) => receive(JSON.parse(line)));
  return (message) => void (socket.writable && socket.write(`${JSON.stringify(message)}\n`));
}
