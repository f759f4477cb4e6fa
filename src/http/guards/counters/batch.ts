// Additions that arrive in one turn of the event loop are sent as one request.
import type { MaybePromise } from '../../../domain/maybe-promise.ts';
import type { Addition, Allowance, Count, Counters } from './counters.ts';

type Waiting = Readonly<{ points: number; resolve: (count: MaybePromise<Count>) => void }>;

/** All additions for one client. */
type Entry = Readonly<{ allowance: Allowance; client: string; waiting: Waiting[] }> & { points: number };

export class Batch {
  readonly #entries = new Map<string, Entry>();

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  add(allowance: Allowance, client: string, points: number): Promise<Count> {
    const key = `${allowance.kind} ${client}`;
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      entry = { allowance, client, points: 0, waiting: [] };
      this.#entries.set(key, entry);
    }
    entry.points += points;
    const { waiting } = entry;
    return new Promise((resolve) => waiting.push({ points, resolve }));
  }

  /** One per client. */
  additions(): readonly Addition[] {
    return [...this.#entries.values()];
  }

  /** Everyone gets the count they would have got one after the other. */
  settle(sums: readonly Count[]): void {
    let index = 0;
    for (const { points: all, waiting } of this.#entries.values()) {
      const { count: sum, msBeforeNext } = sums[index++] as Count;
      let count = sum - all;
      for (const { points, resolve } of waiting) {
        count += points;
        resolve({ count, msBeforeNext });
      }
    }
  }

  /** Adds each one separately. */
  settleEach(add: Counters['add']): void {
    for (const { allowance, client, waiting } of this.#entries.values())
      for (const { points, resolve } of waiting) resolve(add(allowance, client, points));
  }
}
