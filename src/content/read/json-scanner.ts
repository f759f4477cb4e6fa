// Walks JSON text of any size by its brackets, commas, colons and quotes, without parsing the values.
import type { Input } from '../input/input.ts';

export const JSON_BYTES = {
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openList: 0x5b,
  closeList: 0x5d,
  openMap: 0x7b,
  closeMap: 0x7d,
  slash: 0x2f,
  hash: 0x23,
} as const;
export const END = -1;

const [TAB, NEWLINE, RETURN, SPACE, BACKSLASH] = [0x09, 0x0a, 0x0d, 0x20, 0x5c];
const READ_BYTES = 256 * 1024;
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

type ScannerOptions = Readonly<{
  keptBytesMax: number;
  /** The error when more bytes would have to be kept. */
  tooLarge: () => Error;
}>;

export class JsonScanner {
  line = 1;
  /** Where the last token starts in the document. */
  tokenStart: number;
  /** Bytes from this position on stay in memory; null if none are needed. */
  keptFrom: number | null;
  readonly #input: Input;
  readonly #options: ScannerOptions;
  #window: Buffer;
  #windowStart = 0;
  #at: number;
  #stringEnd = 0;

  constructor(input: Input, options: ScannerOptions) {
    this.#input = input;
    this.#options = options;
    this.#window = input.read(0, READ_BYTES);
    this.#at = this.#window.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0;
    this.tokenStart = this.#at;
    this.keptFrom = this.#at;
  }

  /** The next byte that is not blank, with a quote for a whole string, or END. */
  next(): number {
    for (;;) {
      if (this.#at >= this.#window.length && !this.#read()) return END;
      const byte = this.#window[this.#at++] as number;
      if (byte === NEWLINE) this.line++;
      else if (byte !== SPACE && byte !== RETURN && byte !== TAB) {
        this.tokenStart = this.#windowStart + this.#at - 1;
        if (byte === JSON_BYTES.quote) this.#skipString();
        return byte;
      }
    }
  }

  /** The bytes between two positions, which must have been kept. */
  slice(start: number, end: number): Buffer {
    return this.#window.subarray(start - this.#windowStart, end - this.#windowStart);
  }

  /** Whether the current byte is the first one after blanks, a string or punctuation. */
  isTokenStart(): boolean {
    const before = this.slice(this.tokenStart - 1, this.tokenStart).toString('latin1');
    return /^[\s{}[\],:"]?$/.test(before);
  }

  get position(): number {
    return this.#windowStart + this.#at;
  }

  /** Does this name end before the current token? Asked at a colon, it is that of the field. */
  isAfterString(text: string): boolean {
    const start = this.#stringEnd - Buffer.byteLength(text);
    return this.slice(start - 1, this.#stringEnd + 1).toString() === `"${text}"`;
  }

  #skipString(): void {
    do {
      const window = this.#window;
      let at = this.#at;
      while (at < window.length) {
        const byte = window[at++];
        if (byte === JSON_BYTES.quote) {
          this.#at = at;
          this.#stringEnd = this.#windowStart + at - 1;
          return;
        }
        if (byte === BACKSLASH) at++;
        else if (byte === NEWLINE) this.line++;
      }
      this.#at = at;
    } while (this.#read());
  }

  #read(): boolean {
    const end = this.#windowStart + this.#window.length;
    const start = this.keptFrom ?? end;
    const kept = this.slice(start, end);
    if (kept.length > this.#options.keptBytesMax) throw this.#options.tooLarge();
    // A long value grows by its own length at a time, so that it is copied only a few times.
    const more = this.#input.read(end, Math.max(READ_BYTES, kept.length));
    if (more.length === 0) return false;
    this.#at -= start - this.#windowStart;
    this.#window = kept.length === 0 ? more : Buffer.concat([kept, more]);
    this.#windowStart = start;
    return true;
  }
}
