import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Config } from '../config.ts';
import { ApiError } from '../errors.ts';

type Limits = Pick<Config, 'publicRateLimit' | 'publicRateWindowSeconds'>;

/** Every public request costs its client one, whatever the answer; each answer says how many are left (R25, R26). */
export function limitClients({ publicRateLimit: limit, publicRateWindowSeconds: windowSeconds }: Limits) {
  const counters = new RateLimiterMemory({ points: limit, duration: windowSeconds });
  const policy = `"public";q=${limit};w=${windowSeconds}`;

  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { admitted, remaining, resetSeconds } = await count(counters, request.client);
    reply.header('ratelimit-policy', policy);
    reply.header('ratelimit', `"public";r=${remaining};t=${resetSeconds}`);
    if (!admitted) throw new ApiError('rate_limited', { headers: { 'retry-after': resetSeconds } });
  };
}

async function count(counters: RateLimiterMemory, client: string) {
  const { admitted, counted } = await counters.consume(client).then(
    (counted) => ({ admitted: true, counted }),
    (counted: unknown) => {
      // The library rejects with the counter when it is used up, and with an error when it failed.
      if (!(counted instanceof RateLimiterRes)) throw counted;
      return { admitted: false, counted };
    },
  );
  return {
    admitted,
    remaining: counted.remainingPoints,
    resetSeconds: secondsUntilReset(counted.msBeforeNext),
  };
}

export function secondsUntilReset(msBeforeNext: number): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}
