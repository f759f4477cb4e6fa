// One count for all worker processes of this machine: it is kept in the primary process, which they ask.
import { RateLimiterCluster, RateLimiterClusterMaster } from 'rate-limiter-flexible';
import { countersOn, LIMITER_OPTIONS } from './counters.ts';
import { inTime, type Link } from './shared.ts';

/** Long, because the primary process is of this machine and also hands out connections: it may be busy for a while. */
export const PRIMARY_MS_MAX = 1_000;
/** When the library forgets a question; ours were given up before. */
const FORGET_MS = 2 * PRIMARY_MS_MAX;

/** In the primary process: counts for all workers that ask. */
export function countForWorkers(): void {
  new RateLimiterClusterMaster();
}

/** In a worker: a function that connects to what the primary process counts. */
export function primaryCounters(): () => Promise<Link> {
  // Just one: each would listen to all answers for as long as the process lives.
  const counters = countersOn(new RateLimiterCluster({ ...LIMITER_OPTIONS, timeoutMs: FORGET_MS }));
  return async () => {
    await inTime(counters.look('probe', 'any'), PRIMARY_MS_MAX);
    return { ...counters, close: () => {} };
  };
}
