// Counters of requests and failed attempts, wherever they are kept.
import type { MaybePromise } from '../../../domain/maybe-promise.ts';

/** A client may reach `max` in a window. */
export type Allowance = Readonly<{ kind: string; max: number; windowSeconds: number }>;

export type Count = Readonly<{ count: number; msBeforeNext: number }>;

export type Counters = Readonly<{
  /**
   * Atomically adds to a client's count and returns the sum. The first addition starts the window. Adding 0 reads the
   * count at the same cost and starts no window. Synchronous if the counters are in this process.
   */
  add: (allowance: Allowance, client: string, points: number) => MaybePromise<Count>;
  /** Whether they are counted together with other processes at present; absent if they never are. */
  isShared?: () => boolean;
  close: () => void;
}>;

export type Addition = Readonly<{ allowance: Allowance; client: string; points: number }>;

/** Counters in another process. */
export type RemoteCounters = Readonly<{
  /** Sends one request for all additions, at most one per kind and client. Returns the sums in the same order. */
  addAll: (additions: readonly Addition[]) => Promise<readonly Count[]>;
  close: () => void;
  /** Resolves when the connection has ended. */
  lost?: Promise<Error>;
}>;

export const ZERO_COUNT: Count = Object.freeze({ count: 0, msBeforeNext: 0 });
