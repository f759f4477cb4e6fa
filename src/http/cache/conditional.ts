// Conditional requests (R27, R49) and other origins (R28).
import { ApiError } from '../../errors.ts';
import type { Exchange } from '../line/exchange.ts';
import type { Send } from '../line/send.ts';
import type { Stage } from '../line/stages.ts';
import { ENCODINGS } from './encodings.ts';
import type { EncodedResponse } from './response.ts';

/** Sends a 200, or a 304 if the client has these bytes already. Throws a 412 if the client asks for other content. */
export function sendConditionally(
  send: Send,
  exchange: Exchange,
  { body, etag, head, unchangedHead }: EncodedResponse,
): void {
  const { headers } = exchange.request;
  if (!hasContent(headers['if-match'], etag)) throw new ApiError('precondition_failed');
  const isUnchanged = matchesEtag(headers['if-none-match'], etag);
  for (const line of isUnchanged ? unchangedHead : head) exchange.head.push(line);
  if (isUnchanged) send(exchange, 304, null);
  else send(exchange, 200, body);
}

/** `If-None-Match` compares weakly: `W/"x"` and `"x"` are the same. */
function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}

/**
 * `If-Match` compares strongly: a weak ETag matches nothing, and neither does what is not an ETag. The ETags of all
 * encodings match, because a client cannot know which encoding it gets: the first response to a long read is plain.
 */
function hasContent(ifMatch: string | undefined, etag: string): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true;
  const content = contentOf(etag);
  return ifMatch.split(',').some((candidate) => contentOf(candidate.trim()) === content);
}

const ENCODING_SUFFIX = new RegExp(`-(?:${ENCODINGS.join('|')})"$`);

function contentOf(etag: string): string {
  return etag.replace(ENCODING_SUFFIX, '"');
}

const EXPOSED_HEADERS = 'RateLimit, RateLimit-Policy, ETag, Link, Retry-After, X-Request-Id';

/** A cache must not serve what one key may read to another. */
export const varyByKey: Stage = ({ head }, next) => {
  head.push('vary', 'Authorization');
  next();
};

export const allowAnyOrigin: Stage = ({ head }, next) => {
  head.push('access-control-allow-origin', '*');
  head.push('access-control-expose-headers', EXPOSED_HEADERS);
  next();
};

/** Pages of other sites may load it, also those that isolate themselves (`Cross-Origin-Embedder-Policy`). */
export const allowEmbedding: Stage = ({ head }, next) => {
  head.push('access-control-allow-origin', '*', 'cross-origin-resource-policy', 'cross-origin');
  next();
};
