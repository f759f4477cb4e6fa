// Counters in this process: constant cost and bounded memory for any number of clients.
import { type Allowance, type Count, ZERO_COUNT } from './counters.ts';

type ProcessCounters = Readonly<{
  add: (allowance: Allowance, client: string, points: number) => Count;
  close: () => void;
}>;

/**
 * Per kind; each takes about 300 bytes. Beyond this the oldest window is evicted, those of clients over the limit last:
 * many addresses do not help a client to escape its 429.
 */
const CLIENTS_MAX = 200_000;
/** Expired windows are removed a few at a time, so that no request pays for many. */
const REMOVED_TOGETHER_MAX = 8;

export function processCounters({
  clientsMax = CLIENTS_MAX,
  now = () => performance.now(),
} = {}): ProcessCounters {
  const kinds = new Map<string, Windows>();

  function addKind(kind: string, time: number): Windows {
    // A kind whose windows have all expired may belong to old settings.
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
      return countOf(window, time);
    },
    close: () => kinds.clear(),
  };
}

/** A node in a ring; `after` points to the next newer window. */
class Window {
  client = '';
  count = 0;
  endsAt = 0;
  isUsedUp = false;
  before: Window = this;
  after: Window = this;
}

/** The windows of one kind, which all have the same length. */
class Windows {
  lastEndsAt = Number.NEGATIVE_INFINITY;
  readonly #byClient = new Map<string, Window>();
  readonly #clientsMax: number;
  /** Two rings, ordered by age. A Map is ordered too, but finding its first key means skipping all deleted ones. */
  readonly #open = new Window();
  readonly #usedUp = new Window();

  constructor(clientsMax: number) {
    this.#clientsMax = clientsMax;
  }

  find(client: string): Window | undefined {
    return this.#byClient.get(client);
  }

  begin(client: string, time: number, endsAt: number): Window {
    this.#removeExpired(this.#open, time);
    this.#removeExpired(this.#usedUp, time);
    const window = this.#byClient.get(client) ?? this.#allocate(client);
    unlink(window);
    append(this.#open, window);
    window.count = 0;
    window.isUsedUp = false;
    window.endsAt = endsAt;
    this.lastEndsAt = endsAt;
    return window;
  }

  /** A new window, or one taken from an evicted client. */
  #allocate(client: string): Window {
    const isFull = this.#byClient.size >= this.#clientsMax;
    const evicted = isFull ? (first(this.#open) ?? first(this.#usedUp)) : undefined;
    if (evicted !== undefined) this.#byClient.delete(evicted.client);
    const window = evicted ?? new Window();
    window.client = client;
    this.#byClient.set(client, window);
    return window;
  }

  /** Its client is over the limit, so it is evicted last. */
  keep(window: Window): void {
    if (window.isUsedUp) return;
    window.isUsedUp = true;
    unlink(window);
    append(this.#usedUp, window);
  }

  #removeExpired(ring: Window, time: number): void {
    for (let removed = 0; removed < REMOVED_TOGETHER_MAX; removed++) {
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

/** Rounded to microseconds: floating-point error must not make a window longer. */
function countOf({ count, endsAt }: Window, time: number): Count {
  return { count, msBeforeNext: Math.round((endsAt - time) * 1_000) / 1_000 };
}
