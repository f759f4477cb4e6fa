// What caches and browsers are told: freshness, ETags and conditional requests (R27), other origins (R28).
import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer } from './held-answers.ts';

const ETAG_CHARACTERS = 27;

/** Sends an answer with its caching headers and ETag; a 304 instead, if the client has those bytes already. */
export function sendConditionally(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, etag }: Answer,
  cacheControl: string,
): FastifyReply {
  reply.header('cache-control', cacheControl);
  reply.header('etag', etag);
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.type('application/json; charset=utf-8').send(body);
}

export function etagOf(body: Buffer): string {
  return `"${hash('sha256', body, 'base64url').slice(0, ETAG_CHARACTERS)}"`;
}

/** `If-None-Match` compares weakly: `W/"x"` and `"x"` are the same. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}

/** What a key may read is nobody else's answer. */
export async function varyByKey(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header('vary', 'Authorization');
}

export async function allowAnyOrigin(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header('access-control-allow-origin', '*');
  reply.header('access-control-expose-headers', 'RateLimit, RateLimit-Policy, ETag, Link, Retry-After');
}

/** What a browser wants to know before it sends a request of its own making. */
export const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
};
