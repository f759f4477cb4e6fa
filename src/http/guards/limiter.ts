import type { Config } from '../../config.ts';
import { andThen } from '../../domain/maybe-promise.ts';
import { ApiError } from '../../errors.ts';
import type { Stage } from '../pipeline/exchange.ts';
import type { Counts } from '../telemetry/counts.ts';
import type { Count, Counters } from './counters/counters.ts';

type Limits = Pick<Config, 'publicRateLimit' | 'publicRateWindowSeconds'>;

/**
 * Every public request counts, whatever its response, and every response shows how many are left (R25, R26). Preflights
 * may be free (R46): browsers send them on their own and report a 429 as a network error, so the page would learn neither
 * the reason nor how long to wait.
 */
export function createLimiter(
  { publicRateLimit: limit, publicRateWindowSeconds: windowSeconds }: Limits,
  counters: Counters,
  counts: Counts['limiter'],
): (options: Readonly<{ freePreflights: boolean }>) => Stage {
  const policy = `"public";q=${limit};w=${windowSeconds}`;
  // The window is part of the key: during a reload, processes with different windows may share the counters.
  const count = counters.open({ kind: `public:${windowSeconds}`, max: limit, windowSeconds });

  let error = rateLimitError(1);

  function judge(head: string[], points: 0 | 1, { count, msBeforeNext }: Count): ApiError | undefined {
    // Without a window, the next request starts one.
    const resetSeconds = count === 0 ? windowSeconds : secondsUntilReset(msBeforeNext);
    head.push('ratelimit-policy', policy);
    head.push('ratelimit', `"public";r=${Math.max(0, limit - count)};t=${resetSeconds}`);
    if (points === 0) return undefined;
    counts[count > limit ? 'refused' : 'admitted']++;
    if (count <= limit) return undefined;
    // Clients over the limit send many requests, so the error is built once per second.
    if (error.headers['retry-after'] !== resetSeconds) error = rateLimitError(resetSeconds);
    return error;
  }

  return ({ freePreflights }) =>
    ({ request, route, head, client }) => {
      const isFree = freePreflights && request.method === 'OPTIONS' && route !== null;
      const points = isFree ? 0 : 1;
      return andThen(count(client, points), (counted) => judge(head, points, counted));
    };
}

function rateLimitError(resetSeconds: number): ApiError {
  return new ApiError('rate_limited', { headers: { 'retry-after': resetSeconds } });
}

export function secondsUntilReset(msBeforeNext: number): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}
