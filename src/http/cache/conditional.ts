// What caches and browsers are told: conditional requests (R27), other origins (R28).

import type { Exchange } from '../line/exchange.ts';
import type { Send } from '../line/send.ts';
import type { Stage } from '../line/stages.ts';
import type { EncodedResponse } from './response.ts';

/** Sends an answer; a 304 instead, if the client has those bytes already. */
export function sendConditionally(
  send: Send,
  exchange: Exchange,
  { body, etag, head, unchangedHead }: EncodedResponse,
): void {
  const isUnchanged = matchesEtag(exchange.request.headers['if-none-match'], etag);
  for (const line of isUnchanged ? unchangedHead : head) exchange.head.push(line);
  if (isUnchanged) send(exchange, 304, null);
  else send(exchange, 200, body);
}

/** `If-None-Match` compares weakly: `W/"x"` and `"x"` are the same. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}

/** What a key may read is nobody else's answer. */
export const varyByKey: Stage = ({ head }, next) => {
  head.push('vary', 'Authorization');
  next();
};

export const allowAnyOrigin: Stage = ({ head }, next) => {
  head.push('access-control-allow-origin', '*');
  head.push('access-control-expose-headers', 'RateLimit, RateLimit-Policy, ETag, Link, Retry-After');
  next();
};

/** What a browser wants to know before it sends a request of its own making. */
export const PREFLIGHT_HEAD = [
  'access-control-allow-methods',
  'GET, HEAD, OPTIONS',
  'access-control-allow-headers',
  '*',
  'access-control-max-age',
  '86400',
];
