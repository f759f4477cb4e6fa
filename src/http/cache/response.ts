// A response as finished bytes, in every encoding requested so far, and what of it a conditional request gets (R27, R49).
import { createHash } from 'node:crypto';
import { ApiError } from '../../errors.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import { byteLength, type Send } from '../pipeline/send.ts';
import { CollectedBody } from './body.ts';
import { chooseEncoding, compress, ENCODINGS, type Encoding, type Levels } from './encodings.ts';

type KeptBody = string | readonly Buffer[];
export type Content = KeptBody | CollectedBody;

export type EncodedResponse = Readonly<{
  status: 200 | 302;
  body: Content;
  etag: string;
  /** The headers of a 200 or 302, and of a 304. */
  head: readonly string[];
  unchangedHead: readonly string[];
  domain: string | null;
}>;

const ETAG_CHARACTERS = 27;
/** Compressing less than this saves next to nothing. */
const COMPRESSED_FROM_BYTES = 256;
/** A larger response is sent uncompressed until its compression is done. */
const COMPRESSED_AT_ONCE_BYTES_MAX = 1_048_576;
/** Approximate memory per encoding besides its bytes: its headers. */
const ENCODING_OVERHEAD_BYTES = 800;
/** Node.js sends strings up to this size without allocating a buffer. */
const STRING_BYTES_MAX = 15_000;

/** What a read knows of its response besides the body. */
export type Described = Readonly<{
  /** The value of the `Link` header. */
  link?: string | undefined;
  /** The value of `X-Total-Count`: how many there are on all pages. */
  totalCount?: number | undefined;
  /** Where a redirect leads; it has no body and no ETag. */
  location?: string | undefined;
}>;

export type ResponseKind = Described &
  Readonly<{
    cacheControl: string;
    contentType: string;
    /** Headers for a CDN, on a 200 and a 304. */
    cdnHead?: readonly string[] | undefined;
    /** More headers for a 200 that depend only on the body: each name is followed by its value. */
    head?: readonly string[] | undefined;
    levels?: Levels | undefined;
    /** The host of its product's own domain. */
    domain?: string | null | undefined;
  }>;

export class CachedResponse {
  readonly plain: EncodedResponse;
  /** Its body is not kept, and has no other encoding: compressing it for each client would take too long. */
  readonly isStreamed: boolean;
  readonly #hash: string;
  readonly #kind: ResponseKind;
  #encoded: Partial<Record<Encoding, EncodedResponse | Promise<EncodedResponse>>> = {};
  /** Memory taken by all encodings together. */
  bytes: number;

  /** `writtenAt` is the last write to what it shows. */
  constructor(content: Content, kind: ResponseKind, writtenAt = 0) {
    this.isStreamed = content instanceof CollectedBody;
    this.#hash = hashOf(content, kind, writtenAt).slice(0, ETAG_CHARACTERS);
    this.#kind = kind;
    this.plain = this.#withHeaders(bodyOf(content), null);
    this.bytes = this.isStreamed ? 0 : byteLength(this.plain.body);
  }

  /** Large responses are compressed only for later requests. */
  get isLarge(): boolean {
    return this.isStreamed || byteLength(this.plain.body) > COMPRESSED_AT_ONCE_BYTES_MAX;
  }

  /** Undefined while this encoding must be waited for. */
  ready(encoding: Encoding | null): EncodedResponse | undefined {
    const { body } = this.plain;
    if (encoding === null || this.isStreamed || byteLength(body) < COMPRESSED_FROM_BYTES) return this.plain;
    const encoded = this.#encoded[encoding];
    return encoded instanceof Promise ? (this.isLarge ? this.plain : undefined) : encoded;
  }

