// Headings of versions: label, date, link, and what else people put there.
import { isUnreleasedLabel } from '../domain/changelog-markdown.ts';
import { type FoundDate, findDate } from './dates.ts';

export type VersionHeading = Readonly<{
  label: string;
  date: FoundDate | null;
  /** Is there no other date than the label itself? */
  isDateLabel: boolean;
  /** Does it say that the version is not out yet? */
  isUnreleased: boolean;
  isYanked: boolean;
  /** Where the label leads: an address, or the name of a reference that may have one. */
  link: Readonly<{ url: string } | { reference: string }> | null;
  title: string;
  /** Could hardly be anything else, however deep it stands. */
  isCertain: boolean;
}>;

const BRACKETED =
  /^\[((?:\\.|[^\\[\]])+)\](?:\(\s*<?([^\s<>]+?)>?(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)|\[((?:\\.|[^\\[\]])*)\])?/;
/** `1.2`, `v2`, `1.0.0-rc.1`, `2024.05.01`, and `name@1.2.0`. */
const BARE =
  /^(?:(?:@[\w.-]+\/)?[\w.-]+@)?(?:v\.? ?\d+|\d+\.\d+)(?:\.\d+)*(?:[-+._]?[0-9A-Za-z]+(?:[-+._][0-9A-Za-z]+)*)?(?: (?:alpha|beta|rc|preview)(?: ?\d+)?)?(?![\w/])/i;
const NUMBER = /^\d+(?![\w./-])/;
const DATE_ALONE = /^\d{4}-\d{1,2}-\d{1,2}(?!\S)/;
const FILLER = /^(?:version|release|ver\.?|rel\.?)\s+/i;
const UNRELEASED =
  /^(?:unreleased|(?:upcoming|next)(?: release| version)?|not (?:yet )?released|in progress|tbd|tba)\b/i;
const YANKED = /[[(]?\byanked\b[\])]?/i;
/** A date whose day is still to come. */
const PLACEHOLDER = /\b\d{4}-(?:[x?]{1,2}|mm|\d{1,2})-(?:[x?]{1,2}|dd)(?!\w)/i;
const TAGS = /(?<!\\)<\/?(?:small|a|span|sub|sup)\b[^<>]*>/gi;

/** What every heading of a version has; most headings are names of sections, and done with soon. */
const COULD_BE = /[\d[]|^\W*(?:unreleased|upcoming|next|not|in|tbd|tba)\b/i;

/** What a heading's text says of a version, or null if it is about something else. */
export function readVersionHeading(text: string): VersionHeading | null {
  if (!COULD_BE.test(text)) return null;
  const plain = text.replaceAll(TAGS, '').replaceAll('~~', '').trim().replace(FILLER, '');
  const start = readLabel(plain);
  if (start === null) return null;
  const isYanked = YANKED.test(start.tail);
  const tail = start.tail.replace(YANKED, ' ');
  const written = findDate(tail);
  const date = written ?? (DATE_ALONE.test(start.label) ? findDate(start.label) : null);
  const rest = trimSigns(tail.replace(date?.text ?? '', ' ').replace(PLACEHOLDER, ' '));
  const isUnreleased =
    isUnreleasedLabel(start.label) ||
    (date === null && (UNRELEASED.test(start.label) || UNRELEASED.test(rest) || PLACEHOLDER.test(tail)));
  // A sentence that begins with a number is no version; what follows one is parted from it by a sign.
  if (rest !== '' && date === null && !isUnreleased && !/^\s*(?:[-–—:|/,(["']|$)/.test(tail)) return null;
  if (start.isGuess && date === null && !isYanked && !isUnreleased && !isBracketsAlone(start, tail))
    return null;
  if (start.isNumber && date === null) return null;
  return {
    label: start.label,
    date,
    isDateLabel: date !== null && written === null,
    isUnreleased,
    isYanked,
    link: start.link,
    title: UNRELEASED.exec(rest)?.[0] === rest ? '' : unescapeInline(rest),
    isCertain: date !== null || (start.link !== null && !start.isGuess),
  };
}

/** `[name]` and nothing else, not even a link, is a version whatever its name is. */
function isBracketsAlone({ link }: Start, tail: string): boolean {
  return tail.trim() === '' && link !== null && 'reference' in link;
}

type Start = Readonly<{
  label: string;
  link: VersionHeading['link'];
  tail: string;
  /** In brackets there may be anything. */
  isGuess?: boolean;
  isNumber?: boolean;
}>;

function readLabel(text: string): Start | null {
  const bracketed = BRACKETED.exec(text);
  if (bracketed) {
    const [whole, inner = '', url, reference] = bracketed;
    const label = unescapeInline(inner.trim());
    const isGuess = BARE.exec(label)?.[0] !== label && !UNRELEASED.test(label);
    const link = url === undefined ? { reference: reference || inner } : { url };
    return { label, tail: text.slice(whole.length), link, isGuess };
  }
  const unreleased = UNRELEASED.exec(text)?.[0];
  // `Next steps` is a chapter, `Next` is a version.
  const after = text.slice(unreleased?.length ?? 0);
  if (unreleased !== undefined && (/^unreleased$/i.test(unreleased) || isNothing(after)))
    return { label: unreleased, tail: after, link: null };
  const day = DATE_ALONE.exec(text)?.[0];
  if (day !== undefined) return { label: day, tail: text.slice(day.length), link: null };
  const bare = BARE.exec(text)?.[0];
  if (bare !== undefined) return { label: bare, tail: text.slice(bare.length), link: null };
  const number = NUMBER.exec(text)?.[0];
  if (number !== undefined)
    return { label: number, tail: text.slice(number.length), link: null, isNumber: true };
  return null;
}

function isNothing(tail: string): boolean {
  return trimSigns(tail.replace(PLACEHOLDER, '').replace(findDate(tail)?.text ?? '', '')) === '';
}

/** Takes away the signs by which parts of a heading are set off from each other. */
function trimSigns(text: string): string {
  const trimmed = text.replaceAll(/\(\s*\)|\[\s*\]/g, ' ').replaceAll(/^[\s\-–—:|/,.]+|[\s\-–—:|/,]+$/g, '');
  return /^["'“([].*["'”)\]]$/s.test(trimmed) ? trimmed.slice(1, -1).trim() : trimmed;
}

/** Backslashes before signs, and numbers in place of characters. */
export function unescapeInline(text: string): string {
  if (!text.includes('\\') && !text.includes('&#')) return text;
  return text.replaceAll(
    /\\([!-/:-@[-`{-~])|&#(\d{1,7});/g,
    (_, sign, code) => sign ?? characterOf(Number(code)),
  );
}

/** Numbers of no character, and that of NUL, give the sign for such. */
function characterOf(code: number): string {
  const isNone = code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff);
  return isNone ? '\uFFFD' : String.fromCodePoint(code);
}
