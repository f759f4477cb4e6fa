// What cuts a large document into pieces has in common: the versions one by one, and the document without them.

/** The text of one version, and where it stands. */
export type VersionChunk = Readonly<{
  /** The product, and the place of the version in its list. */
  product: number;
  index: number;
  bytes: Buffer;
  start: number;
  line: number;
  /** How many fields and tokens the text has; known of JSON only. */
  fields: number;
  tokens: number;
}>;

/** The document with empty lists where the versions were. */
export type Skeleton = Readonly<{
  bytes: Buffer;
  fields: number;
  tokens: number;
  /** The line of the document that a line of the text comes from. */
  lineOf: (line: number) => number;
}>;

/** The document is not written in the plain way that can be cut; as a whole it may still be right. */
export class CannotSplit extends Error {
  override readonly name = 'Uncut';
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** Nor can it be read as a whole. */
export class TooLarge extends CannotSplit {}

export const CHUNK_BYTES = 256 * 1024;
/** A piece is held in memory as a whole, and so is the outline. Parsers take up to 40 times as much for them. */
export const PART_BYTES_MAX = 16 * 1024 * 1024;

export function versionTooLarge(line: number): TooLarge {
  return new TooLarge(line, `a version takes over ${PART_BYTES_MAX / 2 ** 20} MiB; shorten it.`);
}

export class SkeletonBuilder {
  fields = 0;
  tokens = 0;
  /** One buffer: many small ones would take more memory than their bytes. */
  #bytes = Buffer.allocUnsafe(1024);
  #length = 0;
  readonly #skips: { line: number; removed: number }[] = [];
  #lines = 1;

  add(part: Uint8Array): void {
    const length = this.#length + part.length;
    if (length > PART_BYTES_MAX) throw this.tooLarge();
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, length));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#bytes.set(part, this.#length);
    this.#length = length;
    for (let at = part.indexOf(10); at !== -1; at = part.indexOf(10, at + 1)) this.#lines++;
  }

  /** From the next line of the outline on, the document is so many lines further. */
  skip(removed: number): void {
    this.#skips.push({ line: this.#lines, removed });
  }

  lineOf(line: number): number {
    return this.#skips.reduce((found, skip) => (skip.line <= line ? found + skip.removed : found), line);
  }

  tooLarge(line = this.lineOf(this.#lines)): TooLarge {
    return new TooLarge(
      line,
      `the document takes over ${PART_BYTES_MAX / 2 ** 20} MiB besides its versions; split it up.`,
    );
  }

  build(): Skeleton {
    return {
      bytes: this.#bytes.subarray(0, this.#length),
      fields: this.fields,
      tokens: this.tokens,
      lineOf: (line) => this.lineOf(line),
    };
  }
}
