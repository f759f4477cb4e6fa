// Finds versions that are not marked as headings: `v9.1.0 - April 5, 2024` alone on a line, or `* 7.0.10 (2024-07-26)` as
// the item of a list.

import { parseDateLine } from '../dates/date-below.ts';
import { findDate } from '../dates/dates.ts';
import { parseVersionHeading } from '../markdown/versions/parse.ts';
import { isAmbiguous, saysUnreleased } from '../markdown/versions/words.ts';
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
  /^(?=[*-] |\*\*\S|__\S|[\w<"'[(?{]|--|[=~+|]{2}).*(?:\d\.\d|\?\.\?|<next>|\$NEXT)|^(?:changes (?:in|with)|version|release) \d|^\*{2,5} changes in /i;
/** `======= Rocket 1.2.0 =======`, `*** 1.2.0 ***`; up to six `=` are a heading of other markups. */
const FRAME = /^(?!={1,6}[^=])([-=*~+_|])\1+ *(\S.*?) *\1{2,}$/;
/** Rows of tables with commas, entries of RPM with an address, and headings of Textile. */
const OF_OTHERS = /^[^,\s]+,[^,\s]+,|\t.*\t|<[^\s<>@]+@[^\s<>]+>|^h[1-6]\. /;
/** `v1.4.3 2022-10-31  The Rocket team <team@rocket.example>` */
const AUTHOR = /^(v?\d+\.\d\S*\s+\d{4}-\d{2}-\d{2})\s+\S[^<>]*<[^<>\s]+>(?: \[\w+\])?\s*$/i;
const ITEM = /^[*-] +(?=\S)/;
/** `*** Changes in GDB 13` */
const STARS = /^\*{2,5} +(?=\S)/;
const LEAD =
  /^(?:(?:(?:noteworthy|major|user[- ]visible) )?changes?(?:log)?(?: (?:introduced )?(?:in|with|for|to))?|release notes(?: for| of)?|overview of changes(?: leading)? (?:to|in)|what'?s new in|new in|news for(?: the)?)\s+(?!since |from |before |after |between )/i;
/** `Changes from 1.1 to 1.2`, `Overview of changes between 1.1 and 1.2`, `rocket-1.1 --> rocket-1.2` */
const FROM_TO =
  /^(?:(?:overview of |major |noteworthy )?changes (?:in \S+ )?(?:from|between) [^.,:]{0,30}\d[^\s:]{0,20} (?:to|and) (?:version )?|\S*\d\.\d\S* -+> )((?:\p{L}[\p{L}-]*-)?v?\d\S*?)[.:]?(, .*)?$/iu;
/** `--[ Redis 2.8.24 ] Release date: 18 Dec 2015` */
const DASHED = /^--\[ *([^\]]*?) *\]/;
const asDashed = (_: string, name: string) => `${name.replace(/ Release Candidate (\d+)/i, '-rc$1')} `;
const VERSION = String.raw`v?\d+\.\d+(?:\.\d+)*(?:[-+._~]?[0-9A-Za-z]+(?:[-+._][0-9A-Za-z]+)*)?`;
/** A version whose number is not chosen yet. */
const NOT_YET = /^(?:(?:version|release) )?(?:\?\.\?(?:\.\?)?|<next>|\{\{\$NEXT\}\})(?: |:|$)/i;
/** The day is not chosen yet: `?? ??? ????, PHP 8.6.0` */
const SOME_DAY = /^\?{2} \?{3} \?{2,4}, (.*)$/;
/** Any number, after a word that says what it is. */
const COUNTED = /^(?:version|release) \d{1,5}[a-z]?:?$/i;
/** `2026-05-04: rocket 1.2.0 broke the tank` */
/** `GDB-4.18`, `procps-ng-4.0.2` */
const NAME_AND_DASH = /^(\p{L}[\p{L}-]{0,20})-(?=\d+\.\d)/u;
const SAID = new RegExp(`^version ${VERSION}:?$`, 'i');
const COUNT = /^(?:\p{L}[\w.+-]* )?(\d{1,5})[^\p{L}\p{N}.(]*$/u;
/** What else may follow a version: `rocket 1.2.0 changes:`, `1.2.0 compared to 1.1`. */
const END = /(?<=\d\S*) (?:changes:?|release|compared (?:to|with) \S+)$/i;
const DAY_AND_STOP = /(?<=\d{4}(?:-\d{2}){0,2})\.$/;
const SENTENCE = new RegExp(String.raw`^\S[^:]*\d: \D{0,40}${VERSION} (?!revised )\p{Ll}`, 'u');
const SUMMARY = new RegExp(String.raw`^\s+Summary for (${VERSION})(?: \S+)? release\s*$`, 'i');
const DAY_FIRST = /^\W?\w{1,9}\W/;
/** Nothing but a version, perhaps with the name of the product. */
const BARE = new RegExp(
  String.raw`^(?:(?:[\p{L}][\w.+-]* )?(?:(?:version|release) )?${VERSION}(?: (?:alpha|beta|rc|preview)(?: ?\d+)?)?(?: *[([][^()[\]]{0,40}[)\]])?:?|\[${VERSION}\])$`,
  'iu',
);
const WITH_TITLE = new RegExp(String.raw`^(?:version|release) ${VERSION}(?::| -) \S.{0,60}$`, 'i');
/** What follows a day: `2026-05-04, Version 1.2.0`, `May 4, 2026: rocket 1.2.0 released` */
const AFTER_DATE = /^\s*[-:,]?\s+(\S.*?)(?: released\b(.*))?$/;

/** Null if the line is not the heading of a version. The lines around it decide; versions without text follow each other. */
export function findPlainVersion(before: string, line: string, after: string): PlainVersion | null {
  const version = parsePlainVersion(line) ?? parseSummary(line, after);
  if (version === null || isFramed(line)) return version;
  // The list in one item may end right before the next.
  const mayPrecede = isBlank(before) || (version.kind === 'item' && /^\s/.test(before));
  if (!mayPrecede && parsePlainVersion(before) === null) return null;
  const mayFollow =
    version.isAnnounced ||
    version.isAlone ||
    MAY_FOLLOW.test(after) ||
    parsePlainVersion(after) !== null ||
    (!version.isDated && /^\(?\w/.test(after) && saysWhenReleased(after));
  return mayFollow ? version : null;
}

/** `Unreleased` or `Next release:` above the versions; further down, it may be anything. */
export function findPlainDraft(before: string, line: string, after: string): string | null {
  if (!isBlank(before) || line.length > LINE_CHARACTERS_MAX || !MAY_FOLLOW.test(after)) return null;
  const name = line
    .trim()
    .replace(/^<(.+)>$/, '$1')
    .replace(/:$/, '');
  return saysUnreleased(name) || isAmbiguous(name) ? name : null;
}

function parsePlainVersion(written: string): PlainVersion | null {
  const line = written.replace(AUTHOR, '$1');
  if (line.length > LINE_CHARACTERS_MAX || !COULD_BE.test(line) || OF_OTHERS.test(line)) return null;
  const marker = isFramed(line) ? '' : (ITEM.exec(line)?.[0] ?? '');
  const kind = marker === '' ? 'line' : 'item';
  const said = line
    .slice(marker.length)
    .trim()
    .replace(FRAME, '$2')
    .replace(STARS, '')
    .replace(DASHED, asDashed)
    .replace(DAY_AND_STOP, '');
  const text = withoutLead(said.replace(SOME_DAY, '$1 (not yet released)'));
  const isSaid = /^\[?(?:changes|news) /i.test(said) || LEAD.test(said) || FROM_TO.test(said);
  const isAnnounced = (isSaid || (kind === 'item' && SAID.test(text))) && /^\p{L}{0,20} ?\d/u.test(text);
  const found = { kind, text, isAnnounced, isAlone: false } as const;
  if (NOT_YET.test(text)) return { ...found, text: 'Unreleased', isDated: true };
  if (/[.;!?]$|^(?:since|from|before|after|until) /i.test(text) || SENTENCE.test(text)) return null;
  const version = parseVersionHeading(text);
  const saysWhen = version?.date || (version?.isUnreleased && /\d\.\d/.test(text));
  if (saysWhen) return { ...found, isAlone: /^\S*$/.test(version?.title ?? ''), isDated: true };
  const isOne =
    isAnnounced || line.startsWith('--[') || [BARE, WITH_TITLE, COUNTED].some((form) => form.test(text));
  return isOne ? { ...found, isDated: false } : null;
}

/** `(4 May 2026, from /branches/1.x)`, `(Not released; see 1.2.1.)` */
function saysWhenReleased(line: string): boolean {
  return /^\(not (?:yet )?released\b/i.test(line) || Boolean(parseDateLine(line)?.date);
}

/** libpcap has the day and the group on a line, and below it `Summary for 1.2.0 libpcap release`. */
function parseSummary(line: string, after: string): PlainVersion | null {
  const label = line.length > LINE_CHARACTERS_MAX ? undefined : SUMMARY.exec(after)?.[1];
  const date = label === undefined ? null : findDate(line);
  if (date === null) return null;
  return { kind: 'line', text: `${label} (${date.text})`, isAnnounced: true, isAlone: false, isDated: true };
}

const isFramed = (line: string) => FRAME.test(line);

/** What says the version in `Changes in rocket 1.2.0` or `2026-05-04: rocket 1.2.0 released`. */
export function withoutLead(title: string): string {
  const said = title
    .replace(FRAME, '$2')
    .replace(/^\[(changes [^[\]]*)\]$/i, '$1')
    .replace(FROM_TO, '$1$2');
  const text = withDateLast(said.replace(LEAD, '').replace(END, '').replace(NAME_AND_DASH, '$1 ').trim());
  const number = text === said ? undefined : COUNT.exec(text)?.[1];
  return number === undefined ? text : `Version ${number}`;
}

function withDateLast(text: string): string {
  const date = DAY_FIRST.test(text) ? (findDate(text)?.text ?? '') : '';
  const [, rest = '', tail = ''] =
    (date !== '' && text.startsWith(date) && AFTER_DATE.exec(text.slice(date.length))) || [];
  return BARE.test(rest) ? `${rest} (${date})${tail}` : text;
}

/** A line that may follow a version: blank, indented, or an item of a list. */
const MAY_FOLLOW = /^\s*$|^\s*(?:[-+•]|\*{1,5}|\*\)|\d+[.)])\s|^\s+\S/;
