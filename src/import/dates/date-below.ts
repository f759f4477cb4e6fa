// The date of a version on a line below its heading: `_Released 2026-05-04_`.
import { type FoundDate, findDate } from './dates.ts';

/** The number of lines with text that are searched. */
const LINES_BELOW_MAX = 2;
const LINE_CHARACTERS_MAX = 200;

type DateLine = Readonly<{
  /** Null if the line says that the version is not released yet. */
  date: FoundDate | null;
  /** Whether the line says nothing else. */
  isWhole: boolean;
  /** False for a bare date, which may be the end of a sentence. */
  isMarked: boolean;
}>;

export type DateBelow = Readonly<{
  date: FoundDate | null;
  /** The index of the line below the heading. */
  index: number;
  /** The lines without that one, which stays if it says more or its date does not exist. */
  lines: readonly string[];
}>;

/** Null if there is no such line. */
export function takeDateBelow(lines: readonly string[], label: string): DateBelow | null {
  let seen = 0;
  for (let index = 0; index < lines.length && seen < LINES_BELOW_MAX; index++) {
    const line = lines[index] as string;
    if (line.trim() === '' || isInvisible(line)) continue;
    const found = parseDateLine(line, label);
    if (found !== null && isAlone(lines, index, found)) {
      if (HEADING.test(line) && lines.some((other, at) => at > index && isDateHeading(other))) return null;
      const { date, isWhole } = found;
      const isTaken = isWhole && date?.timestamp !== null;
      return { date, index, lines: isTaken ? without(lines, index) : lines };
    }
    // A list or a section is the start of the changes.
    if (BLOCK_BEGIN.test(line) && !FIELD.test(line)) return takeNamedDate(lines, label);
    seen++;
  }
  return null;
}

const NAMED_LINES_MAX = 15;

/** `Release date: 2026-05-04` says so itself, also behind a list of files. */
function takeNamedDate(lines: readonly string[], label: string): DateBelow | null {
  const index = lines.slice(0, NAMED_LINES_MAX).findIndex((line) => /^release date:/i.test(line));
  const found = index === -1 ? null : parseDateLine(lines[index] as string, label);
  return found?.isWhole && found.date?.timestamp
    ? { date: found.date, index, lines: without(lines, index) }
    : null;
}

const HEADING = /^ {0,3}#{1,6}[ \t]/;
/** `:Date: 2026-05-04` */
const FIELD = /^:[\w -]+:(?:[ \t]|$)/;

/** Several of them are the days of a diary. */
const isDateHeading = (line: string) => HEADING.test(line) && parseDateLine(line)?.isWhole === true;

