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

/** Bytes that are put together from many small parts, each of which would take more room than what it holds. */
export class ByteBuffer {
  #bytes = Buffer.allocUnsafe(1024);
  length = 0;

  add(part: Uint8Array): void {
    if (this.length + part.length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.length + part.length));
      this.#bytes.copy(larger, 0, 0, this.length);
      this.#bytes = larger;
    }
    this.#bytes.set(part, this.length);
    this.length += part.length;
  }

  /** A copy of the bytes from there on. */
  copyFrom(start: number): Buffer {
    return Buffer.from(this.#bytes.subarray(start, this.length));
  }

  /** Forgets what is there from this place on. */
  cut(start: number): void {
    this.length = start;
  }
}

/** Gathers the outline. */
export class SkeletonBuilder {
  fields = 0;
  tokens = 0;
  readonly #text = new ByteBuffer();
  readonly #cuts: { line: number; removed: number }[] = [];
  #lines = 1;

  add(part: Uint8Array): void {
    if (this.#text.length + part.length > PART_BYTES_MAX) throw this.tooLarge();
    this.#text.add(part);
    for (let at = part.indexOf(10); at !== -1; at = part.indexOf(10, at + 1)) this.#lines++;
  }

  /** Where the next part will stand. */
  get end(): number {
    return this.#text.length;
  }

  /** Changes the part that stands there, which is a line. */
  amendAt(place: number, change: (line: Buffer) => Buffer): void {
    const rest = this.#text.copyFrom(place);
    const stop = rest.indexOf(10) + 1 || rest.length;
    this.#text.cut(place);
    this.#text.add(change(rest.subarray(0, stop)));
    this.#text.add(rest.subarray(stop));
  }

  /** From the next line of the outline on, the document is so many lines further. */
  skip(removed: number): void {
    this.#cuts.push({ line: this.#lines, removed });
  }

  lineOf(line: number): number {
    return this.#cuts.reduce((found, cut) => (cut.line <= line ? found + cut.removed : found), line);
  }

  tooLarge(line = this.lineOf(this.#lines)): TooLarge {
    return new TooLarge(
      line,
      `the document takes over ${PART_BYTES_MAX / 2 ** 20} MiB besides its versions; split it up.`,
    );
  }

  build(): Skeleton {
    return {
      bytes: this.#text.copyFrom(0),
      fields: this.fields,
      tokens: this.tokens,
      lineOf: (line) => this.lineOf(line),
    };
  }
}
