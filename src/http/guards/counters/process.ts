// Counts in this process, at a constant cost and within a bounded memory, however many clients there are.
import { type Allowance, type Count, ZERO_COUNT } from './counters.ts';

/** The count is there at once. */
export type ProcessCounters = Readonly<{
  add: (allowance: Allowance, client: string, points: number) => Count;
  close: () => void;
}>;

/**
 * Of a kind, at once; each takes some 300 bytes. Beyond it the client is forgotten whose window began first, among those
 * that have something left: nobody gets rid of a 429 by coming from many addresses.
 */
const CLIENTS_MAX = 200_000;
/** Windows that are over are dropped as new ones begin, a few at a time: no request does the work of a crowd. */
const DROPPED_AT_ONCE_MAX = 8;

export function processCounters({
  clientsMax = CLIENTS_MAX,
  now = () => performance.now(),
} = {}): ProcessCounters {
  const kinds = new Map<string, Windows>();

  function addKind(kind: string, time: number): Windows {
    // A kind whose windows are all over may be one that nobody counts any more, since settings were changed.
    for (const [name, windows] of kinds) if (windows.lastEndsAt <= time) kinds.delete(name);
    const windows = new Windows(clientsMax);
    kinds.set(kind, windows);
    return windows;
  }

  return {
    add: ({ kind, max, windowSeconds }, client, points) => {
      const time = now();
      const windows = kinds.get(kind) ?? addKind(kind, time);
      let window = windows.find(client);
      if (window === undefined || window.endsAt <= time) {
        if (points === 0) return ZERO_COUNT;
        window = windows.begin(client, time, time + windowSeconds * 1_000);
      }
      window.count += points;
      if (window.count >= max) windows.keep(window);
      return counted(window, time);
    },
    close: () => kinds.clear(),
  };
}

/** In a ring with others; `after` leads towards those that came later. */
class Window {
  client = '';
  count = 0;
  endsAt = 0;
  isUsedUp = false;
  before: Window = this;
  after: Window = this;
}

/** The windows of one kind, all of one length. */
class Windows {
  lastEndsAt = Number.NEGATIVE_INFINITY;
  readonly #byClient = new Map<string, Window>();
  readonly #clientsMax: number;
  /** The starts of two rings, by age. A Map has an order too, but finds its first only past all that it has forgotten. */
  readonly #open = new Window();
  readonly #usedUp = new Window();

  constructor(clientsMax: number) {
    this.#clientsMax = clientsMax;
  }

  find(client: string): Window | undefined {
    return this.#byClient.get(client);
  }

  begin(client: string, time: number, endsAt: number): Window {
    this.#dropEnded(this.#open, time);
    this.#dropEnded(this.#usedUp, time);
    const window = this.#byClient.get(client) ?? this.#take(client);
    unlink(window);
    append(this.#open, window);
    window.count = 0;
    window.isUsedUp = false;
    window.endsAt = endsAt;
    this.lastEndsAt = endsAt;
    return window;
  }

  /** A new one, or that of a client that is forgotten for it. */
  #take(client: string): Window {
    const isFull = this.#byClient.size >= this.#clientsMax;
    const forgotten = isFull ? (first(this.#open) ?? first(this.#usedUp)) : undefined;
    if (forgotten !== undefined) this.#byClient.delete(forgotten.client);
    const window = forgotten ?? new Window();
    window.client = client;
    this.#byClient.set(client, window);
    return window;
  }

  /** Its client has nothing left: it is forgotten after all the others. */
  keep(window: Window): void {
    if (window.isUsedUp) return;
    window.isUsedUp = true;
    unlink(window);
    append(this.#usedUp, window);
  }

  #dropEnded(ring: Window, time: number): void {
    for (let dropped = 0; dropped < DROPPED_AT_ONCE_MAX; dropped++) {
      const window = first(ring);
      if (window === undefined || window.endsAt > time) return;
      this.#byClient.delete(window.client);
      unlink(window);
    }
  }
}

function first(ring: Window): Window | undefined {
  return ring.after === ring ? undefined : ring.after;
}

function append(ring: Window, window: Window): void {
  window.before = ring.before;
  window.after = ring;
  ring.before.after = window;
  ring.before = window;
}

function unlink({ before, after }: Window): void {
  before.after = after;
  after.before = before;
}

/** In whole microseconds: what is lost in adding fractions must not make a window longer than it is. */
function counted({ count, endsAt }: Window, time: number): Count {
  return { count, msBeforeNext: Math.round((endsAt - time) * 1_000) / 1_000 };
}
