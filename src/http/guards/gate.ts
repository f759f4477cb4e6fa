import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { GateCredentials } from '../../config.ts';
import { parseBasic } from '../../domain/access/credential.ts';
import { andThen } from '../../domain/maybe-promise.ts';
import { ApiError } from '../../errors.ts';
import type { Stage } from '../pipeline/exchange.ts';
import { headerLines } from '../pipeline/request.ts';
import type { Allowance, Count, Counters } from './counters/counters.ts';
import { secondsUntilReset } from './limiter.ts';

const WRONG_TRIES_MAX = 20;
const WRONG_TRIES_WINDOW_SECONDS = 60;
/** One more than allowed is remembered: from then on, even the right password is refused. */
const WRONG_TRIES: Allowance = {
  kind: 'gate',
  max: WRONG_TRIES_MAX + 1,
  windowSeconds: WRONG_TRIES_WINDOW_SECONDS,
  isExact: true,
};
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
  const count = counters.open(WRONG_TRIES);

  return (exchange) => {
    const { request, client } = exchange;
    exchange.isLockedOut = true;
    const credentials = readCredentials(request);
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
  if (count > WRONG_TRIES_MAX)
    return new ApiError('rate_limited', { headers: { 'retry-after': secondsUntilReset(msBeforeNext) } });
  return isRight ? undefined : gateError();
}

/** One attempt per request: `Proxy-Authorization` counts only if `Authorization` has no Basic credentials. */
function readCredentials(request: IncomingMessage): Buffer | undefined {
  return (
    parseBasic(headerLines(request, 'authorization')) ??
    parseBasic(headerLines(request, 'proxy-authorization'))
  );
}

/** The same 401 for every request. */
export function gateError(): ApiError {
  return new ApiError('unauthorized', { message: MESSAGE, headers: CHALLENGE });
}

/** Digests have equal length, so comparing them does not reveal the password's length. */
function digest(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
