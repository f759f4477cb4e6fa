import type { Config } from '../../config.ts';
import { ApiError } from '../../errors.ts';
import type { Stage } from '../line/stages.ts';
import type { Observer } from '../telemetry/observer.ts';
import type { Allowance, Count, Counters, MaybePromise } from './counters/counters.ts';

type Limits = Pick<Config, 'publicRateLimit' | 'publicRateWindowSeconds'>;

/** Counts one request of a client, adds the two fields to the headers, and returns the 429 if it is one too many. */
export type Limiter = (client: string, head: string[]) => MaybePromise<ApiError | undefined>;

/** Every public request costs its client one, whatever the answer; each answer says how many are left (R25, R26). */
export function createLimiter(
  { publicRateLimit: limit, publicRateWindowSeconds: windowSeconds }: Limits,
  counters: Counters,
  observer: Observer,
): Limiter {
  const policy = `"public";q=${limit};w=${windowSeconds}`;
  // The window is part of what is counted: processes with an old and a new one may count in the same place.
  const allowance: Allowance = { kind: `public:${windowSeconds}`, max: limit, windowSeconds };

  let refusal = rateLimitError(1);

  function judge(head: string[], { count, msBeforeNext }: Count): ApiError | undefined {
    const resetSeconds = secondsUntilReset(msBeforeNext);
    head.push('ratelimit-policy', policy);
    head.push('ratelimit', `"public";r=${Math.max(0, limit - count)};t=${resetSeconds}`);
    observer.onLimited(count > limit ? 'refused' : 'admitted');
    if (count <= limit) return undefined;
    // Whoever is over the limit asks often: the answer is made once a second.
    if (refusal.headers['retry-after'] !== resetSeconds) refusal = rateLimitError(resetSeconds);
    return refusal;
  }

  return (client, head) => {
    const counted = counters.add(allowance, client, 1);
    return counted instanceof Promise ? counted.then((later) => judge(head, later)) : judge(head, counted);
  };
}

export function limitClients(limiter: Limiter): Stage {
  return ({ head, client }, next) => {
    const refusal = limiter(client, head);
    if (refusal instanceof Promise) refusal.then(next, next);
    else next(refusal);
  };
}

function rateLimitError(resetSeconds: number): ApiError {
  return new ApiError('rate_limited', { headers: { 'retry-after': resetSeconds } });
}

export function secondsUntilReset(msBeforeNext: number): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}
