// The counts of one process, and what it tells the others of them (R69).
import type { MaybePromise } from '../../../domain/maybe-promise.ts';

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

/** Of a client: how many passed since the last message, how many wait to pass, and what the process knew before. */
type Part = readonly [client: string, passed: number, waiting: number, known: number, msLeft: number];
export type Message = Allowance & Readonly<{ parts: readonly Part[] }>;

/** A part of which something else is true. Of those that wait, who are not in the count, so many pass as fit. */
export type News = readonly [index: number, count: number, msLeft: number];

export type Transport = Readonly<{
  name: string;
  exchange: (message: Message) => Promise<readonly News[]>;
  /** Ends a connection that failed; the next exchange opens another. */
  close: () => void;
}>;

/** So much later a message may come than its window ends. A window that ends later still is another one. */
export const LATE_MS = 150;

/** Whole milliseconds: a floating-point error must not make a window longer. */
export const now = () => Math.floor(performance.now());

type Waiting = Readonly<{ window: Window; points: 0 | 1; resolve: (count: MaybePromise<Count>) => void }>;
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
};

/** Of a kind, at about 300 bytes each. Beyond this, the older half is forgotten. */
const CLIENTS_MAX = 200_000;

/** The latest window of each client: constant cost and bounded memory for any number of clients. */
export class Windows<Window> {
  #newer = new Map<string, Window>();
  #older = new Map<string, Window>();
  #agesAt = Number.NEGATIVE_INFINITY;

  find(client: string): Window | undefined {
    return this.#newer.get(client) ?? this.#older.get(client);
  }

  /** Kept for so many milliseconds at least, unless there are too many. */
  set(client: string, window: Window, time: number, keptMs: number): void {
    if (time >= this.#agesAt || this.#newer.size >= CLIENTS_MAX / 2) {
      this.#older = this.#newer;
      this.#newer = new Map();
      this.#agesAt = time + keptMs;
    }
    this.#newer.set(client, window);
  }
}

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
      const endsAt = time + points * windowSeconds * 1_000;
      window = { client, endsAt, count: 0, pending: 0, unsent: 0, waiting: 0, wished: 0 };
      // Reading begins none.
      if (points > 0) this.#windows.set(client, window, time, windowSeconds * 1_000);
    }
    const { count, pending, waiting } = window;
    if (!mayWait || count >= max) return this.#decide(window, points, time);
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
    const waiting = this.#waiting;
    const parts = windows.map((window): Part => {
      const { client, unsent, wished, count, endsAt } = window;
      window.unsent = window.wished = 0;
      return [client, unsent, wished, count - unsent, Math.max(0, endsAt - time)];
    });
    this.#changed.clear();
    this.#waiting = [];
    return { message: { ...this.#allowance, parts }, windows, waiting };
  }

  /** Without a reply, this process decides by what it knows, and regards what it sent as counted. */
  settle({ message, windows, waiting }: Sent, reply: readonly News[] | null, time: number): void {
    for (const [index, [, passed, , known, msLeft]] of message.parts.entries()) {
      const window = windows[index] as Window;
      window.pending -= passed;
      // It may have begun for the others when the message came: here, it must not end before it does there.
      if (reply === null && known === 0) window.endsAt = time + msLeft;
    }
    for (const [index, count, msLeft] of reply ?? []) {
      const window = windows[index] as Window;
      const isNext = time + msLeft > window.endsAt + LATE_MS;
      // In the same window, others may not have heard of what passed while they were down.
      window.count = Math.max(isNext ? 0 : window.count, count + window.pending);
      window.endsAt = time + msLeft;
    }
    for (const { window, points, resolve } of waiting) {
      window.waiting--;
      const isLate = reply === null && points > 0 && window.endsAt <= time;
      resolve(isLate ? this.add(window.client, points, time) : this.#decide(window, points, time));
    }
  }
}
