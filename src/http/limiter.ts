import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { ApiError } from '../errors.ts';
import type { Counted, Counters } from './counters/counters.ts';
import type { Observer } from './observer.ts';
import type { Stage } from './stages.ts';

type Limits = Pick<Config, 'publicRateLimit' | 'publicRateWindowSeconds'>;

/** Every public request costs its client one, whatever the answer; each answer says how many are left (R25, R26). */
export function limitClients(
  { publicRateLimit: limit, publicRateWindowSeconds: windowSeconds }: Limits,
  counters: Counters,
  observer: Observer,
): Stage {
  const policy = `"public";q=${limit};w=${windowSeconds}`;

  function judge({ head }: FastifyReply, { count, msBeforeNext }: Counted): ApiError | undefined {
    const resetSeconds = secondsUntilReset(msBeforeNext);
    head.push('ratelimit-policy', policy);
    head.push('ratelimit', `"public";r=${Math.max(0, limit - count)};t=${resetSeconds}`);
    observer.onLimited(count > limit ? 'refused' : 'admitted');
    if (count <= limit) return undefined;
    return new ApiError('rate_limited', { headers: { 'retry-after': resetSeconds } });
  }

  return (request: FastifyRequest, reply: FastifyReply, next) => {
    // The window is part of the key: processes with an old and a new one may count in the same place.
    const counted = counters.add(`public:${windowSeconds}:${request.client}`, 1, windowSeconds);
    if (counted instanceof Promise) counted.then((later) => judge(reply, later)).then(next, next);
    else next(judge(reply, counted));
  };
}

export function secondsUntilReset(msBeforeNext: number): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}
