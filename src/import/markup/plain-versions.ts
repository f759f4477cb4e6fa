// Finds versions that are not marked as headings: `v9.1.0 - April 5, 2024` alone on a line, or `* 7.0.10 (2024-07-26)` as
// the item of a list.

import { parseDateLine } from '../dates/date-below.ts';
import { findDate } from '../dates/dates.ts';
import { dissectHeading, LEAD, parseVersionHeading } from '../markdown/versions/parse.ts';
import { isAmbiguous, isTitleOfAll, nearestUnreleased, saysUnreleased } from '../markdown/versions/words.ts';
import { isBlank } from './inline.ts';

export type PlainVersion = Readonly<{
  kind: 'line' | 'item';
  /** The text of the heading. */
  text: string;
  isDated: boolean;
  /** Whether words such as `Changes in` mark it as a version. */
  isAnnounced: boolean;
  /** Whether the line is a version and a date, and nothing else: text may be right below it. */
  isAlone: boolean;
}>;

const LINE_CHARACTERS_MAX = 160;
/** A fast check, because every line is tested. */
const COULD_BE =
  /^(?=[*-] |\*\*\S|__\S|[\w<"'[(?{]|--|[=~+|]{2}).*(?:\d\.\d|\?\.\?|<next>|\$NEXT)|^(?:changes (?:in|with)|(?:[*-] )?version|release) (?:beta|rc)?\d|^\*{2,5} changes in /i;
/** `======= Rocket 1.2.0 =======`, `*** 1.2.0 ***`; up to six `=` are a heading of other markups. */
const FRAME = /^(?!={1,6}[^=])([-=*~+_|])\1+ *(\S.*?) *\1{2,}$/;
/** Rows of tables with commas, and headings of Textile. */
const OF_OTHERS = /^[^,\s]+,[^,\s]+,|\t.*\t|^h[1-6]\. /;
/** What is not the text of a version: sentences, and who wrote something. */
const OF_TEXTS = /[.;!?]$|<[^\s<>@]+@|^(?:since|from|before|after|until) /i;
const ITEM = /^[*-] +(?=\S)/;
/** `Ada Byron <ada@example.org>`, with the dashes around it. */
const WHO =
  /(?:\s+[-–])?(?:(?: and|,)?\s+\(?(?:\p{L}[\p{L}\d.'-]* +){0,4}<[^\s<>@]+@[^\s<>]+>\)?)+(?:\s+[-–](?=\s))?/u;
/** What stands around a version, and what is left of it. */
const AROUND: readonly (readonly [RegExp, string])[] = [
  [FRAME, '$2'],
  [WHO, ' -'],
  // `*** Changes in GDB 13`, and the folds of vim.
  [/^(?:\*{2,5}|\{{3}) +(?=\S)/, ''],
  [/^--\[ *([^\]]*?) *\]/, '$1 '],
  [/ Release Candidate (\d+)/i, '-rc$1'],
  [/^\[(changes [^[\]]*)\]$/i, '$1'],
  [/(?<=[\d:]) +-+$|(?<=\d{4}(?:-\d{2}){0,2})\.$/, ''],
  [/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:[a-z]*day)?[.,]?\s+(?=\p{Lu}|\d)/u, ''],
];
/** `Changes from 1.1 to 1.2`, `Overview of changes between 1.1 and 1.2`, `rocket-1.1 --> rocket-1.2` */
const FROM_TO =
  /^(?:(?:overview of |major |noteworthy )?(?:changes|new features) (?:in (?<name>\S+ ))?(?:from|between) [^.,:]{0,30}\d[^\s:]{0,20}(?: rc ?\d+)? (?:to|and) (?:\p{L}[\w+-]* )?|\S*\.\d\S* -+> )(?<label>(?:\p{L}[\p{L}-]*-)?v?\d\S*?(?: rc ?\d+)?)[.:]?(?<rest>, .*)?$/iu;
/** The first line of a text of bash: `This file documents the changes between this version, bash-5.2,` */
const INTRODUCED =
  /^this (?:document|file|is) [\w ]{0,60}(?:changes|features) [\w ]{0,30},? (?:\p{L}\w*-)?(?=\d+\.\d)(\S+?),?(?: and)?(?: the| since)?$/iu;
const VERSION = String.raw`v?\d+\.\d+(?:\.\d+)*(?:[-+._~]?[0-9A-Za-z]+(?:[-+._][0-9A-Za-z]+)*)?`;
/** A version whose number is not chosen yet. */
const NOT_YET = /^(?:(?:version|release) )?(?:\?\.\?(?:\.\?)?|<next>|\{\{\$NEXT\}\})(?: |:|$)/i;
/** Any number, after a word that says what it is. */
const COUNTED = /^(?:version|release) \d{1,5}[a-z]?:?$/i;
/** `GDB-4.18`, `procps-ng-4.0.2` */
const NAME_AND_DASH = /^(\p{L}[\p{L}-]{0,20})-(?=\d+\.\d)/u;
const SAID = new RegExp(`^version ${VERSION}[.:]?$`, 'i');
const COUNT = /^(?:\p{L}[\w.+-]* )?(\d{1,5})[^\p{L}\p{N}.(]*$/u;
/** What else may follow a version: `rocket 1.2.0 changes:`, `1.2.0 compared to 1.1`. */
const END = /(?<=\d\S*) (?:changes:?|release|(?:compared to|compared with|since)(?: version)? \S+)$/i;
/** `1.1 to 1.2`, or the other way round. */
const TO = /(\d+(?:\.\d+)+) to (\d+(?:\.\d+)+)$/;
/** `Rocket 1.2 is a bug-fix release.`, as an item among those of other versions. */
const IS_RELEASE = new RegExp(
  String.raw`^(\p{L}[\w+-]* ${VERSION}) is an? ([\w -]{1,20} release\b.*?)\.?$`,
  'iu',
);
/** `Version 1.2, 1.3` and `1.2 and 1.3` have the first for a name. */
const AND_ANOTHER = /(?<=\d)(?:,| and) (v?\d+\.\d[^\s:]*):?$/;
/** `2026-05-04: rocket 1.2.0 broke the tank` */
const SENTENCE = new RegExp(String.raw`^\S[^:]*\d: \D{0,40}${VERSION} (?!revised )\p{Ll}`, 'u');
const SUMMARY = new RegExp(String.raw`^(.*?)\s*\bSummary for (${VERSION})(?: \S+)? release\b`, 'i');
const DAY_FIRST = /^\W?\w{1,9}\W/;
/** Nothing but a version, perhaps with the name of the product. */
const BARE = new RegExp(
  String.raw`^(?:(?:[\p{L}][\w.+-]* )?(?:(?:version|release) )?${VERSION}(?: (?:alpha|beta|rc|preview)(?: ?\d+)?)?(?: *[([][^()[\]]{0,40}[)\]])?:?|\[${VERSION}\])$`,
  'iu',
);
/** What follows words such as `Changes in`. */
const ANNOUNCED = /^(?:\p{L}[\w.+-]{0,20} ){0,2}v?\d\S*(?: *[-([,:].*)?$/u;
const WITH_TITLE = new RegExp(String.raw`^(?:version|release) ${VERSION}(?::| -) \S.{0,60}$`, 'i');
const TITLED = new RegExp(String.raw`^(?:\p{L}[\p{L}-]*[- ])?${VERSION}: \p{Lu}[\p{L} .'-]{0,60}$`, 'u');
/** What follows a day: `2026-05-04, Version 1.2.0`, `May 4, 2026: rocket 1.2.0 released` */
const AFTER_DATE = /^\s*[-:,]?\s+(\S.*?)(?: released\b(.*))?$/;

/** Null if the line is not the heading of a version. The lines around it decide; versions without text follow each other. */
export function findPlainVersion(before: string, line: string, after: string): PlainVersion | null {
  const version = parsePlainVersion(line) ?? parseSummary(line, after) ?? parseTitled(line, after);
  if (version === null || isFramed(line)) return version;
  // The list in one item may end right before the next.
  const mayPrecede = isBlank(before) || MODE.test(before) || (version.kind === 'item' && /^\s/.test(before));
  if (!mayPrecede && parsePlainVersion(before) === null) return null;
  const mayFollow =
    version.isAnnounced ||
    version.isAlone ||
    MAY_FOLLOW.test(after) ||
    parsePlainVersion(after) !== null ||
    (!version.isDated && /^\(?\w/.test(after) && saysWhenReleased(after));
  return mayFollow ? version : null;
}

export const BOLD = /^(\*\*|__)(.+)\1:?\s*$/;
const BEGINS_LIST = /^\s*(?:[-+*•]|\d+[.)])\s/;
const NAME = /^(?:[*-] +|\*\*|__)?[\p{L}[][^.:;!?]{0,59}:?(?:\*\*|__)?:?\s*$/u;

/** `Unreleased`, `**Dark mode**`, or `Dark mode` with a list below it, above the versions; further down, it may be anything. */
export function findPlainDraft(before: string, line: string, after: string, afterNext = '') {
  const marker = ITEM.exec(line)?.[0] ?? '';
  const mayBe = marker === '' ? isBlank(before) && MAY_FOLLOW.test(after) : /^\s+\S/.test(after);
  if (!mayBe || line.length > LINE_CHARACTERS_MAX) return null;
  const bold = BOLD.exec(line)?.[2];
  const name = (bold ?? line.slice(marker.length)).trim().replace(/:$/, '');
  const text = name.replace(/^<(.+)>$/, '$1');
  const isMarked = marker !== '' || bold !== undefined || !isBlank(after) || BEGINS_LIST.test(afterNext);
  const isNamed = isMarked && NAME.test(line) && !isTitleOfAll(text) && findDate(text) === null;
  const isSaid = saysUnreleased(text) || isAmbiguous(text) || nearestUnreleased(text) !== undefined;
  if (!isSaid && (!isNamed || dissectHeading(text) !== null)) return null;
  return { kind: marker !== '' ? 'item' : bold === undefined ? 'line' : 'bold', text, isSaid } as const;
}

/** `What's new in Rocket 1.2.0?` */
const QUESTION = /^(what['’]?s new in (?:\S+ )?v?\d\S*)\?$/i;

function parsePlainVersion(line: string): PlainVersion | null {
  if (line.length > LINE_CHARACTERS_MAX || !COULD_BE.test(line) || OF_OTHERS.test(line)) return null;
  const marker = isFramed(line) ? '' : (ITEM.exec(line)?.[0] ?? '');
  const kind = marker === '' ? 'line' : 'item';
  const written = line.slice(marker.length).trim().replace(QUESTION, '$1');
  const { text, isSaid } = unwrap(
    kind === 'item' ? written.replace(IS_RELEASE, 'Changes in $1: $2') : written,
  );
  const isAnnounced = (isSaid || (kind === 'item' && SAID.test(text))) && ANNOUNCED.test(text);
  const found = { kind, text, isAnnounced, isAlone: false } as const;
  if (NOT_YET.test(text)) return { ...found, text: 'Unreleased', isDated: true };
  if (OF_TEXTS.test(text) || SENTENCE.test(text) || (WHO.test(written) && !isOnlyVersion(text))) return null;
  const version = parseVersionHeading(text);
  const saysWhen = version?.date || (version?.isUnreleased && /\d\.\d/.test(text));
  const isAlone = /^\S*$/.test(version?.title ?? '') || BARE.test(text.replaceAll(/ *\([^()]*\)/g, ''));
  if (saysWhen) return { ...found, isAlone, isDated: true };
  const isOne =
    isAnnounced || line.startsWith('--[') || [BARE, WITH_TITLE, COUNTED].some((form) => form.test(text));
  return isOne ? { ...found, isDated: false } : null;
}

/** `(4 May 2026, from /branches/1.x)`, `(Not released; see 1.2.1.)` */
function saysWhenReleased(line: string): boolean {
  return (
    /^\(not (?:yet )?released\b/i.test(line) ||
    (/^\([^()]+\)$/.test(line) && findDate(line) !== null) ||
    Boolean(parseDateLine(line)?.date)
  );
}

/** libpcap has the day and the group before `Summary for 1.2.0 libpcap release`, perhaps on the line above. */
function parseSummary(line: string, after: string): PlainVersion | null {
  if (line.length > LINE_CHARACTERS_MAX) return null;
  const isAbove = /^\s*Summary for \d/.test(after);
  // This check and that for a colon are for speed.
  if (!isAbove && !/summary for /i.test(line)) return null;
  const [, day = '', label] = (isAbove ? SUMMARY.exec(`${line} ${after}`) : SUMMARY.exec(line)) ?? [];
  const date = findDate(day);
  if (date === null) return null;
  const text = `${label} (${date.text})`;
  return { kind: 'line', text, isAnnounced: true, isAlone: false, isDated: true };
}

/** `1.2.0: Ada Byron` above its date. */
function parseTitled(line: string, after: string): PlainVersion | null {
  if (line.length > LINE_CHARACTERS_MAX || !line.includes(': ')) return null;
  if (!TITLED.test(line) || !parseDateLine(after)?.isWhole) return null;
  return { kind: 'line', text: line, isAnnounced: true, isAlone: false, isDated: true };
}

const isFramed = (line: string) => FRAME.test(line);
/** What says the version in `Changes in rocket 1.2.0` or `2026-05-04: rocket 1.2.0 released`. */
export const withoutLead = (title: string) => unwrap(title).text;

function unwrap(written: string): { text: string; isSaid: boolean } {
  const marked = AROUND.reduce((rest, [mark, left]) => rest.replace(mark, left), written);
  const said = marked.replace(FROM_TO, '$<name>$<label>$<rest>').replace(INTRODUCED, '$1').replace(LEAD, '');
  const isSaid = said !== marked;
  const named = (isSaid || SAID.test(said) ? said.replace(/(?<=\d)\.$/, '') : said)
    .replace(END, '')
    .replace(TO, (_, ...[a, b]) => laterOf(a, b))
    .replace(NAME_AND_DASH, '$1 ');
  const text = withDateLast(named.trim()).replace(AND_ANOTHER, ' (and $1)');
  const number = text === written ? undefined : COUNT.exec(text)?.[1];
  return { text: number === undefined ? text : `Version ${number}`, isSaid: isSaid || WHO.test(written) };
}

const ONLY_VERSION = new RegExp(
  String.raw`^[\s(),:-]*(?:unreleased[\s-]+)?(?:\p{L}[\w-]* )?${VERSION}[\s(),:-]*(?:\p{L}+ \d{4}|\[\w+\])?$`,
  'iu',
);
/** Others who write their names have days and what they did. */
const isOnlyVersion = (text: string) => ONLY_VERSION.test(text.replace(findDate(text)?.text ?? '', ''));

const laterOf = (a: string, b: string) => (a.localeCompare(b, 'en', { numeric: true }) > 0 ? a : b);

function withDateLast(text: string): string {
  const date = DAY_FIRST.test(text) ? (findDate(text)?.text ?? '') : '';
  const [, rest = '', tail = ''] =
    (date !== '' && text.startsWith(date) && AFTER_DATE.exec(text.slice(date.length))) || [];
  return BARE.test(rest) ? `${rest} (${date})${tail}` : text;
}

/** A line that may follow a version: blank, indented, or an item of a list. */
/** The first line may speak to Emacs: `-*- coding: utf-8 -*-` */
const MODE = /-\*-.*-\*-/;
const MAY_FOLLOW = /^\s*$|^https?:|^\s*(?:[-+•]|\*{1,5}|\*\)|\d+[.)])\s|^\s+\S/;
