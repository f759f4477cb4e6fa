// Finds the headings and link definitions among the lines of a Markdown text, in one pass. Skips code, comments and
// preformatted text.
import { singularName } from '../body/names.ts';
import { SECTIONS } from '../body/sections.ts';
import { parseVersionHeading } from './headings.ts';
import { type Definition, parseDefinition } from './references.ts';

export type Heading = Readonly<{
  level: number;
  text: string;
  /** Whether it is underlined with `=` or `-`. */
  isUnderlined: boolean;
}>;

export type ScannedLine = Readonly<{
  text: string;
  number: number;
  heading: Heading | null;
  definition: Definition | null;
  /** Whether it is code, a comment or preformatted. */
  isRaw: boolean;
  /** Whether such a block goes on after this line. */
  isOpen: boolean;
}>;

const HEADING_BEGIN = /^ {0,3}(#{1,6})(?=[ \t]|$)/;
/** A longer line is text. */
const SIGNIFICANT_CHARACTERS_MAX = 2_000;
/** The URL may be on the next line. */
const NAME_ALONE = /^ ?\[[^\]]+\]:[ \t]*$/;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
const FENCE = /^([ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}|~{3,})/;
const RAW_BEGIN = /^ {0,3}<(?:(!--)|(pre|script|style|textarea)(?=[\s>]|$))/i;

/** A file that this program wrote has no underlined headings but those of versions. */
export function* scan(lines: readonly string[], isOwnFormat: boolean): Generator<ScannedLine> {
  const scanner = new Scanner(isOwnFormat);
  for (const [index, line] of lines.entries()) yield scanner.take(line, lines[index + 1] ?? '', index + 1);
}

class Scanner {
  /** The fence that ends the current code block. */
  #fence: { close: RegExp; isIndented: boolean } | null = null;
  #rawEnd: RegExp | null = null;
  /** Whether this line may continue the text of the line before. */
  #isInText = false;
  /** Whether this line belongs to the line before, as the underline of a heading or the URL of a definition. */
  #isPartOfLast = false;
  readonly #isOwnFormat: boolean;

  constructor(isOwnFormat: boolean) {
    this.#isOwnFormat = isOwnFormat;
  }

  take(text: string, next: string, number: number): ScannedLine {
    const plain = { text, number, heading: null, definition: null, isRaw: false, isOpen: false };
    if (this.#isPartOfLast) {
      this.#isPartOfLast = false;
      return { ...plain, text: '' };
    }
    if (this.#isRaw(text))
      return { ...plain, isRaw: true, isOpen: this.#fence !== null || this.#rawEnd !== null };
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
      // Code in a list ends with the list, even if its fence is not closed.
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
    const isOfVersion = isVersion(text.trim());
    if (level === 2 && !isOfVersion && (this.#isOwnFormat || !isNameOver(text.trim(), underline)))
      return null;
    this.#isPartOfLast = isOfVersion;
    return { level, text: text.trim(), isUnderlined: true };
  }
}

const UNDERLINE_CHARACTERS_MIN = 4;
const UNDERLINE_DIFFERENCE_MAX = 2;
/** `Compatibility Notes`, under which a line of any length is not a separator. */
const SHORT_NAME = /^\p{Lu}\p{L}+(?: \p{L}+){0,2}$/u;
const NAME_CHARACTERS_MAX = 40;

/** False if the line of dashes below is a separator. */
function isNameOver(text: string, underline: string): boolean {
  if (SECTIONS.has(singularName(text))) return true;
  if (underline.length < UNDERLINE_CHARACTERS_MIN) return false;
  const difference = Math.abs(underline.length - text.length);
  if (difference <= UNDERLINE_DIFFERENCE_MAX) return true;
  return text.length <= NAME_CHARACTERS_MAX && SHORT_NAME.test(text);
}

/** `## text ##`: the closing hashes are ignored if a space is before them. */
function parseHashes(line: string): Heading | null {
  const [begin, hashes] = HEADING_BEGIN.exec(line) ?? [];
  if (begin === undefined || hashes === undefined) return null;
  const text = line.slice(begin.length).trim();
  let end = text.length;
  while (end > 0 && text[end - 1] === '#') end--;
  const isClosed = end === 0 || text[end - 1] === ' ' || text[end - 1] === '\t';
  const shown = isClosed ? text.slice(0, end).trimEnd() : text;
  return { level: hashes.length, text: shown, isUnderlined: false };
}

function isVersion(text: string | undefined): boolean {
  return text !== undefined && parseVersionHeading(text) !== null;
}
