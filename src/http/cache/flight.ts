import { ClientGone, type Waiter } from '../pipeline/waiter.ts';

/**
 * A client that closed its side of the connection rarely still wants its response. It counts as gone after this many
 * parts, which is enough for a page or a feed.
 */
const HALF_GONE_PARTS_MAX = 20;

/** A long response, made once for all clients waiting for it and abandoned once all of them have hung up. */
export class Flight<T> {
  readonly waiters = new Set<Waiter>();
  readonly result: Promise<T>;
  #parts = 0;

  constructor(first: Waiter, make: (flight: Flight<T>) => Promise<T>) {
    this.waiters.add(first);
    this.result = make(this);
  }

  /** Takes over the clients of a flight for the same response that has not started. */
  merge(other: Flight<T>): Promise<T> {
    for (const waiter of other.waiters) this.waiters.add(waiter);
    return this.result;
  }

  /** Call it before each part. */
  requireWanted = (): void => {
    this.#parts++;
    const isLong = this.#parts > HALF_GONE_PARTS_MAX;
    for (const { isGone, isHalfGone } of this.waiters) if (!isGone() && !(isLong && isHalfGone())) return;
    throw new ClientGone();
  };
}
