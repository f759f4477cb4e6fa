// The counts of one process, and what it tells the others of them (R69).
import type { MaybePromise } from '../../../domain/maybe-promise.ts';
import { Windows } from './windows.ts';

/** A client may reach `max` in a window. `isExact`: every request waits for the count of all processes. */
export type Allowance = Readonly<{ kind: string; max: number; windowSeconds: number; isExact?: boolean }>;

/** `count` is above the maximum if the request was refused. */
export type Count = Readonly<{ count: number; msBeforeNext: number }>;

export type Counters = Readonly<{
  /** The first request that counts starts the client's window. Adding 0 reads the count. */
  open: (allowance: Allowance) => (client: string, points: 0 | 1) => MaybePromise<Count>;
  /** Whether they are counted together with other processes at present; absent if they never are. */
  isShared?: () => boolean;
  close: () => void;
}>;

/**
 * `numbers` has three for each client: how many passed since the last message, how many wait to pass, and the
 * milliseconds left of a window to begin, or 0. The reply has two: the count before those that wait, who then pass up
 * to the maximum, and the milliseconds left.
 */
export type Message = Allowance & Readonly<{ clients: string[]; numbers: number[] }>;

export type Transport = Readonly<{
  name: string;
  exchange: (message: Message) => Promise<readonly number[]>;
  /** Ends a connection that failed; the next exchange opens another. */
  close: () => void;
}>;

/** Whole milliseconds: a floating-point error must not make a window longer. */
export const now = () => Math.floor(performance.now());

type Waiting = Readonly<{ window: Window; points: 0 | 1; resolve: (count: Count) => void }>;
type Sent = Readonly<{ message: Message; windows: Window[]; waiting: Waiting[] }>;
type Window = {
  readonly client: string;
  endsAt: number;
  /** Of all processes, as far as this one knows. */
  count: number;
  /** Of `count`, those of this process that no reply has confirmed, and those not even sent. */
  pending: number;
  unsent: number;
  /** Those that wait for a reply, and those not even sent. */
  waiting: number;
  wished: number;
  /** The first message of a new one begins it for the others, and the reply tells its end; or it is counted alone. */
  state: 'read' | 'new' | 'sent' | 'shared' | 'alone';
};
const NONE = { count: 0, pending: 0, unsent: 0, waiting: 0, wished: 0 };

/** The counts of one kind. It has no clock and sends nothing. */
export class Tally {
  /** If not, everything is decided here. */
  isShared = false;
  readonly #allowance: Allowance;
  readonly #windows = new Windows<Window>();
  readonly #changed = new Set<Window>();
  #waiting: Waiting[] = [];

  constructor(allowance: Allowance) {
    this.#allowance = allowance;
  }

  get isChanged(): boolean {
    return this.#changed.size > 0;
  }

  /** A promise if the request waits for an exchange. */
  add(client: string, points: 0 | 1, time: number): MaybePromise<Count> {
    const { max, windowSeconds, isExact = false } = this.#allowance;
    const mayWait = this.isShared && (isExact || points > 0);
    let window = this.#windows.find(client);
    if (window === undefined || window.endsAt <= time) {
      if (points === 0 && !mayWait) return { count: 0, msBeforeNext: 0 };
      const windowMs = windowSeconds * 1_000;
      window = { ...NONE, client, endsAt: time + windowMs, state: points > 0 ? 'new' : 'read' };
      if (points > 0) this.#windows.set(client, window, time, windowMs);
    }
    const { count, pending, waiting, state } = window;
    if (!mayWait || state === 'alone' || count >= max) return this.#decide(window, points, time);
    this.#changed.add(window);
    // A quarter of what is left may pass at once: the others may be passing as much.
    if (!isExact && waiting === 0 && pending + 1 <= (max - (count - pending)) / 4) {
      window.pending++;
      window.unsent++;
      return this.#decide(window, points, time);
    }
    const { promise, resolve } = Promise.withResolvers<Count>();
    window.waiting++;
    window.wished += points;
    this.#waiting.push({ window, points, resolve });
    return promise;
  }

  #decide(window: Window, points: 0 | 1, time: number): Count {
    const isRefused = window.count >= this.#allowance.max;
    if (!isRefused) window.count += points;
    const count = window.count + (isRefused ? points : 0);
    return { count, msBeforeNext: Math.max(0, window.endsAt - time) };
  }

  /** What the others do not know yet. It has to be settled, in the order of messages. */
  collect(time: number): Sent {
    const windows = [...this.#changed];
    const numbers: number[] = [];
    for (const window of windows) {
      const msLeft = window.state === 'new' ? Math.max(0, window.endsAt - time) : 0;
      numbers.push(window.unsent, window.wished, msLeft);
      window.unsent = window.wished = 0;
      if (window.state === 'new') window.state = 'sent';
    }
    const waiting = this.#waiting;
    this.#changed.clear();
    this.#waiting = [];
    const clients = windows.map(({ client }) => client);
    return { message: { ...this.#allowance, clients, numbers }, windows, waiting };
  }

  /** Without a reply, this process decides by what it knows, and regards what it sent as counted. */
  settle({ message, windows, waiting }: Sent, reply: readonly number[] | null, time: number): void {
    for (const [index, window] of windows.entries()) {
      const { [3 * index]: passed = 0, [3 * index + 2]: msSent = 0 } = message.numbers;
      const { [2 * index]: count = 0, [2 * index + 1]: msLeft = 0 } = reply ?? [];
      window.pending -= passed;
      // Whether it has begun for the others or not, it ends here not before it does there.
      if (msSent > 0 || window.state === 'read') window.endsAt = time + (msLeft || msSent);
      if (msLeft > 0) window.state = 'shared';
      else if (window.state === 'sent') window.state = 'alone';
      if (window.state === 'shared') window.count = Math.max(window.count, count + window.pending);
    }
    for (const { window, points, resolve } of waiting) {
      window.waiting--;
      resolve(this.#decide(window, points, time));
    }
  }
}
