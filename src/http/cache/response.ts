// A response as finished bytes, in every encoding requested so far.
import { hash } from 'node:crypto';
import { byteLength } from '../pipeline/send.ts';
import { hashAll } from './body.ts';
import { compress, type Encoding, type Levels } from './encodings.ts';
import { StreamedBody } from './streamed-body.ts';

type Content = string | readonly Buffer[] | StreamedBody;

export type EncodedResponse = Readonly<{
  status: 200 | 302;
  body: Content;
  etag: string;
  /** The headers of a 200 or 302, and of a 304. */
  head: readonly string[];
  unchangedHead: readonly string[];
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

export type ResponseKind = Readonly<{
  cacheControl: string;
  contentType: string;
  link?: string | undefined;
  /** The value of `X-Total-Count`: how many there are on all pages. */
  totalCount?: number | undefined;
  /** Where a redirect leads; it has no body and no ETag. */
  location?: string | undefined;
  /** Headers for a CDN, on a 200 and a 304. */
  cdnHead?: readonly string[] | undefined;
  /** More headers for a 200 that depend only on the body: each name is followed by its value. */
  head?: readonly string[] | undefined;
  levels?: Levels | undefined;
}>;

export class CachedResponse {
  readonly plain: EncodedResponse;
  readonly #hash: string;
  readonly #kind: ResponseKind;
  #encoded: Partial<Record<Encoding, EncodedResponse | Promise<EncodedResponse>>> = {};
  #bytes: number;

  constructor(content: Content, kind: ResponseKind) {
    this.#hash = hashOf(content, kind).slice(0, ETAG_CHARACTERS);
    this.#kind = kind;
    this.plain = this.#withHeaders(bodyOf(content), null);
    this.#bytes = this.isStreamed ? 0 : byteLength(this.plain.body);
  }

  /** Memory taken by all encodings together. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Its body is not kept, and has no other encoding: compressing it for each client would take too long. */
  get isStreamed(): boolean {
    return this.plain.body instanceof StreamedBody;
  }

  /** Makes each encoding once and then calls `onMade`; until then, returns a promise of it. */
  in(encoding: Encoding | null, onMade: () => void): EncodedResponse | Promise<EncodedResponse> {
    const { body } = this.plain;
    if (encoding === null || byteLength(body) < COMPRESSED_FROM_BYTES || body instanceof StreamedBody)
      return this.plain;
    this.#encoded[encoding] ??= this.#encode(body, encoding, onMade);
    const encoded = this.#encoded[encoding];
    return encoded instanceof Promise && this.isLarge ? this.plain : encoded;
  }

  /** Large responses are compressed only for later requests. */
  get isLarge(): boolean {
    return byteLength(this.plain.body) > COMPRESSED_AT_ONCE_BYTES_MAX;
  }

  async #encode(
    body: string | readonly Buffer[],
    encoding: Encoding,
    onMade: () => void,
  ): Promise<EncodedResponse> {
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
    if (isSmaller) this.#bytes += byteLength(compressed) + ENCODING_OVERHEAD_BYTES;
    this.#encoded[encoding] = encoded;
    onMade();
    return encoded;
  }

  /** Each encoding has its own ETag because its bytes differ (R27). */
  #withHeaders(body: Content, encoding: Encoding | null): EncodedResponse {
    const etag = encoding === null ? `"${this.#hash}"` : `"${this.#hash}-${encoding}"`;
    const { cacheControl, contentType, link, totalCount, location, cdnHead = [], head = [] } = this.#kind;
    if (location !== undefined) {
      const head = ['cache-control', cacheControl, 'location', location];
      return { status: 302, body, etag, head, unchangedHead: head };
    }
    const unchangedHead = ['cache-control', cacheControl, 'vary', 'Accept-Encoding', 'etag', etag];
    if (link !== undefined) unchangedHead.push('link', link);
    if (totalCount !== undefined) unchangedHead.push('x-total-count', String(totalCount));
    unchangedHead.push(...cdnHead);
    const encoded = encoding === null ? [] : ['content-encoding', encoding];
    return {
      status: 200,
      body,
      etag,
      head: [...unchangedHead, ...encoded, 'content-type', contentType, ...head],
      unchangedHead,
    };
  }
}

function bodyOf(content: Content): Content {
  if (content instanceof StreamedBody) return content;
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

/** Links to other pages and their number are part of the response: the same versions with others need another ETag. */
function hashOf(content: Content, { link = '', totalCount }: ResponseKind): string {
  const paging = `${link}${totalCount ?? ''}`;
  if (typeof content === 'string') return hash('sha256', content + paging, 'base64url');
  const hashing = content instanceof StreamedBody ? content.hashing() : hashAll(content);
  return hashing.update(paging).digest('base64url');
}
