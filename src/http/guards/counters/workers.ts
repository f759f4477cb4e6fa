// Workers count in their primary process, on a separate socket with one line of JSON per message. On the channel of
// `node:cluster`, messages would queue behind the connections it hands over.
import type { Worker } from 'node:cluster';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { type Message, now, type Transport } from './counters.ts';
import { Windows } from './windows.ts';

/** The socket's file descriptor in a worker, after those of `node:cluster`. */
const CHANNEL_FD = 4;
export const CHANNEL_STDIO = ['inherit', 'inherit', 'inherit', 'ipc', 'pipe'] as const;

/** Sums of several processes. The script for Redis does the same. */
export class Sums {
  readonly #kinds = new Map<string, Windows<{ count: number; readonly endsAt: number }>>();

  add({ kind, max, windowSeconds, clients, numbers }: Message, time: number): number[] {
    const windowMs = windowSeconds * 1_000;
    const sums = this.#kinds.get(kind) ?? new Windows();
    this.#kinds.set(kind, sums);
    return clients.flatMap((client, index) => {
      const [passed, waiting, msLeft] = numbers.slice(3 * index, 3 * index + 3) as [number, number, number];
      let sum = sums.find(client);
      if (msLeft > 0 && (sum === undefined || sum.endsAt <= time)) {
        // What was too much counts in the next window, so a sum outlives its window by the length of one.
        const { count, endsAt } = sum ?? { count: 0, endsAt: Number.NEGATIVE_INFINITY };
        sum = { count: Math.max(0, count - max), endsAt: Math.max(time + msLeft, endsAt + windowMs) };
        sums.set(client, sum, time, 2 * windowMs);
      }
      if (sum === undefined) return [0, 0];
      const before = sum.count + passed;
      sum.count = before + Math.min(waiting, Math.max(0, max - before));
      return [before, Math.max(0, sum.endsAt - time)];
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
  const waiting: ((reply: number[]) => void)[] = [];
  const send = talk<number[]>(socket, (reply) => waiting.shift()?.(reply));
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
