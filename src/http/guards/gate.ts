import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { GateCredentials } from '../../config.ts';
import { parseBasic } from '../../domain/access/credential.ts';
import { ApiError } from '../../errors.ts';
import { isUnderApi } from '../line/path.ts';
import { headerLines } from '../line/request.ts';
import type { Stage } from '../line/stages.ts';
import type { Allowance, Count, Counters } from './counters/counters.ts';
import { secondsUntilReset } from './limiter.ts';

const WRONG_TRIES_MAX = 20;
const WRONG_TRIES_WINDOW_SECONDS = 60;
const WRONG_TRIES: Allowance = {
  kind: 'gate',
  max: WRONG_TRIES_MAX,
  windowSeconds: WRONG_TRIES_WINDOW_SECONDS,
};
const CHALLENGE = { 'www-authenticate': 'Basic realm="changelog", charset="UTF-8"' };
const MESSAGE = 'This site is password protected. Send its user name and password as HTTP Basic credentials.';

/**
 * HTTP Basic authentication before everything under `/api`, whatever else the request is (R22–R24).
 *
 * What a try was found to be is acted on only with the count that it got in the place where all tries are counted, in one
 * step: 1 is added for a wrong one, 0 for any other. So tries that are sent at once, to any number of processes, see what
 * they would have seen one after another. A right one after more than 20 wrong ones is refused like a wrong one, at the
 * same cost; right ones take nothing from the allowance.
 */
export function requirePassword({ username, password }: GateCredentials, counters: Counters): Stage {
  const expected = digest(Buffer.from(`${username}:${password}`));

  return ({ request, client, path }, next) => {
    if (!isUnderApi(path)) return next();
    const credentials = readCredentials(request);
    const isRight = credentials !== undefined && timingSafeEqual(digest(credentials), expected);
    // A request that brings no password is not a try: browsers always ask once without.
    const isWrong = credentials !== undefined && !isRight;
    const counted = counters.add(WRONG_TRIES, client, isWrong ? 1 : 0);
    if (counted instanceof Promise) counted.then((later) => judge(isRight, later)).then(next, next);
    else next(judge(isRight, counted));
  };
}

function judge(isRight: boolean, { count, msBeforeNext }: Count): ApiError | undefined {
  if (count > WRONG_TRIES_MAX) return tooManyTries(msBeforeNext);
  return isRight ? undefined : gateError();
}

/** One try a request: what `Proxy-Authorization` holds is read only if `Authorization` holds no Basic credentials. */
function readCredentials(request: IncomingMessage): Buffer | undefined {
  return (
    parseBasic(headerLines(request, 'authorization')) ??
    parseBasic(headerLines(request, 'proxy-authorization'))
  );
}

/** The one 401 that the gate answers with, whatever was asked. */
export function gateError(): ApiError {
  return new ApiError('unauthorized', { message: MESSAGE, headers: CHALLENGE });
}

function tooManyTries(msBeforeNext: number): ApiError {
  return new ApiError('rate_limited', { headers: { 'retry-after': secondsUntilReset(msBeforeNext) } });
}

/** Digests are of one length, so that comparing them tells nothing about the lengths behind them. */
function digest(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
