// Goes over the lines of a Markdown text and says which are headings and which define link references, as far as that
// can be said without reading all of it: code, comments and preformatted text are passed over.
import { readVersionHeading } from './headings.ts';
import { type Definition, readDefinition } from './references.ts';

export type Heading = Readonly<{ level: number; text: string }>;

export type ScannedLine = Readonly<{
  text: string;
  /** Counted from 1. */
  number: number;
  heading: Heading | null;
  definition: Definition | null;
}>;

const ATX = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
const FENCE = /^([ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}(?!.*`)|~{3,})/;
const RAW_BEGIN = /^ {0,3}<(?:(!--)|(pre|script|style|textarea)(?=[\s>]|$))/i;

export function* scan(lines: Iterable<string>): Generator<ScannedLine> {
  const scanner = new Scanner();
  let held: string | null = null;
  let number = 0;
  for (const line of lines) {
    if (held !== null) yield scanner.take(held, line, number);
    held = line;
    number++;
  }
  if (held !== null) yield scanner.take(held, '', number);
}

class Scanner {
  /** What ends the code that the lines are in. */
  #fence: { close: RegExp; isIndented: boolean } | null = null;
  #rawEnd: RegExp | null = null;
  /** Is the line before this one text that this one may go on with? */
  #isInText = false;
  #wasVersion = false;

  take(text: string, next: string, number: number): ScannedLine {
    const plain = { text, number, heading: null, definition: null };
    if (this.#wasVersion) {
      // The line under the heading of a version.
      this.#wasVersion = false;
      if (UNDERLINE.test(text)) return { ...plain, text: '' };
    }
    if (this.#isRaw(text)) return plain;
    const heading = this.#readHeading(text, next);
    if (heading) {
      this.#isInText = false;
      return { ...plain, heading };
    }
    const definition = this.#isInText ? null : readDefinition(text);
    this.#isInText = definition === null && text.trim() !== '';
    return { ...plain, definition };
  }

  #isRaw(text: string): boolean {
    if (this.#fence !== null) {
      if (this.#fence.close.test(text)) this.#fence = null;
      // Code within a list ends with the list, also if nobody ended it.
      else if (this.#fence.isIndented && text.startsWith('#') && isVersion(ATX.exec(text)?.[2])) {
        this.#fence = null;
        return false;
      }
      return true;
    }
    if (this.#rawEnd !== null) {
      if (this.#rawEnd.test(text)) this.#rawEnd = null;
      return true;
    }
    const [, before = '', fence] = FENCE.exec(text) ?? [];
    if (fence !== undefined) {
      const close = new RegExp(`^[ \\t]*${fence[0]}{${fence.length},}[ \\t]*$`);
      this.#fence = { close, isIndented: before.length > 1 };
      this.#isInText = false;
      return true;
    }
    const [whole = '', comment, tag] = RAW_BEGIN.exec(text) ?? [];
    if (whole === '') return false;
    const end = comment ? /-->/ : new RegExp(`</${tag}>`, 'i');
    if (!end.test(text.slice(whole.length))) this.#rawEnd = end;
    this.#isInText = false;
    return true;
  }

  #readHeading(text: string, next: string): Heading | null {
    const [, signs, inner = ''] = ATX.exec(text) ?? [];
    if (signs !== undefined) return { level: signs.length, text: inner };
    const underline = this.#isInText ? undefined : UNDERLINE.exec(next)?.[1];
    if (underline === undefined || /^(?: {4}|\s*$|\s*[-*+>|#])/.test(text)) return null;
    const level = underline.startsWith('=') ? 1 : 2;
    // Where it is no version, a line under a text may as well be one that parts it from the next.
    const isOfVersion = isVersion(text.trim());
    if (level === 2 && !isOfVersion) return null;
    this.#wasVersion = isOfVersion;
    return { level, text: text.trim() };
  }
}

function isVersion(text: string | undefined): boolean {
  return text !== undefined && readVersionHeading(text) !== null;
}
