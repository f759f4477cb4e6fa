// The date of a version on a line of its own below the heading: `_Released 2026-05-04_`.
import type { Heading, ScannedLine } from '../markdown/scan.ts';
import { type FoundDate, findDate } from './dates.ts';

/** Looks at so many lines with text. */
export const LINES_BELOW_MAX = 2;
const LINE_CHARACTERS_MAX = 200;

type DateLine = Readonly<{
  /** Null if it says that the version is not released yet. */
  date: FoundDate | null;
  /** Is it more than a bare date, which might be the end of a sentence? */
  isMarked: boolean;
}>;

export type DateBelow = Readonly<{
  date: FoundDate | null;
  /** Of the line, among those below the heading. */
  index: number;
  /** The lines without that one. */
  lines: readonly string[];
}>;

const HAS_NUMBER = /\d\.\d|\bv\d/;

/** A heading that is only a date would be a version; right below one without a date it is a line like any other. */
export function* withoutDateHeadings(scanned: Iterable<ScannedLine>): Generator<ScannedLine> {
  let above: Heading | null = null;
  for (const line of scanned) {
    const { heading, text } = line;
    const isDate = heading && above && heading.level > above.level && parseDateLine(heading.text) !== null;
    yield isDate ? { ...line, heading: null } : line;
    if (heading) above = HAS_NUMBER.test(heading.text) && findDate(heading.text) === null ? heading : null;
    else if (text.trim() !== '') above = null;
  }
}

/** Null if there is no such line. */
export function takeDateBelow(lines: readonly string[], label: string): DateBelow | null {
  let seen = 0;
  for (let index = 0; index < lines.length && seen < LINES_BELOW_MAX; index++) {
    const line = lines[index] as string;
    if (line.trim() === '' || isInvisible(line)) continue;
    const found = parseDateLine(line, label);
    if (found !== null && isAlone(lines, index, found.isMarked)) {
      const end = index + (UNDERLINE.test(lines[index + 1] ?? '') ? 2 : 1);
      return { date: found.date, index, lines: lines.toSpliced(index, end - index, '') };
    }
    // A list or a section is the start of the changes.
    if (BLOCK_BEGIN.test(line)) return null;
    seen++;
  }
  return null;
}

const BLOCK_BEGIN = /^ {0,3}(?:#{1,6}[ \t]|[-+*][ \t]|\d{1,9}[.)][ \t]|[>|<:]|```|~~~)/;
const UNDERLINE = /^ {0,3}-{3,}[ \t]*$/;

/** Is the line a block of its own, rather than a part of a paragraph? */
function isAlone(lines: readonly string[], index: number, isMarked: boolean): boolean {
  const [before = '', line = '', after = ''] = [lines[index - 1], lines[index], lines[index + 1]];
  const isList = /^ {0,3}[-+*][ \t]/.test(line);
  // What is indented below an item belongs to it.
  if (isList && /^(?: {2,}|\t)\S/.test(after)) return false;
  if (isMarked) return isList || !/^\p{Ll}/u.test(after);
  return before.trim() === '' && (after.trim() === '' || BLOCK_BEGIN.test(after) || UNDERLINE.test(after));
}

const COMMENT_OR_ANCHOR = /^\s*<(?:!--(?:(?!-->).)*-->|a\s[^<>]*>\s*(?:<\/a>)?)\s*$/;

function isInvisible(line: string): boolean {
  return line.length <= LINE_CHARACTERS_MAX && COMMENT_OR_ANCHOR.test(line);
}

const MARKER = /^\s{0,3}(?:(#{1,6}[ \t]+)|[-+*][ \t]+|(?:>[ \t]*)+|:(?=\w))?/;
const TAGS = /<\/?(?:small|em|i|b|strong|sub|sup|span|p|div|time|br|h[1-6])\b[^<>]*>/gi;
const EMPHASIS = /[*_`~]+/g;
const CALENDAR = /📅|🗓\u{FE0F}?/gu;
const FILLER =
  /^(?:released?|release-date|releasedate|date|dated|on|published|publication|publish|version|ver|of|the|at|in|was|this|tagged|shipped|day)$/;
const PUNCTUATION = /^[\s\p{P}]*$/u;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}.+'-]*/gu;
const UNRELEASED =
  /^\W*(?:(?:release[ -]?date|released?|date)\W+(?:tbd|tba|to be (?:determined|announced|decided)|unreleased|not (?:yet )?released|unknown|pending)|unreleased|not (?:yet )?released)\W*$/i;

/** Null if the line says more than when the version was released. */
export function parseDateLine(line: string, label = ''): DateLine | null {
  if (line.length > LINE_CHARACTERS_MAX) return null;
  const text = line
    .replace(MARKER, '')
    .replaceAll(TAGS, ' ')
    .replaceAll(EMPHASIS, ' ')
    .replaceAll(CALENDAR, ' ')
    .trim();
  if (UNRELEASED.test(text)) return { date: null, isMarked: true };
  const date = findDate(text);
  if (date === null) return null;
  const rest = text.replace(date.text, () => ' ').toLowerCase();
  const name = withoutV(label.toLowerCase());
  const isFiller = (word: string) => FILLER.test(word) || (name !== '' && withoutV(word) === name);
  let words = 0;
  const left = rest.replaceAll(WORD, (word) => {
    words++;
    return isFiller(trimDots(word)) ? '' : word;
  });
  if (!PUNCTUATION.test(left)) return null;
  return { date, isMarked: words > 0 || text.length < line.trim().length };
}

const withoutV = (label: string) => label.replace(/^v(?=\d)/, '');
const trimDots = (word: string) => word.replace(/[.'-]{1,3}$/, '');
