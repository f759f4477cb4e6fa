import type { Config } from '../../config.ts';
import { ApiError } from '../../errors.ts';
import type { Stage } from '../line/stages.ts';
import type { Observer } from '../telemetry/observer.ts';
import type { Allowance, Count, Counters, MaybePromise } from './counters/counters.ts';

type Limits = Pick<Config, 'publicRateLimit' | 'publicRateWindowSeconds'>;

/** Counts a request, adds the rate limit headers, and returns the 429 if the client is over the limit. */
export type Limiter = (client: string, head: string[]) => MaybePromise<ApiError | undefined>;

/** Every public request counts, whatever its response, and every response says how many are left (R25, R26). */
export function createLimiter(
  { publicRateLimit: limit, publicRateWindowSeconds: windowSeconds }: Limits,
  counters: Counters,
  observer: Observer,
): Limiter {
  const policy = `"public";q=${limit};w=${windowSeconds}`;
  // The window is part of the key: during a reload, processes with different windows may share the counters.
  const allowance: Allowance = { kind: `public:${windowSeconds}`, max: limit, windowSeconds };

  let error = rateLimitError(1);

  function judge(head: string[], { count, msBeforeNext }: Count): ApiError | undefined {
    const resetSeconds = secondsUntilReset(msBeforeNext);
    head.push('ratelimit-policy', policy);
    head.push('ratelimit', `"public";r=${Math.max(0, limit - count)};t=${resetSeconds}`);
    observer.onLimited(count > limit ? 'refused' : 'admitted');
    if (count <= limit) return undefined;
    // Clients over the limit send many requests, so the error is built once per second.
    if (error.headers['retry-after'] !== resetSeconds) error = rateLimitError(resetSeconds);
    return error;
  }

  return (client, head) => {
    const counted = counters.add(allowance, client, 1);
    return counted instanceof Promise ? counted.then((count) => judge(head, count)) : judge(head, counted);
  };
}

export function limitClients(limiter: Limiter): Stage {
  return ({ head, client }, next) => {
    const error = limiter(client, head);
    if (error instanceof Promise) error.then(next, next);
    else next(error);
  };
}

function rateLimitError(resetSeconds: number): ApiError {
  return new ApiError('rate_limited', { headers: { 'retry-after': resetSeconds } });
}

export function secondsUntilReset(msBeforeNext: number): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}
