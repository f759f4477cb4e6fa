import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { ApiError } from '../errors.ts';
import type { Counters } from './counters/counters.ts';
import type { Observer } from './observer.ts';

type Limits = Pick<Config, 'publicRateLimit' | 'publicRateWindowSeconds'>;

/** Every public request costs its client one, whatever the answer; each answer says how many are left (R25, R26). */
export function limitClients(
  { publicRateLimit: limit, publicRateWindowSeconds: windowSeconds }: Limits,
  counters: Counters,
  observer: Observer,
) {
  const policy = `"public";q=${limit};w=${windowSeconds}`;

  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    // The window is part of the key: processes with an old and a new one may count in the same place.
    const key = `public:${windowSeconds}:${request.client}`;
    const { count, msBeforeNext } = await counters.add(key, 1, windowSeconds);
    const resetSeconds = secondsUntilReset(msBeforeNext);
    reply.header('ratelimit-policy', policy);
    reply.header('ratelimit', `"public";r=${Math.max(0, limit - count)};t=${resetSeconds}`);
    observer.onLimited(count > limit ? 'refused' : 'admitted');
    if (count > limit) throw new ApiError('rate_limited', { headers: { 'retry-after': resetSeconds } });
  };
}

export function secondsUntilReset(msBeforeNext: number): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}
