// Parses the headings of versions: label, date, link, and what else people put there.
import { isUnreleasedLabel } from '../../domain/content/changelog-markdown.ts';
import { type FoundDate, findDate } from '../dates/dates.ts';
import { DATE_ALONE, dissectHeading, type HeadingParts, LINK_TARGET, type Start } from './versions/parts.ts';
import { isPhrase, saysNothing } from './versions/phrases.ts';
import { PLACEHOLDER, restOf, unescapeInline, YANKED } from './versions/rest.ts';
import {
  isUnreleasedRemark,
  saysPlanned,
  saysUnreleased,
  startsAsUnreleased,
} from './versions/unreleased.ts';

export type VersionHeading = Readonly<{
  label: string;
  date: FoundDate | null;
  /** Whether the label is the only date. */
  isDateLabel: boolean;
  /** Whether it says that the version is not released yet. */
  isUnreleased: boolean;
  isYanked: boolean;
  /** The target of the label: a URL, or the name of a reference. */
  link: Readonly<{ url: string; text?: string } | { reference: string }> | null;
  title: string;
  /** Whether it is a version at any heading level. */
  isCertain: boolean;
}>;

/** The role of the words around a label: a name to drop, part of the label, a title, or a title even without a date. */
export type NameUse = 'drop' | 'keep' | 'title' | 'codename';
export type NameUses = Readonly<{ before: NameUse; behind: NameUse }>;

export const AS_NAMES: NameUses = { before: 'drop', behind: 'drop' };
export const AS_TITLES: NameUses = { before: 'title', behind: 'title' };

/** A link after the label, with a text. */
const TAIL_LINK = new RegExp(String.raw`\[([^[\]]*)\]${LINK_TARGET}`);
/** `See discussion`, but not `compare` or a date. */
const PHRASE = /^\p{L}+ \p{L}[^\n]{0,80}$/u;

/** Parses one heading without looking at the others; null if it cannot be a version. */
export function parseVersionHeading(text: string): VersionHeading | null {
  const parts = dissectHeading(text);
  return parts === null ? null : versionOf(parts, AS_TITLES);
}

export function versionOf(
  { start, before, behind, tailBehind, otherwise }: HeadingParts,
  use: NameUses,
): VersionHeading | null {
  const isSplit = behind !== '' && use.behind !== 'title';
  const version = parseTail(isSplit ? { ...start, tail: tailBehind } : start);
  const saysWhen = version !== null && (version.date !== null || version.isUnreleased);
  if (before !== '' && use.before === 'title' && (!saysWhen || otherwise !== null || isPhrase(before)))
    return otherwise && parseTail(otherwise);
  if (version === null) return otherwise && parseTail(otherwise);
  const titles = [
    use.before === 'title' || use.before === 'codename' ? before : '',
    isSplit && use.behind === 'codename' ? behind : '',
    version.title,
  ];
  const labels = [use.before === 'keep' ? before : '', version.label, use.behind === 'keep' ? behind : ''];
  return { ...version, label: joinWords(labels, ' '), title: joinWords(titles, ': ') };
}

function joinWords(words: readonly string[], separator: string): string {
  return words.filter((word) => word !== '').join(separator);
}

/** Null if the label begins a sentence. */
export function parseTail(start: Start): VersionHeading | null {
  const isYanked = YANKED.test(start.tail);
  const [, linkText = '', tailLink] = TAIL_LINK.exec(start.tail) ?? [];
  const tail = start.tail.replace(YANKED, ' $1 ').replace(tailLink === undefined ? '' : TAIL_LINK, ' ');
  const written = findDate(tail);
  const date = written ?? (DATE_ALONE.test(start.label) ? findDate(start.label) : null);
  const rest = restOf(tail);
  const isUnreleased = start.isUnreleased ?? isMarkedUnreleased(start.label, tail, rest, date);
  const saysWhen = date !== null || isUnreleased;
  // A sentence that begins with a number is not a version: a label is separated from text by punctuation.
  if (!saysWhen && /\p{L}/u.test(rest) && !/^\s*[-–—:|/,(["'“‘«]/.test(tail)) return null;
  if (!saysWhen && !isYanked && start.isGuess && !isBracketsAlone(start, tail)) return null;
  if (start.isNumber && !saysWhen) return null;
  return {
    label: start.label,
    date,
    isDateLabel: date !== null && written === null,
    isUnreleased,
    isYanked,
    link:
      tailLink === undefined
        ? start.link
        : { url: tailLink, ...(PHRASE.test(linkText) && { text: linkText }) },
    title: saysNothing(rest) || (isUnreleased && saysNoMore(rest)) ? '' : unescapeInline(rest),
    isCertain: date !== null || (start.link !== null && !start.isGuess),
  };
}

function isMarkedUnreleased(label: string, tail: string, rest: string, date: FoundDate | null): boolean {
  if (isUnreleasedLabel(label) || isUnreleasedLabel(rest) || saysUnreleased(rest) || saysPlanned(rest))
    return true;
  return date === null && (isUnreleasedRemark(rest) || startsAsUnreleased(rest) || PLACEHOLDER.test(tail));
}

/** Marks of unreleased versions: `🚧`, `WIP` */
function saysNoMore(rest: string): boolean {
  return isUnreleasedRemark(rest) || saysPlanned(rest) || !/[\p{L}\p{N}]/u.test(rest);
}

/** `[name]` alone, without a link, is always a version. */
function isBracketsAlone({ link }: Start, tail: string): boolean {
  return tail.trim() === '' && link !== null && 'reference' in link;
}
