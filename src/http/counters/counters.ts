// Counting what clients do. Where the counts are kept is behind one interface.
import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';

export type Counted = Readonly<{ count: number; msBeforeNext: number }>;

/** An answer that is there at once where the counts are, and else a promise of one. */
export type Counting<T> = T | Promise<T>;

export type Counters = Readonly<{
  /** Adds to the count of a key. Its window starts with the first that is added and lasts for the seconds given then. */
  add: (key: string, points: number, windowSeconds: number) => Counting<Counted>;
  look: (key: string) => Counting<Counted | null>;
  close: () => void;
}>;

/** Stands before every key: others may count in the same place. */
const KEY_PREFIX = 'changelog';

/** What the library wants to know and we do not use: limits are compared by who counts, windows come with each key. */
export const LIMITER_OPTIONS = { keyPrefix: KEY_PREFIX, points: 0, duration: 1 };

export function countersOn(limiter: RateLimiterAbstract): Omit<Counters, 'close'> {
  return {
    // A penalty counts like what is consumed, but is never refused.
    add: async (key, points, windowSeconds) =>
      counted(await limiter.penalty(key, points, { customDuration: windowSeconds })),
    look: async (key) => {
      const found = await limiter.get(key);
      return found === null ? null : counted(found);
    },
  };
}

function counted({ consumedPoints, msBeforeNext }: RateLimiterRes): Counted {
  return { count: consumedPoints, msBeforeNext };
}
