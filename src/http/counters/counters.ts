// Counting what clients do. Where the counts are kept is behind one interface.
import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';

export type Counted = Readonly<{ count: number; msBeforeNext: number }>;

/** An answer that is there at once where the counts are, and else a promise of one. */
export type Counting<T> = T | Promise<T>;

export type Counters = Readonly<{
  /** Adds to a client's count of a kind. Its window starts with the first that is added and lasts for the seconds given then. */
  add: (kind: string, client: string, points: number, windowSeconds: number) => Counting<Counted>;
  look: (kind: string, client: string) => Counting<Counted | null>;
  close: () => void;
}>;

/** Stands before every key: others may count in the same place. */
const KEY_PREFIX = 'changelog';

/** What the library wants to know and we do not use: limits are compared by who counts, windows come with each key. */
export const LIMITER_OPTIONS = { keyPrefix: KEY_PREFIX, points: 0, duration: 1 };

export function countersOn(limiter: RateLimiterAbstract): Omit<Counters, 'close'> {
  return {
    // A penalty counts like what is consumed, but is never refused.
    add: async (kind, client, points, windowSeconds) =>
      counted(await limiter.penalty(`${kind}:${client}`, points, { customDuration: windowSeconds })),
    look: async (kind, client) => {
      const found = await limiter.get(`${kind}:${client}`);
      return found === null ? null : counted(found);
    },
  };
}

function counted({ consumedPoints, msBeforeNext }: RateLimiterRes): Counted {
  return { count: consumedPoints, msBeforeNext };
}
