// Reads a Markdown text once: its headings, the lines that may be versions without being headings, and its link definitions.
import { singularName } from '../body/names.ts';
import { findName } from '../body/sections.ts';
import { parseDateLine } from '../dates/date-below.ts';
import { findDate } from '../dates/dates.ts';
import { BOLD, findPlainDraft, findPlainVersion } from '../markup/plain-versions.ts';
import { type Definition, parseDefinition, References } from './references.ts';
import { AS_NAMES, dissectHeading, parseVersionHeading, versionOf } from './versions/parse.ts';
import { isPhrase } from './versions/words.ts';

export type Heading = Readonly<{
  line: number;
  level: number;
  text: string;
  /** A heading, or what looks like a version and is not a heading. */
  mark: 'heading' | 'bold' | 'line' | 'item';
}>;

/** What is written wrong, but can be read. */
type Slip = Readonly<{ line: number; problem: string; advice: string }>;

export type Outline = Readonly<{
  /** Definitions are left out, and underlined headings have hashes. */
  lines: readonly string[];
  headings: readonly Heading[];
  references: References;
  slips: readonly Slip[];
  /** The lines of code and comments, in order. */
  raw: readonly number[];
  /** Code or a comment without an end, which hides the rest of the file. */
  unclosed: Readonly<{ line: number; headings: number }> | null;
}>;

type OutlineOptions = Readonly<{
  /** A file that this program wrote has no underlined headings. */
  isOwnFormat: boolean;
  /** The rule of the user for headings of versions, which may match any line. */
  rule: RegExp | null;
}>;

