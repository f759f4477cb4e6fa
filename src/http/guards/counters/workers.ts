// Workers count in their primary process, on a separate socket with one line of JSON per message. On the channel of
// `node:cluster`, messages would queue behind the connections it hands over.
import type { Worker } from 'node:cluster';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { LATE_MS, type Message, type News, now, type Transport, Windows } from './counters.ts';

/** The socket's file descriptor in a worker, after those of `node:cluster`. */
const CHANNEL_FD = 4;
export const CHANNEL_STDIO = ['inherit', 'inherit', 'inherit', 'ipc', 'pipe'] as const;

/** Sums of several processes. The script for Redis does the same. */
export class Sums {
  readonly #kinds = new Map<string, Windows<{ count: number; readonly endsAt: number }>>();

  add({ kind, max, windowSeconds, parts }: Message, time: number): News[] {
    const windowMs = windowSeconds * 1_000;
    const sums = this.#kinds.get(kind) ?? new Windows();
    this.#kinds.set(kind, sums);
    return parts.flatMap(([client, passed, waiting, known, msKnown], index): News[] => {
      let sum = sums.find(client);
      // One that was lost goes on with what the process knows.
      const { count: before, endsAt } = sum ?? { count: max + known, endsAt: Number.NEGATIVE_INFINITY };
      const begins = endsAt <= time && msKnown > 0 && time + msKnown > endsAt + LATE_MS;
      if (begins) {
        // What was too much counts in the next window, so a sum outlives its window by the length of one.
        sum = { count: Math.max(0, before - max), endsAt: Math.max(time + msKnown, endsAt + windowMs) };
        sums.set(client, sum, time, 2 * windowMs);
      }
      if (sum === undefined) return [];
      // In the process it must not end before it does here.
      const isNews = begins || sum.count !== known || sum.endsAt - time > msKnown;
      const count = sum.count + passed;
      sum.count = count + Math.min(waiting, Math.max(0, max - count));
      return isNews ? [[index, count, Math.max(0, sum.endsAt - time)]] : [];
    });
  }
}

/** Runs in the primary process. Returns a function to call with each new worker. */
export function countForWorkers(): (worker: Worker) => void {
  const sums = new Sums();
  return (worker) => {
    const socket = worker.process.stdio[CHANNEL_FD] as Socket;
    const reply = talk<Message>(socket, (message) => reply(sums.add(message, now())));
  };
}

/** Runs in a worker. The socket stays open whatever happens, and replies come in the order of messages. */
export function primaryTransport(): Transport {
  const socket = new Socket({ fd: CHANNEL_FD, readable: true, writable: true }).unref();
  const waiting: ((reply: News[]) => void)[] = [];
  const send = talk<News[]>(socket, (reply) => waiting.shift()?.(reply));
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
