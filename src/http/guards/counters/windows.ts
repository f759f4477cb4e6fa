// Rate limit windows: constant cost and bounded memory for any number of clients.

/**
 * Per kind, at about 300 bytes each. Beyond this, the oldest window is evicted, and those of clients over the limit
 * last: sending from many addresses does not end a client's 429.
 */
export const CLIENTS_MAX = 200_000;
/** Expired windows are removed a few at a time, so that no request pays for many. */
const REMOVED_TOGETHER_MAX = 8;

/** A node in a ring; `after` points to the next newer window. */
class Window {
  client = '';
  count = 0;
  endsAt = 0;
  isUsedUp = false;
  before: Window = this;
  after: Window = this;

  /** Rounded to microseconds: floating-point error must not make a window longer. */
  msLeft(time: number): number {
    return Math.round((this.endsAt - time) * 1_000) / 1_000;
  }
}

/** The windows of one kind, which all have the same length. */
export class Windows {
  lastEndsAt = Number.NEGATIVE_INFINITY;
  readonly #byClient = new Map<string, Window>();
  readonly #clientsMax: number;
  /** Two rings, ordered by age. A Map is ordered too, but finding its first key means skipping deleted ones. */
  readonly #open = new Window();
  readonly #usedUp = new Window();

  constructor(clientsMax: number) {
    this.#clientsMax = clientsMax;
  }

  find(client: string, time: number): Window | undefined {
    const window = this.#byClient.get(client);
    return window === undefined || window.endsAt <= time ? undefined : window;
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

  /** For a client over the limit, so that its window is evicted last. */
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
