// What caches and browsers are told: conditional requests (R27), other origins (R28).
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Form } from './answer.ts';
import type { Send } from './send.ts';
import type { Stage } from './stages.ts';

/** Sends an answer; a 304 instead, if the client has those bytes already. */
export function sendConditionally(
  send: Send,
  request: FastifyRequest,
  reply: FastifyReply,
  { body, etag, head, unchangedHead }: Form,
): void {
  const isUnchanged = matchesEtag(request.raw.headers['if-none-match'], etag);
  for (const line of isUnchanged ? unchangedHead : head) reply.head.push(line);
  if (isUnchanged) send(request, reply, 304, null);
  else send(request, reply, 200, body);
}

/** `If-None-Match` compares weakly: `W/"x"` and `"x"` are the same. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}

/** What a key may read is nobody else's answer. */
export const varyByKey: Stage = (_request, { head }, next) => {
  head.push('vary', 'Authorization');
  next();
};

export const allowAnyOrigin: Stage = (_request, { head }, next) => {
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
