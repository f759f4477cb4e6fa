// Counters of requests and failed attempts, wherever they are kept.

/** A client may reach `max` in a window. */
export type Allowance = Readonly<{ kind: string; max: number; windowSeconds: number }>;

export type Count = Readonly<{ count: number; msBeforeNext: number }>;

/** Immediate if the counters are in this process. */
export type MaybePromise<T> = T | Promise<T>;

export type Counters = Readonly<{
  /**
   * Atomically adds to a client's count and returns the sum. The first addition starts the window. Adding 0 reads the
   * count at the same cost and starts no window.
   */
  add: (allowance: Allowance, client: string, points: number) => MaybePromise<Count>;
  close: () => void;
}>;

export const ZERO_COUNT: Count = Object.freeze({ count: 0, msBeforeNext: 0 });
