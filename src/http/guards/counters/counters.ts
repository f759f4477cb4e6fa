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

/**
 * What is new in a process, in columns: of each client, how many passed since the last message, how many wait to pass (empty
 * if none do), and the milliseconds since its window began.
 */
export type Message = Allowance &
  Readonly<{ clients: string[] } & Record<'passed' | 'waiting' | 'ages', number[]>>;
/**
 * For each client, two numbers: the count of all processes, and the milliseconds left. Of those that wait, who are not in the
 * count, so many pass as fit.
 */
export type Sums = readonly number[];

export type Transport = Readonly<{
  name: string;
  exchange: (message: Message) => Promise<Sums>;
  /** Ends a connection that failed; the next exchange opens another. */
  close: () => void;
}>;

/** So much later a message may come than the window that it tells of ended. */
export const LATE_MS = 150;

/** Whole milliseconds: a floating-point error must not make a window longer. */
export const now = () => Math.floor(performance.now());

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
  /** Whether the next message has this client. */
  isNew: boolean;
};

/** Decides a request after the exchange that it waits for; rarely, it has to wait for another one. */
export type Decide = (time: number) => Count | Decide;

export type Sent = Readonly<{ message: Message; windows: Window[] }>;

/** The counts of one kind. It has no clock and sends nothing. */
export class Tally {
  readonly #allowance: Allowance;
  readonly #windowMs: number;
  readonly #isShared: () => boolean;
  readonly #windows = new Windows<Window>();
  #new: Window[] = [];

  /** While it is not shared, everything is decided here. */
  constructor(allowance: Allowance, isShared = () => false) {
    this.#allowance = allowance;
    this.#windowMs = allowance.windowSeconds * 1_000;
    this.#isShared = isShared;
  }

  add(client: string, points: 0 | 1, time: number): Count | Decide {
    const { max, isExact = false } = this.#allowance;
    let window = this.#windows.find(client);
    if (window === undefined || window.endsAt <= time) {
      const endsAt = time + this.#windowMs;
      window = { client, endsAt, count: 0, pending: 0, unsent: 0, waiting: 0, wished: 0, isNew: false };
      // Reading begins none.
      if (points > 0) this.#windows.set(client, window, time, this.#windowMs);
    }
    const { count, pending, waiting } = window;
    if (count >= max || !this.#isShared() || (points === 0 && !isExact))
      return this.#decide(window, points, time);
    if (!window.isNew) this.#new.push(window);
    window.isNew = true;
    // A quarter of what is left may pass at once: the others may be passing as much.
    if (!isExact && waiting === 0 && pending + 1 <= (max - (count - pending)) / 4) {
      window.pending++;
      window.unsent++;
      return this.#decide(window, points, time);
    }
    window.waiting++;
    window.wished += points;
    return (then) => {
      window.waiting--;
      return window.endsAt > then ? this.#decide(window, points, then) : this.add(client, points, then);
    };
  }

  #decide(window: Window, points: 0 | 1, time: number): Count {
    const isRefused = window.count >= this.#allowance.max;
    if (!isRefused) window.count += points;
    const count = window.count + (isRefused ? points : 0);
    return { count, msBeforeNext: Math.max(0, window.endsAt - time) };
  }

  /** What the others do not know yet, or null. It has to be settled, in the order of messages. */
  collect(time: number): Sent | null {
    if (this.#new.length === 0) return null;
    const windows = this.#new;
    this.#new = [];
    const message = {
      ...this.#allowance,
      clients: windows.map(({ client }) => client),
      passed: windows.map(({ unsent }) => unsent),
      waiting: windows.some(({ wished }) => wished > 0) ? windows.map(({ wished }) => wished) : [],
      ages: windows.map(({ endsAt }) => time + this.#windowMs - endsAt),
    };
    for (const window of windows) {
      window.unsent = window.wished = 0;
      window.isNew = false;
    }
    return { message, windows };
  }

  /** Without a reply, this process decides by what it knows, and regards what it sent as counted. */
  settle({ message: { passed, ages }, windows }: Sent, sums: Sums | null, time: number): void {
    for (const [index, window] of windows.entries()) {
      const age = ages[index] as number;
      window.pending -= passed[index] as number;
      // For the others, it may have begun when the message came: here, it must not end before it does there.
      if (sums === null && age < LATE_MS) window.endsAt = time + this.#windowMs - age;
      if (sums === null) continue;
      const [count, msLeft] = [sums[2 * index] as number, sums[2 * index + 1] as number];
      const isNext = time + msLeft > window.endsAt + LATE_MS;
      // In the same window, others may not have heard of what passed while they were down.
      window.count = Math.max(isNext ? 0 : window.count, count + window.pending);
      window.endsAt = time + msLeft;
    }
  }
}
