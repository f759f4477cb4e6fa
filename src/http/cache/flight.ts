import { ClientGone, type Waiter } from '../pipeline/waiter.ts';

/**
 * A client that has closed its side of the connection may still want its response, but not many do. It gets a page or a
 * feed; after so many parts it counts as gone.
 */
const HALF_GONE_PARTS_MAX = 20;

/** A long response that is made once for all clients that wait for it, and no further once all of them have hung up. */
export class Flight<T> {
  readonly waiters = new Set<Waiter>();
  readonly result: Promise<T>;
  #parts = 0;

  constructor(first: Waiter, make: (flight: Flight<T>) => Promise<T>) {
    this.waiters.add(first);
    this.result = make(this);
  }

  /** For another one of the same response, which was not started yet. */
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
