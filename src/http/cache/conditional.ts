// Conditional requests (R27, R49).
import { ApiError } from '../../errors.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import type { Send } from '../pipeline/send.ts';
import { chooseEncoding, ENCODINGS } from './encodings.ts';
import type { EncodedResponse } from './response.ts';

/**
 * Sends a 200, or a 304 if the client already has this content. Throws a 412 if `If-Match` fails. A 304 repeats the
 * client's own ETag: a cache would look up the bytes of any other one. Conditions do not apply to redirects.
 */
export function sendConditionally(
  send: Send,
  exchange: Exchange,
  { status, body, etag, head, unchangedHead }: EncodedResponse,
): void {
  if (status !== 200) {
    exchange.head.push(...head);
    send(exchange, status, body);
    return;
  }
  const { headers } = exchange.request;
  if (!hasContent(headers['if-match'], etag)) throw new ApiError('precondition_failed');
  const known = findKnown(headers, etag);
  for (const line of known === null ? head : unchangedHead)
    exchange.head.push(known !== null && line === etag ? known : line);
  if (known === null) send(exchange, 200, body);
  else send(exchange, 304, null);
}

/** Whether a response with this ETag is more than a head: not to HEAD, and neither a 304 nor a 412. */
export function needsBody({ method, headers }: Exchange['request'], etag: string): boolean {
  return method !== 'HEAD' && hasContent(headers['if-match'], etag) && findKnown(headers, etag) === null;
}

/**
 * The ETag in `If-None-Match` that matches this content. Another encoding's ETag may match, since a large response is
 * plain until its encoding is ready; but only an encoding that the client accepts, since caches send the ETags of all
 * they have. The comparison is weak: `W/"x"` equals `"x"`.
 */
function findKnown(headers: Exchange['request']['headers'], etag: string): string | null {
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch === undefined) return null;
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return etag;
  const given = ifNoneMatch.split(',').map((candidate) => candidate.trim().replace(/^W\//, ''));
  const plain = contentOf(etag);
  const encoding = chooseEncoding(headers['accept-encoding']);
  const encoded = encoding === null ? plain : `${plain.slice(0, -1)}-${encoding}"`;
  return [etag, encoded, plain].find((one) => given.includes(one)) ?? null;
}

/**
 * `If-Match` compares strongly: a weak or malformed ETag never matches. The ETags of all encodings match, because a
 * client cannot know which encoding it gets: the first response to a long read is plain.
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
