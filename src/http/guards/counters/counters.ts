// Counting what clients do. Where the counts are kept is behind one interface.

/** What is counted, and how much of it a client may do in a window. */
export type Allowance = Readonly<{ kind: string; max: number; windowSeconds: number }>;

export type Count = Readonly<{ count: number; msBeforeNext: number }>;

/** An answer that is there at once where the counts are, and else a promise of one. */
export type MaybePromise<T> = T | Promise<T>;

export type Counters = Readonly<{
  /**
   * Adds to a client's count and returns it, in one step: all who count in one place are counted one after another. The
   * window starts with the first that is added. Adding 0 only looks, at the same cost, and starts no window.
   */
  add: (allowance: Allowance, client: string, points: number) => MaybePromise<Count>;
  close: () => void;
}>;

export const ZERO_COUNT: Count = Object.freeze({ count: 0, msBeforeNext: 0 });
