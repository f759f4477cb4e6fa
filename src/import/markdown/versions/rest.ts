// The text of a heading besides label and date.
import { findDate } from '../../dates/dates.ts';

export const YANKED = /[[(]?\byanked\b(?: *: *([^\])]*))?[\])]?/i;
/** A date that is not set yet. */
export const PLACEHOLDER =
  /(?<!\w)(?:\d{4}|yyyy|[x?]{4})-(?:[x?]{1,2}|mm|\d{1,2})-(?:[x?]{1,2}|dd)(?!\w)|\bReleaseDate\b/i;
/** What may follow a date, and dashes as entities. */
const TIMES =
  /\b\d{1,2}:\d{2}(?::\d{2})?(?: ?(?:UTC|GMT|Z))?\b|\b(?:mon|tue|wed|thu|fri|sat|sun)(?:[a-z]*day)?\b,?|&[mn]dash;/gi;

/** The text besides the date, without the punctuation between the parts. */
export function restOf(tail: string): string {
  const said = tail.replace(PLACEHOLDER, ' ');
  const rest = said.replace(findDate(said)?.text ?? '', ' ');
  // `2026-05-04 - 2026-11-11` is more than one date.
  const kept = findDate(rest) === null ? rest : said;
  return trimPunctuation(kept.replaceAll(TIMES, ' ')).replace(
    /^(?:released|release date)(?: on)?(?: the)?:?$/i,
    '',
  );
}

function trimPunctuation(text: string): string {
  const inner = text.replaceAll(/\([^\p{L}\p{N}_]*\)|\[\s*\]/gu, ' ').replace(/^[\s\-–—:|/,.·•]+/, '');
  let end = inner.length;
  while (end > 0 && /[\s\-–—:|/,]/.test(inner[end - 1] as string)) end--;
  const trimmed = inner.slice(0, end);
  return /^["'“([].*["'”)\]]$/s.test(trimmed) ? trimmed.slice(1, -1).trim() : trimmed;
}

/** Resolves backslash escapes and numeric character references. */
export function unescapeInline(text: string): string {
  if (!text.includes('\\') && !text.includes('&#')) return text;
  return text.replaceAll(
    /\\([!-/:-@[-`{-~])|&#(\d{1,7});/g,
    (_, escaped, code) => escaped ?? characterOf(Number(code)),
  );
}

/** NUL and numbers that are not characters become the replacement character. */
function characterOf(code: number): string {
  const isNone = code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff);
  return isNone ? '\uFFFD' : String.fromCodePoint(code);
}
