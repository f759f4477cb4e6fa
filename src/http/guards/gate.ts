// The two guards that count requests: the password of the gate, and the rate limit.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Config, GateCredentials } from '../../config.ts';
import { parseBasic } from '../../domain/access/credential.ts';
import { andThen } from '../../domain/maybe-promise.ts';
import { ApiError } from '../../errors.ts';
import type { Stage } from '../pipeline/exchange.ts';
import { headerLines } from '../pipeline/request.ts';
import type { Counts } from '../telemetry/counts.ts';
import type { Count, Counters } from './counters/counters.ts';

const WRONG_TRIES_MAX = 20;
const WRONG_TRIES_WINDOW_SECONDS = 60;
const CHALLENGE = { 'www-authenticate': 'Basic realm="changelog", charset="UTF-8"' };
const MESSAGE = 'This site is password protected. Send its user name and password as HTTP Basic credentials.';

/**
 * HTTP Basic authentication for all content, whatever the request (R22–R24, R38). A failed attempt adds 1 to the
 * client's count, any other request adds 0, and the response depends on the resulting count. Adding is atomic, so
 * concurrent attempts, on any number of processes, are judged as if they had come one by one. After more than 20 failed
 * attempts even the right password is rejected, at the same cost.
 */
export function requirePassword({ username, password }: GateCredentials, counters: Counters): Stage {
  const expected = digest(Buffer.from(`${username}:${password}`));
  // One more than allowed is remembered: from then on, even the right password is refused.
  const max = WRONG_TRIES_MAX + 1;
  const windowSeconds = WRONG_TRIES_WINDOW_SECONDS;
  const count = counters.open({ kind: 'gate', max, windowSeconds, isExact: true });

  return (exchange) => {
    const { request, client } = exchange;
    exchange.isLockedOut = true;
    // One attempt per request: `Proxy-Authorization` counts only if `Authorization` has no Basic credentials.
    const credentials =
      parseBasic(headerLines(request, 'authorization')) ??
      parseBasic(headerLines(request, 'proxy-authorization'));
    const isRight = credentials !== undefined && timingSafeEqual(digest(credentials), expected);
    // A request without a password is not an attempt: browsers always start with one.
    const isWrong = credentials !== undefined && !isRight;
    return andThen(count(client, isWrong ? 1 : 0), (tries) => {
      const error = judge(isRight, tries);
      exchange.isLockedOut = error !== undefined;
      return error;
    });
  };
}

function judge(isRight: boolean, { count, msBeforeNext }: Count): ApiError | undefined {
  if (count > WRONG_TRIES_MAX) return rateLimitError(secondsUntilReset(msBeforeNext));
  return isRight ? undefined : gateError();
}

/** The same 401 for every request. */
export function gateError(): ApiError {
  return new ApiError('unauthorized', { message: MESSAGE, headers: CHALLENGE });
}

/** Digests have equal length, so comparing them does not reveal the password's length. */
function digest(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/**
 * Every public request counts, whatever its response, and every response shows how many are left (R25, R26). Preflights
 * may be free (R46): browsers send them on their own and report a 429 as a network error, so the page would learn neither
 * the reason nor how long to wait.
 */
export function createLimiter(
  { publicRateLimit: limit, publicRateWindowSeconds: windowSeconds }: Config,
  counters: Counters,
  counts: Counts['limiter'],
): (options: Readonly<{ freePreflights: boolean }>) => Stage {
  const policy = `"public";q=${limit};w=${windowSeconds}`;
  // The window is part of the key: during a reload, processes with different windows may share the counters.
  const count = counters.open({ kind: `public:${windowSeconds}`, max: limit, windowSeconds });

  function judge(head: string[], points: 0 | 1, { count, msBeforeNext }: Count): ApiError | undefined {
    const resetSeconds = secondsUntilReset(msBeforeNext);
    head.push('ratelimit-policy', policy);
    head.push('ratelimit', `"public";r=${Math.max(0, limit - count)};t=${resetSeconds}`);
    if (points === 0) return undefined;
    counts[count > limit ? 'refused' : 'admitted']++;
    return count > limit ? rateLimitError(resetSeconds) : undefined;
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

function secondsUntilReset(msBeforeNext: number): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}