/** More such fences are not slips. */
const REREADS_MAX = 20;
/** The level of versions that are not headings. */
const LINE_LEVEL = 2;
/** A longer line is text. */
const SIGNIFICANT_CHARACTERS_MAX = 2_000;
const HEADING_BEGIN = /^ {0,3}(#{1,6})(?=[ \t]|$)/;
/** `##[2.3.0]` */
const WITHOUT_SPACE = /^ {0,3}(#{2,6}|#(?=\[))(?=\[?v?\d+\.\d|\[?\p{L})/u;
/** The URL may be on the next line. */
const NAME_ALONE = /^ ?\[[^\]]+\]:[ \t]*$/;
const MARKERS = /^[*_#]*\s*(?=v?\d)/;
const LINE_CHARACTERS_MAX = 200;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
const FENCE = /^([ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}|~{3,})/;
const RAW_BEGIN = /^ {0,3}<(?:(!--)|(pre|script|style|textarea)(?=[\s>]|$))/i;

export function outline(lines: readonly string[], options: OutlineOptions): Outline {
  const reader = new OutlineReader(lines, options);
  for (let index = 0; index < lines.length; index++) index += reader.take(index);
  return reader.finish();
}

/** Code or a comment, and what ends it. */
type OpenBlock = {
  end: RegExp;
  line: number;
  headings: number;
  mark: string;
  /** Code in a list ends with the list, even if its fence is not closed. */
  isInList: boolean;
  /** The line of a fence with text behind it, which is the end only if a version follows. */
  nearEnd: number | null;
};

class OutlineReader {
  readonly #options: OutlineOptions;
  readonly #lines: string[];
  readonly #headings: Heading[] = [];
  readonly #references = new References();
  readonly #slips: Slip[] = [];
  readonly #raw: number[] = [];
  #open: OpenBlock | null = null;
  /** Whether this line may continue the text of the line before. */
  #isInText = false;
  #hasVersions = false;
  /** The line from which the text is read again, as if code had ended there. */
  #nearEnd: number | null = null;
  #rereads = 0;

  constructor(lines: readonly string[], options: OutlineOptions) {
    this.#lines = [...lines];
    this.#options = options;
  }

  /** How many of the next lines belong to this one. */
  take(index: number): number {
    const text = this.#lines[index] as string;
    const next = this.#lines[index + 1] ?? '';
    if (this.#isRaw(text, next, index + 1)) {
      this.#raw.push(index + 1);
      return this.#text(false);
    }
    const nearEnd = this.#nearEnd;
    this.#nearEnd = null;
    if (nearEnd !== null) return this.#endAt(nearEnd) - index - 1;
    if (text.length > SIGNIFICANT_CHARACTERS_MAX) return this.#text(true);
    const heading = this.#parseHashes(text, index + 1) ?? this.#parseUnderlined(text, next);
    if (heading !== null) return this.#takeHeading(index, heading);
    const below = this.#isInText ? null : this.#parseDefinition(text, next);
    if (below !== null) return this.#takeDefinition(index, below.definition, below.lines);
    this.#takeLine(text, next, index);
    return this.#text(text.trim() !== '');
  }

  finish(): Outline {
    const open = this.#open;
    return {
      lines: this.#lines,
      headings: this.#headings,
      references: this.#references,
      slips: this.#slips,
      raw: this.#raw,
      unclosed: open === null || open.headings === 0 ? null : open,
    };
  }

  #text(isInText: boolean): number {
    this.#isInText = isInText;
    return 0;
  }

  #takeHeading(index: number, { level, text, isUnderlined }: ParsedHeading): number {
    const heading: Heading = { line: index + 1, level, text, mark: 'heading' };
    this.#isInText = false;
    // The title may have a number, too.
    this.#hasVersions ||= (level > 1 || this.#headings.length > 0) && mayBeVersion(text);
    if (!this.#isDateBelow(heading)) this.#headings.push(heading);
    if (!isUnderlined) return 0;
    this.#lines[index] = `${'#'.repeat(level)} ${text}`;
    this.#lines[index + 1] = '';
    return 1;
  }

  /** A heading that is only a date would be a version; right below one without a date it is a line like any other. */
  #isDateBelow({ line, level, text }: Heading): boolean {
    const above = this.#headings.at(-1);
    if (above === undefined || level <= above.level || !/\d\.\d|\bv\d/.test(above.text)) return false;
    if (!parseDateLine(text)?.isWhole || findDate(above.text) !== null) return false;
    return this.#lines.slice(above.line, line - 1).every((between) => between.trim() === '');
  }

  #takeDefinition(index: number, definition: Definition, lines: number): number {
    this.#references.add(definition);
    for (let at = index; at < index + lines; at++) this.#lines[at] = '';
    this.#isInText = false;
    return lines - 1;
  }

  #takeLine(text: string, next: string, index: number): void {
    const { rule, isOwnFormat } = this.#options;
    const add = (said: string, mark: Heading['mark']) =>
      this.#headings.push({ line: index + 1, level: LINE_LEVEL, text: said, mark });
    if (rule?.test(text)) add(text, 'line');
    if (rule !== null || isOwnFormat) return;
    const before = this.#lines[index - 1] ?? '';
    const version = findPlainVersion(before, text, next);
    const draft = this.#hasVersions ? null : findPlainDraft(before, text, next, this.#lines[index + 2]);
    if (version !== null) add(version.text, BOLD.test(text) ? 'bold' : version.kind);
    else if (draft !== null) add(draft.text, draft.kind);
    else if (/^[-=*_#\s]*$/.test(before) && isVersionAlone(text))
      add(text.replace(MARKERS, ''), BOLD.test(text) ? 'bold' : 'line');
    this.#hasVersions ||= version !== null;
  }

  /** Whether the line is code, a comment or preformatted. */
  #isRaw(text: string, next: string, line: number): boolean {
    if (this.#open !== null) return this.#isInOpen(text, next, line, this.#open);
    const [whole = '', before = '', fence] = FENCE.exec(text) ?? [];
    // A line of tildes below a text underlines it.
    const isUnderline = this.#isInText && /^\s*~{4,}\s*$/.test(text);
    if (fence !== undefined && !isUnderline && !(fence.startsWith('`') && text.includes('`', whole.length))) {
      const end = new RegExp(`^[ \\t]*${fence[0]}{${fence.length},}[ \\t]*$`);
      this.#open = { end, line, headings: 0, mark: fence, isInList: before.length > 1, nearEnd: null };
      return true;
    }
    const [begin = '', comment, tag] = RAW_BEGIN.exec(text) ?? [];
    if (begin === '') return false;
    const end = comment ? /-->/ : new RegExp(`</${tag}>`, 'i');
    if (!end.test(text.slice(begin.length)))
      this.#open = { end, line, headings: 0, mark: '', isInList: false, nearEnd: null };
    return true;
  }

  #isInOpen(text: string, next: string, line: number, open: OpenBlock): boolean {
    const heading = text.startsWith('#') ? parseHashes(text)?.text : UNDERLINE.test(next) ? text : undefined;
    // Nothing else than a version begins like this in a file that this program wrote.
    const isOwn = this.#options.isOwnFormat && text.startsWith('## ');
    if (open.end.test(text)) this.#open = null;
    else if (
      isOwn ||
      (heading !== undefined && heading.length <= NAME_CHARACTERS_MAX * 2 && mayBeVersion(heading.trim()))
    ) {
      open.headings++;
      if (!open.isInList && open.nearEnd === null) return true;
      this.#open = null;
      if (this.#rereads++ < REREADS_MAX) this.#nearEnd = open.nearEnd;
      return false;
    } else if (this.#mayEnd(open, text)) open.nearEnd ??= line;
    return true;
  }

  /** People forget to end a line after a fence; this program does not. */
  #mayEnd({ mark }: OpenBlock, text: string): boolean {
    return !this.#options.isOwnFormat && mark !== '' && text.trimStart().startsWith(mark);
  }

  /** Closes the fence on this line, and moves the text behind it to the next if that is free. The rest is read again. */
  #endAt(line: number): number {
    const [, fence = '', behind = ''] = /^(\s*(?:`+|~+))(.*)$/.exec(this.#lines[line - 1] ?? '') ?? [];
    if (this.#lines[line]?.trim() === '' && this.#lines[line + 1]?.trim() === '') {
      this.#lines[line - 1] = fence;
      this.#lines[line] = `${/^\s*/.exec(fence)?.[0]}${behind.trim()}`;
    }
    while ((this.#raw.at(-1) ?? 0) > line) this.#raw.pop();
    this.#slips.push({
      line,
      problem: 'a fence with text after it does not end the code',
      advice: 'move the text to the next line',
    });
    return line;
  }

  #parseDefinition(text: string, next: string): { definition: Definition; lines: number } | null {
    const definition = parseDefinition(text);
    if (definition !== null) return { definition, lines: 1 };
    if (!NAME_ALONE.test(text) || next.length > SIGNIFICANT_CHARACTERS_MAX) return null;
    const below = parseDefinition(`${text.trimEnd()} ${next.trim()}`);
    return below && { definition: below, lines: 2 };
  }

  #parseHashes(text: string, line: number): ParsedHeading | null {
    const hashes = parseHashes(text);
    if (hashes !== null || this.#options.isOwnFormat || !WITHOUT_SPACE.test(text)) return hashes;
    const spaced = parseHashes(text.replace(WITHOUT_SPACE, '$1 '));
    if (!isVersion(spaced?.text)) return null;
    this.#slips.push({
      line,
      problem: 'most programs do not read this as a heading',
      advice: 'add a space after the hashes',
    });
    return spaced;
  }

  #parseUnderlined(text: string, next: string): ParsedHeading | null {
    const underline = this.#isInText ? undefined : UNDERLINE.exec(next)?.[1];
    if (underline === undefined || this.#options.isOwnFormat) return null;
    if (/^(?: {4}|\s*$|\s*[-*+>|#])/.test(text)) return null;
    const level = underline.startsWith('=') ? 1 : 2;
    const name = text.trim();
    return level === 1 || isVersion(name) || isNameOver(name, underline)
      ? { level, text: name, isUnderlined: true }
      : null;
  }
}

type ParsedHeading = Readonly<{ level: number; text: string; isUnderlined: boolean }>;

const UNDERLINE_CHARACTERS_MIN = 4;
const UNDERLINE_DIFFERENCE_MAX = 2;
/** `Compatibility Notes`, under which a line of any length is not a separator. */
const SHORT_NAME = /^\p{Lu}\p{L}+(?: \p{L}+){0,2}$/u;
const NAME_CHARACTERS_MAX = 40;

/** False if the line of dashes below is a separator. */
function isNameOver(text: string, underline: string): boolean {
  if (findName(singularName(text)) !== undefined) return true;
  if (underline.length < UNDERLINE_CHARACTERS_MIN) return false;
  if (Math.abs(underline.length - text.length) <= UNDERLINE_DIFFERENCE_MAX) return true;
  return text.length <= NAME_CHARACTERS_MAX && SHORT_NAME.test(text);
}

/** `## text ##`: the closing hashes are ignored if a space is before them. */
function parseHashes(line: string): ParsedHeading | null {
  const [begin, hashes] = HEADING_BEGIN.exec(line) ?? [];
  if (begin === undefined || hashes === undefined) return null;
  const text = line.slice(begin.length).trim();
  let end = text.length;
  while (end > 0 && text[end - 1] === '#') end--;
  const isClosed = end === 0 || text[end - 1] === ' ' || text[end - 1] === '\t';
  return {
    level: hashes.length,
    text: isClosed ? text.slice(0, end).trimEnd() : text,
    isUnderlined: false,
  };
}

/** A line with nothing but a number in bold or with a date, whatever is below it. */
function isVersionAlone(text: string): boolean {
  const plain = text.replace(MARKERS, '');
  if (text.length > LINE_CHARACTERS_MAX || !/^v?\d+\.\d/.test(plain)) return false;
  const version = parseVersionHeading(plain);
  return version !== null && version.title === '' && (version.date !== null || BOLD.test(text));
}

/** Perhaps with a name, which the other headings would confirm. */
function mayBeVersion(text: string): boolean {
  const parts = dissectHeading(text);
  return parts !== null && versionOf(parts, AS_NAMES) !== null && !isPhrase(parts.before);
}

function isVersion(text: string | undefined): boolean {
  return text !== undefined && parseVersionHeading(text) !== null;
}