const ITEM = /^ {0,3}[-+*][ \t]/;
const NESTED_ITEM = /^( {1,8}|\t)[-+*][ \t]/;
const BLOCK_BEGIN = /^ {0,3}(?:#{1,6}[ \t]|[-+*][ \t]|\d{1,9}[.)][ \t]|[>|<:]|```|~~~)/;
const UNDERLINE = /^ {0,3}-{3,}[ \t]*$/;

/** Whether the line is a block of its own, not part of a paragraph. */
function isAlone(lines: readonly string[], index: number, { isWhole, isMarked }: DateLine): boolean {
  const [before = '', line = '', after = ''] = [lines[index - 1], lines[index], lines[index + 1]];
  // Text that is indented below an item belongs to it.
  if (ITEM.test(line)) return isWhole && (!/^\s+\S/.test(after) || NESTED_ITEM.test(after));
  if (isMarked) return !isWhole || !/^\p{Ll}/u.test(after);
  return before.trim() === '' && (/^(?:\s*$|\p{Lu})/u.test(after) || isBlock(after));
}

const isBlock = (line: string) => BLOCK_BEGIN.test(line) || UNDERLINE.test(line);

/** Removes a line and its underline. If it is an item, the items in it take its place. */
function without(lines: readonly string[], index: number): readonly string[] {
  const after = lines.slice(index + (UNDERLINE.test(lines[index + 1] ?? '') ? 2 : 1));
  const indent = ITEM.test(lines[index] ?? '') ? NESTED_ITEM.exec(after[0] ?? '')?.[1] : undefined;
  const end =
    indent === undefined ? 0 : after.findIndex((line) => line.trim() !== '' && !line.startsWith(indent));
  const nested = after.slice(0, end === -1 ? after.length : end);
  return [
    ...lines.slice(0, index),
    '',
    ...nested.map((line) => line.slice(indent?.length)),
    ...after.slice(nested.length),
  ];
}

const COMMENT_OR_ANCHOR = /^\s*<(?:!--(?:(?!-->).)*-->|a\s[^<>]*>\s*(?:<\/a>)?)\s*$/;

function isInvisible(line: string): boolean {
  return line.length <= LINE_CHARACTERS_MAX && COMMENT_OR_ANCHOR.test(line);
}

const MARKER = /^\s{0,3}(?:(#{1,6}[ \t]+)|[-+*][ \t]+|(?:>[ \t]*)+|:(?=\w))?/;
const TAGS = /<\/?(?:small|em|i|b|strong|sub|sup|span|p|div|time|br|h[1-6])\b[^<>]*>/gi;
const EMPHASIS = /[*_`~]+/g;
/** The target of a link, whose text may be the date. */
const TARGET = /(?<=\])(?:\([^()\s]*\)|\[[^[\]]*\])/g;
const CALENDAR = /📅|🗓\u{FE0F}?/gu;
const UNRELEASED =
  /^\W*(?:(?:release[ -]?date|released?|date)\W+(?:tbd|tba|(?:\d{4}|[yx]{4})-[\dmx]{2}-[xd]{2}|to be (?:determined|announced|decided)|unreleased|not (?:yet )?released|unknown|pending)|unreleased|not (?:yet )?released(?: yet)?)\W*$/i;

/** Null if the line does not say when the version was released. */
export function parseDateLine(line: string, label = ''): DateLine | null {
  const shown = line.slice(0, LINE_CHARACTERS_MAX).replaceAll(TARGET, '');
  const text = shown
    .replace(MARKER, '')
    .replaceAll(TAGS, ' ')
    .replaceAll(EMPHASIS, ' ')
    .replaceAll(CALENDAR, ' ')
    .trim();
  if (UNRELEASED.test(text)) return { date: null, isWhole: true, isMarked: true };
  const date = findDate(text);
  if (date === null) return null;
  const at = text.indexOf(date.text);
  const [before, after] = [text.slice(0, at), text.slice(at + date.text.length)];
  if (line.length <= LINE_CHARACTERS_MAX && isFiller(`${before} ${after}`, label)) {
    const hasWords = /\p{L}/u.test(before + after);
    // A link says where to read more; without words, it may be anything.
    if (shown !== line) return hasWords ? { date, isWhole: false, isMarked: true } : null;
    return { date, isWhole: true, isMarked: hasWords || text.length < line.trim().length };
  }
  // `(4 May 2026, from /branches/1.x)`, `(tagged 4 May 2026, …)`
  const isRemark = /^\(\p{L}{0,20} ?$/u.test(before) && /^, [^()]+\)$/.test(after);
  // `4 May 2026 [Release notes](https://…)`
  const isInRemark = /^\([^()]{1,100}, released(?: on)? $/i.test(before) && after === ')';
  const isBeforeLink = before === '' && shown !== line && /^\W*\[[^[\]]*\]\W*$/.test(after);
  const saysMore = isRemark || isInRemark || isBeforeLink || (BEFORE.test(before) && AFTER.test(after));
  return saysMore ? { date, isWhole: false, isMarked: true } : null;
}

/** `Released on 2026-05-04. All issues are listed in …`, `Current stable, released 2026-05-04`. */
const BEFORE =
  /^[([]?(?:(?:(?:current|latest) )?(?:stable|beta|preview|major|minor|patch|feature|bug ?fix|hotfix|security|maintenance)(?: release| version)?, )?(?:released|release date|published|date)\s*:?\s*(?:on\s+)?$/i;
const AFTER = /^\s*(?:$|[.,;|()\]–—-])/;

const FILLER =
  /^(?:released?|release-date|releasedate|date|dated|on|published|publication|publish|version|ver|of|the|at|in|was|this|tagged|shipped|day|datum|veröffentlicht|am|date de sortie|publiée?|le|fecha|publicado|el|data|pubblicato|il|дата|выпуска|от|tarih|リリース日|公開日|发布日期|发布时间|发布于|日期|發布日期|릴리스|출시일|배포일)$/;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}.+'-]*/gu;
const PUNCTUATION = /^[\s\p{P}]*$/u;

/** Whether the text says only that the version was released. */
function isFiller(text: string, label: string): boolean {
  const name = withoutV(label.toLowerCase());
  const left = text.toLowerCase().replaceAll(WORD, (written) => {
    const word = written.replace(/[.'-]{1,3}$/, '');
    return FILLER.test(word) || (name !== '' && withoutV(word) === name) ? '' : written;
  });
  return PUNCTUATION.test(left);
}

const withoutV = (label: string) => label.replace(/^v(?=\d)/, '');
