// The parts of a large document: its versions one by one, and the document without them.

export type VersionChunk = Readonly<{
  /** The positions of the product and of the version in their lists. */
  product: number;
  index: number;
  bytes: Buffer;
  start: number;
  line: number;
  /** How many fields and tokens the text has; counted in JSON only. */
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

/** The document is not written in a way that can be split. Read as a whole, it may still be valid. */
export class CannotSplit extends Error {
  override readonly name = 'CannotSplit';
  readonly line: number;
  /** What to do, unless the message says so. */
  readonly advice: string = ' (A large document must be JSON, or YAML with one field per line.)';

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** It cannot be read as a whole either. */
export class TooLarge extends CannotSplit {
  override readonly advice = '';
}

/** It would be JSON without a comment or a comma. YAML may allow it. */
export class NotQuiteJson extends CannotSplit {
  override readonly advice = '';
}

export const CHUNK_BYTES = 256 * 1024;
/** Each part is parsed as a whole. */
export const PART_BYTES_MAX = 16 * 1024 * 1024;

export function versionTooLarge(line: number): TooLarge {
  return new TooLarge(line, `a version exceeds ${PART_BYTES_MAX / 2 ** 20} MiB; shorten it.`);
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

  /** From the next line of the skeleton on, this many lines of the document are missing. */
  skip(removed: number): void {
    this.#skips.push({ line: this.#lines, removed });
  }

  lineOf(line: number): number {
    return this.#skips.reduce((found, skip) => (skip.line <= line ? found + skip.removed : found), line);
  }

  tooLarge(line = this.lineOf(this.#lines)): TooLarge {
    return new TooLarge(
      line,
      `the document without its versions exceeds ${PART_BYTES_MAX / 2 ** 20} MiB; split it up.`,
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
