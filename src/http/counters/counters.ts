// Counting what clients do. Where the counts are kept is behind one interface: here, in this process.
import { type RateLimiterAbstract, RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';

export type Counted = Readonly<{ count: number; msBeforeNext: number }>;

export type Counters = Readonly<{
  /** Adds to the count of a key. Its window starts with the first that is added and lasts for the seconds given then. */
  add: (key: string, points: number, windowSeconds: number) => Promise<Counted>;
  look: (key: string) => Promise<Counted | null>;
  close: () => void;
}>;

/** Stands before every key: others may count in the same place. */
const KEY_PREFIX = 'changelog';

/** What the library wants to know and we do not use: limits are compared by who counts, windows come with each key. */
export const LIMITER_OPTIONS = { keyPrefix: KEY_PREFIX, points: 0, duration: 1 };

export function processCounters(): Counters {
  return { ...countersOn(new RateLimiterMemory(LIMITER_OPTIONS)), close: () => {} };
}

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
