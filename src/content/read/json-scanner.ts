// Walks JSON text by its brackets, commas, colons and strings, without parsing the values.

export const JSON_CODES = {
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openList: 0x5b,
  closeList: 0x5d,
  openMap: 0x7b,
  closeMap: 0x7d,
  slash: 0x2f,
} as const;
export const END = -1;

const [TAB, NEWLINE, RETURN, SPACE] = [0x09, 0x0a, 0x0d, 0x20];

export class JsonScanner {
  /** The line of the last token, if strings have no line breaks, which JSON does not allow. */
  line = 1;
  /** Where the last token starts and ends. */
  start = 0;
  end = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The next character that is not blank, with a quote for a whole string, or END. */
  next(): number {
    const text = this.#text;
    for (let at = this.end; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === NEWLINE) this.line++;
      else if (code !== SPACE && code !== RETURN && code !== TAB) {
        this.start = at;
        this.end = code === JSON_CODES.quote ? endOfString(text, at) : at + 1;
        return code;
      }
    }
    this.end = text.length;
    return END;
  }

  /** The next token is looked for from here on. */
  skipTo(end: number): void {
    for (let at = this.end; at < end; at++) if (this.#text.charCodeAt(at) === NEWLINE) this.line++;
    this.end = end;
  }
}

function endOfString(text: string, start: number): number {
  let end = start;
  do {
    end = text.indexOf('"', end + 1);
    if (end === -1) return text.length;
  } while (isEscaped(text, end));
  return end + 1;
}

function isEscaped(text: string, position: number): boolean {
  let first = position;
  while (text[first - 1] === '\\') first--;
  return (position - first) % 2 === 1;
}
