import { createHash, timingSafeEqual } from 'node:crypto';
import type { GateCredentials } from '../config.ts';
import { readBasic } from '../domain/credential.ts';
import { ApiError } from '../errors.ts';
import type { Allowance, Counters } from './counters/counters.ts';
import type { Exchange } from './exchange.ts';
import { secondsUntilReset } from './limiter.ts';
import { isUnderApi } from './path.ts';
import { headerLines } from './request.ts';
import type { Stage } from './stages.ts';

const WRONG_TRIES_MAX = 20;
const WRONG_TRIES_WINDOW_SECONDS = 60;
const WRONG_TRIES: Allowance = {
  kind: 'gate',
  max: WRONG_TRIES_MAX,
  windowSeconds: WRONG_TRIES_WINDOW_SECONDS,
};
const CHALLENGE = { 'www-authenticate': 'Basic realm="changelog", charset="UTF-8"' };
const MESSAGE = 'This site is password protected. Send its user name and password as HTTP Basic credentials.';

/** HTTP Basic authentication before everything under `/api`, whatever else the request is (R22–R24). */
export function openGate({ username, password }: GateCredentials, wrongTries: Counters): Stage {
  const expected = digest(Buffer.from(`${username}:${password}`));

  async function check({ request, client }: Exchange): Promise<void> {
    const counted = await wrongTries.add(WRONG_TRIES, client, 0);
    if (counted.count > WRONG_TRIES_MAX) throw tooManyTries(counted.msBeforeNext);

    const tried = [headerLines(request, 'authorization'), headerLines(request, 'proxy-authorization')]
      .map(readBasic)
      .filter((credentials) => credentials !== undefined);
    if (tried.some((credentials) => timingSafeEqual(digest(credentials), expected))) return;
    // A request that brings no password is no try: browsers always ask once without.
    if (tried.length > 0) {
      const { count, msBeforeNext } = await wrongTries.add(WRONG_TRIES, client, tried.length);
      if (count > WRONG_TRIES_MAX) throw tooManyTries(msBeforeNext);
    }
    throw gateRefusal();
  }

  return (exchange, next) => {
    if (isUnderApi(exchange.path)) check(exchange).then(() => next(), next);
    else next();
  };
}

/** The one 401 that the gate answers with, whatever was asked. */
export function gateRefusal(): ApiError {
  return new ApiError('unauthorized', { message: MESSAGE, headers: CHALLENGE });
}

function tooManyTries(msBeforeNext: number): ApiError {
  return new ApiError('rate_limited', { headers: { 'retry-after': secondsUntilReset(msBeforeNext) } });
}

/** Digests are of one length, so that comparing them tells nothing about the lengths behind them. */
function digest(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
