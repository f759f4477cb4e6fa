// Goes over the lines of a Markdown text and says which are headings and which define link references, as far as that
// can be said without reading all of it: code, comments and preformatted text are passed over.
import { parseVersionHeading } from './headings.ts';
import { type Definition, parseDefinition } from './references.ts';

export type Heading = Readonly<{ level: number; text: string }>;

export type ScannedLine = Readonly<{
  text: string;
  /** Counted from 1. */
  number: number;
  heading: Heading | null;
  definition: Definition | null;
}>;

const HEADING_BEGIN = /^ {0,3}(#{1,6})(?=[ \t]|$)/;
/** A longer line is a text, whatever it begins with. */
const SIGNIFICANT_CHARACTERS_MAX = 2_000;
/** The address may stand on the next line. */
const NAME_ALONE = /^ ?\[[^\]]+\]:[ \t]*$/;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
const FENCE = /^([ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}|~{3,})/;
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
  /** Is this line one with the line before: what underlines the heading of a version, or an address below its name? */
  #isPartOfLast = false;

  take(text: string, next: string, number: number): ScannedLine {
    const plain = { text, number, heading: null, definition: null };
    if (this.#isPartOfLast) {
      this.#isPartOfLast = false;
      return { ...plain, text: '' };
    }
    if (this.#isRaw(text)) return plain;
    if (text.length > SIGNIFICANT_CHARACTERS_MAX) {
      this.#isInText = true;
      return plain;
    }
    const heading = this.#parseHeading(text, next);
    if (heading) {
      this.#isInText = false;
      return { ...plain, heading };
    }
    const definition = this.#isInText ? null : this.#parseDefinition(text, next);
    this.#isInText = definition === null && text.trim() !== '';
    return { ...plain, definition };
  }

  #isRaw(text: string): boolean {
    if (this.#fence !== null) {
      if (this.#fence.close.test(text)) this.#fence = null;
      // Code within a list ends with the list, also if nobody ended it.
      else if (this.#fence.isIndented && text.startsWith('#') && isVersion(parseHashes(text)?.text)) {
        this.#fence = null;
        return false;
      }
      return true;
    }
    if (this.#rawEnd !== null) {
      if (this.#rawEnd.test(text)) this.#rawEnd = null;
      return true;
    }
    const [whole = '', before = '', fence] = FENCE.exec(text) ?? [];
    if (fence !== undefined && !(fence.startsWith('`') && text.includes('`', whole.length))) {
      const close = new RegExp(`^[ \\t]*${fence[0]}{${fence.length},}[ \\t]*$`);
      this.#fence = { close, isIndented: before.length > 1 };
      this.#isInText = false;
      return true;
    }
    const [begin = '', comment, tag] = RAW_BEGIN.exec(text) ?? [];
    if (begin === '') return false;
    const end = comment ? /-->/ : new RegExp(`</${tag}>`, 'i');
    if (!end.test(text.slice(begin.length))) this.#rawEnd = end;
    this.#isInText = false;
    return true;
  }

  #parseDefinition(text: string, next: string): Definition | null {
    const definition = parseDefinition(text);
    if (definition !== null || !NAME_ALONE.test(text) || next.length > SIGNIFICANT_CHARACTERS_MAX)
      return definition;
    const below = parseDefinition(`${text.trimEnd()} ${next.trim()}`);
    this.#isPartOfLast = below !== null;
    return below;
  }

  #parseHeading(text: string, next: string): Heading | null {
    const hashes = parseHashes(text);
    if (hashes !== null) return hashes;
    const underline = this.#isInText ? undefined : UNDERLINE.exec(next)?.[1];
    if (underline === undefined || /^(?: {4}|\s*$|\s*[-*+>|#])/.test(text)) return null;
    const level = underline.startsWith('=') ? 1 : 2;
    // Where it is no version, a line under a text may as well be one that parts it from the next.
    const isOfVersion = isVersion(text.trim());
    if (level === 2 && !isOfVersion) return null;
    this.#isPartOfLast = isOfVersion;
    return { level, text: text.trim() };
  }
}

/** `## text ##`; the signs at the end count for nothing if a blank stands before them. */
function parseHashes(line: string): Heading | null {
  const [begin, signs] = HEADING_BEGIN.exec(line) ?? [];
  if (begin === undefined || signs === undefined) return null;
  const text = line.slice(begin.length).trim();
  let end = text.length;
  while (end > 0 && text[end - 1] === '#') end--;
  const isClosed = end === 0 || text[end - 1] === ' ' || text[end - 1] === '\t';
  return { level: signs.length, text: isClosed ? text.slice(0, end).trimEnd() : text };
}

function isVersion(text: string | undefined): boolean {
  return text !== undefined && parseVersionHeading(text) !== null;
}
