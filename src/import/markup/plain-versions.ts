// Finds versions that are not marked as headings: `v9.1.0 - April 5, 2024` alone on a line, or `* 7.0.10 (2024-07-26)` as
// the item of a list.

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
}>;

const LINE_CHARACTERS_MAX = 160;
/** A fast check, because every line is tested. */
const COULD_BE = /^(?=[*-] |\*\*\S|__\S|[\w<"'[(?]|--\[).*(?:\d\.\d|\?\.\?|<next>)/;
/** Rows of tables with commas, entries of RPM with an address, and headings of Textile. */
const OF_OTHERS = /^[^,\s]+,[^,\s]+,|\t.*\t|<[^\s<>@]+@[^\s<>]+>|^h[1-6]\. /;
const ITEM = /^[*-] +(?=\S)/;
const LEAD =
  /^(?:(?:(?:noteworthy|major|user[- ]visible) )?changes?(?:log)?(?: (?:introduced )?(?:in|with|for|to))?|release notes(?: for| of)?|overview of changes(?: leading)? (?:to|in)|what'?s new in|new in)\s+/i;
const FROM_TO = /^changes from \S+ to (\S+?)(, .*)?$/i;
/** `--[ Redis 2.8.24 ] Release date: 18 Dec 2015` */
const DASHED = /^--\[ *([^\]]*?) *\]/;
const asDashed = (_: string, name: string) => `${name.replace(/ Release Candidate (\d+)/i, '-rc$1')} `;
/** A version whose number is not chosen yet. */
const NOT_YET = /^(?:(?:version|release) )?(?:\?\.\?(?:\.\?)?|<next>)(?: |:|$)/i;
const VERSION = String.raw`v?\d+\.\d+(?:\.\d+)*(?:[-+._~]?[0-9A-Za-z]+(?:[-+._][0-9A-Za-z]+)*)?`;
/** Nothing but a version, perhaps with the name of the product. */
const BARE = new RegExp(
  String.raw`^(?:(?:[\p{L}][\w.+-]* )?(?:(?:version|release) )?${VERSION}(?: (?:alpha|beta|rc|preview)(?: ?\d+)?)?(?: *[([][^()[\]]{0,40}[)\]])?:?|\[${VERSION}\])$`,
  'iu',
);
const WITH_TITLE = new RegExp(String.raw`^(?:version|release) ${VERSION}: \S.{0,60}$`, 'i');
const DATE_FIRST = new RegExp(
  String.raw`^\d{4}[-./]\d{1,2}[-./]\d{1,2},? +(?:- +)?(?:\p{L}[\w.+-]* )?(?:version )?${VERSION}(?![\w/])`,
  'iu',
);

/** Null if the line is not the heading of a version. The lines around it decide; versions without text follow each other. */
export function findPlainVersion(before: string, line: string, after: string): PlainVersion | null {
  const version = parsePlainVersion(line);
  if (version === null) return null;
  // The list in one item may end right before the next.
  const mayPrecede = isBlank(before) || (version.kind === 'item' && /^\s/.test(before));
  if (!mayPrecede && parsePlainVersion(before) === null) return null;
  const mayFollow = version.isAnnounced || MAY_FOLLOW.test(after) || parsePlainVersion(after) !== null;
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

function parsePlainVersion(line: string): PlainVersion | null {
  if (line.length > LINE_CHARACTERS_MAX || !COULD_BE.test(line) || OF_OTHERS.test(line)) return null;
  const marker = ITEM.exec(line)?.[0] ?? '';
  const kind = marker === '' ? 'line' : 'item';
  const said = line.slice(marker.length).trim().replace(DASHED, asDashed).replace(FROM_TO, '$1$2');
  const text = said.replace(LEAD, '').trim();
  const isAnnounced = text !== said && /^\p{L}{0,20} ?\d/u.test(text);
  const found = { kind, text, isAnnounced } as const;
  if (NOT_YET.test(text)) return { ...found, text: 'Unreleased', isDated: true };
  if (/[.;!?]$|^(?:since|from|before|after|until) /i.test(text)) return null;
  const version = parseVersionHeading(text);
  const saysWhen = version?.date || (version?.isUnreleased && /\d\.\d/.test(text));
  if (saysWhen || DATE_FIRST.test(text)) return { ...found, isDated: true };
  const isOne = isAnnounced || line.startsWith('--[') || BARE.test(text) || WITH_TITLE.test(text);
  return isOne ? { ...found, isDated: false } : null;
}

/** A line that may follow a version: blank, indented, or an item of a list. */
const MAY_FOLLOW = /^\s*$|^\s*(?:[-+•]|\*{1,5}|\*\)|\d+[.)])\s|^\s+\S/;
