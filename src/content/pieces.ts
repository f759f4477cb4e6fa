// What cuts a large document into pieces has in common: the versions one by one, and the document without them.

/** The text of one version, and where it stands. */
export type Piece = Readonly<{
  /** The product, and the place of the version in its list. */
  product: number;
  index: number;
  bytes: Buffer;
  start: number;
  line: number;
  /** How many fields the text names, where that is known. */
  fields?: number;
}>;

/** The document with empty lists where the versions were. */
export type Outline = Readonly<{
  bytes: Buffer;
  /** How many fields the text names, where that is known. */
  fields: number;
  /** The line of the document that a line of the text comes from. */
  lineOf: (line: number) => number;
}>;

/** The document is not written in the plain way that can be cut; as a whole it may still be right. */
export class Uncut extends Error {
  override readonly name = 'Uncut';
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

export const CHUNK_BYTES = 256 * 1024;
/** A piece is held in memory as a whole, and so is the outline. */
export const PIECE_BYTES_MAX = 32 * 1024 * 1024;

/** Gathers the outline. */
export class OutlineBuilder {
  fields = 0;
  readonly #parts: Buffer[] = [];
  readonly #cuts: { line: number; removed: number }[] = [];
  #lines = 1;
  #bytes = 0;

  add(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > PIECE_BYTES_MAX)
      throw new Uncut(
        this.lineOf(this.#lines),
        'the document is too large besides its versions; split it up.',
      );
    this.#parts.push(Buffer.from(part));
    for (let at = part.indexOf(10); at !== -1; at = part.indexOf(10, at + 1)) this.#lines++;
  }

  /** How many parts there are, and so the place of the next one. */
  get parts(): number {
    return this.#parts.length;
  }

  amendAt(index: number, change: (part: Buffer) => Buffer): void {
    this.#parts[index] = change(this.#parts[index] ?? Buffer.alloc(0));
  }

  /** From the next line of the outline on, the document is so many lines further. */
  skip(removed: number): void {
    this.#cuts.push({ line: this.#lines, removed });
  }

  lineOf(line: number): number {
    return this.#cuts.reduce((found, cut) => (cut.line <= line ? found + cut.removed : found), line);
  }

  build(): Outline {
    return {
      bytes: Buffer.concat(this.#parts),
      fields: this.fields,
      lineOf: (line) => this.lineOf(line),
    };
  }
}
