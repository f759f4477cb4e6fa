// An answer as finished bytes, in every form in which it was asked for so far.
import { createHash } from 'node:crypto';
import { byteLength, type ResponseBody } from '../line/send.ts';
import { compress, type Encoding } from './encodings.ts';

export type EncodedResponse = Readonly<{
  body: ResponseBody;
  etag: string;
  /** The headers of a 200, and of a 304. */
  head: readonly string[];
  unchangedHead: readonly string[];
}>;

const ETAG_CHARACTERS = 27;
/** Below this, next to nothing is saved. */
const COMPRESSED_FROM_BYTES = 256;
/** Above this nobody waits for a form to be made: until it is there, the bytes are sent as they are. */
const WAITED_FOR_BYTES_MAX = 1_048_576;
/** Node.js sends texts up to this size without allocating anything for it. */
const TEXT_BYTES_MAX = 15_000;

/** What an answer says of its bytes. */
export type ResponseKind = Readonly<{ cacheControl: string; contentType: string; link?: string | undefined }>;

export class CachedResponse {
  readonly plain: EncodedResponse;
  readonly #hash: string;
  readonly #kind: ResponseKind;
  #forms: Partial<Record<Encoding, EncodedResponse | Promise<EncodedResponse>>> = {};
  #bytes: number;

  constructor(bytes: Buffer | readonly Buffer[], kind: ResponseKind) {
    const pieces = Buffer.isBuffer(bytes) ? [bytes] : bytes;
    this.#hash = hashOf(pieces, kind).slice(0, ETAG_CHARACTERS);
    this.#kind = kind;
    this.plain = this.#form(pieces, null);
    this.#bytes = byteLength(this.plain.body);
  }

  /** What all its forms take together. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The form, or a promise of it if it is being made just now. Each is made once. */
  in(encoding: Encoding | null, onMade: () => void): EncodedResponse | Promise<EncodedResponse> {
    if (encoding === null || byteLength(this.plain.body) < COMPRESSED_FROM_BYTES) return this.plain;
    this.#forms[encoding] ??= this.#make(encoding, onMade);
    const form = this.#forms[encoding];
    return form instanceof Promise && this.isLarge ? this.plain : form;
  }

  /** Is it so large that its forms are made for those that come later? */
  get isLarge(): boolean {
    return byteLength(this.plain.body) > WAITED_FOR_BYTES_MAX;
  }

  async #make(encoding: Encoding, onMade: () => void): Promise<EncodedResponse> {
    const { body } = this.plain;
    const pieces = typeof body === 'string' ? [Buffer.from(body, 'latin1')] : body;
    const compressed = await compress(pieces, byteLength(body), encoding);
    const pays = byteLength(compressed) < byteLength(body);
    const form = pays ? this.#form(compressed, encoding) : this.plain;
    if (pays) this.#bytes += byteLength(compressed);
    this.#forms[encoding] = form;
    onMade();
    return form;
  }

  /** Each form has an ETag of its own: they are different bytes (R27). */
  #form(pieces: readonly Buffer[], encoding: Encoding | null): EncodedResponse {
    const etag = encoding === null ? `"${this.#hash}"` : `"${this.#hash}-${encoding}"`;
    const { cacheControl, contentType, link } = this.#kind;
    const unchangedHead = ['cache-control', cacheControl, 'vary', 'Accept-Encoding', 'etag', etag];
    if (link !== undefined) unchangedHead.push('link', link);
    const encoded = encoding === null ? [] : ['content-encoding', encoding];
    return {
      body: byteLength(pieces) <= TEXT_BYTES_MAX ? Buffer.concat(pieces).toString('latin1') : pieces,
      etag,
      head: [...unchangedHead, ...encoded, 'content-type', contentType],
      unchangedHead,
    };
  }
}

/** Where a page leads is part of what it says: the same versions with another link are another response. */
function hashOf(pieces: readonly Buffer[], { link = '' }: ResponseKind): string {
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return hash.update(link).digest('base64url');
}