  /** Makes each encoding once and then calls `onMade`. */
  async in(encoding: Encoding | null, onMade: () => void): Promise<EncodedResponse> {
    const ready = this.ready(encoding);
    if (ready !== undefined || encoding === null) return ready ?? this.plain;
    this.#encoded[encoding] ??= this.#encode(this.plain.body as KeptBody, encoding, onMade);
    return this.ready(encoding) ?? (await this.#encoded[encoding]);
  }

  /** Nobody reads its body. */
  cancel(): void {
    const { body } = this.plain;
    if (body instanceof CollectedBody) body.cancel();
  }

  async #encode(body: KeptBody, encoding: Encoding, onMade: () => void): Promise<EncodedResponse> {
    const pieces = typeof body === 'string' ? [Buffer.from(body, 'latin1')] : body;
    const compressing = compress(pieces, byteLength(body), encoding, this.#kind.levels);
    const compressed = await compressing.catch(() => null);
    if (compressed === null) {
      // Sent uncompressed for now; the next request tries again.
      delete this.#encoded[encoding];
      return this.plain;
    }
    const isSmaller = byteLength(compressed) < byteLength(body);
    const encoded = isSmaller ? this.#withHeaders(bodyOf(compressed), encoding) : this.plain;
    if (isSmaller) this.bytes += byteLength(compressed) + ENCODING_OVERHEAD_BYTES;
    this.#encoded[encoding] = encoded;
    onMade();
    return encoded;
  }

  /** Each encoding has its own ETag because its bytes differ (R27). */
  #withHeaders(body: Content, encoding: Encoding | null): EncodedResponse {
    const etag = encoding === null ? `"${this.#hash}"` : `"${this.#hash}-${encoding}"`;
    const { cacheControl, contentType, link, totalCount, location, domain = null } = this.#kind;
    if (location !== undefined) {
      const head = ['cache-control', cacheControl, 'location', location];
      return { status: 302, body, etag, head, unchangedHead: head, domain };
    }
    const unchangedHead = ['cache-control', cacheControl, 'vary', 'Accept-Encoding', 'etag', etag];
    if (link !== undefined) unchangedHead.push('link', link);
    if (totalCount !== undefined) unchangedHead.push('x-total-count', String(totalCount));
    unchangedHead.push(...(this.#kind.cdnHead ?? []));
    const encoded = encoding === null ? [] : ['content-encoding', encoding];
    return {
      status: 200,
      body,
      etag,
      head: [...unchangedHead, ...encoded, 'content-type', contentType, ...(this.#kind.head ?? [])],
      unchangedHead,
      domain,
    };
  }
}

function bodyOf(content: Content): Content {
  if (content instanceof CollectedBody) return content;
  if (typeof content !== 'string')
    return byteLength(content) <= STRING_BYTES_MAX
      ? Buffer.concat(content).toString('latin1')
      : content.map(inOwnMemory);
  // ASCII already has one byte per character.
  const isAscii = Buffer.byteLength(content) === content.length;
  return isAscii && content.length <= STRING_BYTES_MAX ? content : bodyOf([Buffer.from(content)]);
}

/** Small buffers are slices of larger ones, which would stay in memory as long as the response is cached. */
function inOwnMemory(piece: Buffer): Buffer {
  if (piece.buffer.byteLength === piece.length) return piece;
  const own = Buffer.allocUnsafeSlow(piece.length);
  piece.copy(own);
  return own;
}

/**
 * Links to other pages and their number are part of the response: the same versions with others need another ETag. What a
 * body that is streamed has after its first part is told by its last write.
 */
function hashOf(content: Content, { link = '', totalCount }: ResponseKind, writtenAt: number): string {
  const hashing = createHash('sha256');
  const isStreamed = content instanceof CollectedBody;
  for (const part of isStreamed ? content.buffers : [content].flat()) hashing.update(part);
  return hashing.update(`${link}${totalCount ?? ''}${isStreamed ? ` ${writtenAt}` : ''}`).digest('base64url');
}

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

export const CDN_LIFETIME = 'cdn-cache-control';

/** After a write, a host may still lead to a product that no longer has it; a CDN must not keep what that shows. */
export function forHost(host: string | null, response: EncodedResponse): EncodedResponse {
  return host === null || host === response.domain ? response : withoutLifetime(response);
}

/** For a response that may be out of date: it keeps its tags, so that it is purged all the same. */
export function withoutLifetime(response: EncodedResponse): EncodedResponse {
  const without = (head: readonly string[]) =>
    head.includes(CDN_LIFETIME) ? head.toSpliced(head.indexOf(CDN_LIFETIME), 2) : head;
  return { ...response, head: without(response.head), unchangedHead: without(response.unchangedHead) };
}
