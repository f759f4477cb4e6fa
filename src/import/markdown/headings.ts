// Parses the headings of versions: label, date, link, and what else people put there.
import { isUnreleasedLabel } from '../../domain/content/changelog-markdown.ts';
import { type FoundDate, findDate } from '../dates/dates.ts';

export type VersionHeading = Readonly<{
  label: string;
  date: FoundDate | null;
  /** Is the label the only date? */
  isDateLabel: boolean;
  /** Does it state that the version is not released yet? */
  isUnreleased: boolean;
  isYanked: boolean;
  /** The target of the label: a URL, or the name of a reference. */
  link: Readonly<{ url: string } | { reference: string }> | null;
  title: string;
  /** Is it a version at any heading level? */
  isCertain: boolean;
}>;

const LINK_TARGET = String.raw`\(\s*<?([^\s<>()]*(?:\([^\s<>()]*\)[^\s<>()]*)*)>?(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)`;
const BRACKETED = new RegExp(String.raw`^\[((?:\\.|[^\\[\]])+)\](?:${LINK_TARGET}|\[((?:\\.|[^\\[\]])*)\])?`);
/** A link after the label, with a text. */
const TAIL_LINK = new RegExp(String.raw`\[[^[\]]*\]${LINK_TARGET}`);
const NUMBERS = String.raw`(?:v\.? ?\d+|\d+\.\d+)(?:\.\d+)*(?:[-+._]?[0-9A-Za-z]+(?:[-+._][0-9A-Za-z]+)*)?`;
/** `1.2`, `v2`, `1.0.0-rc.1`, `2024.05.01`, `1.0 Beta 2`, and `name@1.2.0` or `name-v1.2.0`. */
const BARE = new RegExp(
  String.raw`^(?:(?:@[\w.-]+\/)?[\w.-]+(?:@|-(?=v\d)))?${NUMBERS}(?: (?:alpha|beta|rc|preview)(?: ?\d+)?)?(?![\w/]|\.\w)`,
  'i',
);
/** `Rocket 1.2.0`, which is a version only if a date follows. */
const NAMED = new RegExp(String.raw`^(\p{L}[^\d()[\]]{0,60} )(${NUMBERS}(?![\w/]).*)$`, 'iu');
const NUMBER = /^\d+(?![\w./-])/;
const DATE_ALONE = /^\d{4}-\d{1,2}-\d{1,2}(?!\S)/;
const FILLER = /^(?:version|release|ver\.?|rel\.?)\s+/i;
const UNRELEASED =
  /^(?:unreleased|(?:upcoming|next)(?: release| version)?|not (?:yet )?released|in progress|tbd|tba)\b/i;
/** The versions of branches are not released yet. */
const BRANCH = /^(?:master|main|trunk|develop|HEAD)$/;
const MARKED_UNRELEASED = /^(\S+(?: \S+)?) *(?:[([] *unreleased *[)\]]|[-–—:] *unreleased)$/i;
const YANKED = /[[(]?\byanked\b(?: *: *([^\])]*))?[\])]?/i;
/** A date that is not set yet. */
const PLACEHOLDER = /(?<!\w)(?:\d{4}|yyyy|[x?]{4})-(?:[x?]{1,2}|mm|\d{1,2})-(?:[x?]{1,2}|dd)(?!\w)/i;
/** What may follow a date, and dashes as entities. */
const TIMES =
  /\b\d{1,2}:\d{2}(?::\d{2})?(?: ?(?:UTC|GMT|Z))?\b|\b(?:mon|tue|wed|thu|fri|sat|sun)(?:[a-z]*day)?\b,?|&[mn]dash;/gi;
const TAGS = /(?<!\\)<\/?(?:small|a|span|sub|sup)\b[^<>]*>/gi;
/** Emphasis. This program puts backslashes before such characters in labels. */
const EMPHASIS = /(?<!\\)(?:\*+|~~|`)/g;

/** Enough for a long URL; anything longer is text. */
const HEADING_CHARACTERS_MAX = 500;
/** A fast check: most headings are names of sections. */
const COULD_BE = /[\d[]|^\W*(?:upcoming|next|not|in|tbd|tba|master|main|trunk|develop|head)\b|unreleased/i;

/** Null if the heading is not that of a version. */
export function parseVersionHeading(text: string): VersionHeading | null {
  if (text.length > HEADING_CHARACTERS_MAX || !COULD_BE.test(text)) return null;
  const plain = text.replaceAll(TAGS, '').replaceAll(EMPHASIS, '').trim().replace(FILLER, '');
  const start = parseLabel(plain) ?? parseNamed(plain);
  return start === null ? null : parseTail(start);
}

type Start = Readonly<{
  label: string;
  link: VersionHeading['link'];
  tail: string;
  title?: string;
  isUnreleased?: true;
  /** Brackets may contain anything. */
  isGuess?: boolean;
  isNumber?: boolean;
}>;

function parseTail(start: Start): VersionHeading | null {
  const isYanked = YANKED.test(start.tail);
  const tailLink = TAIL_LINK.exec(start.tail)?.[1];
  const tail = start.tail.replace(YANKED, ' $1 ').replace(tailLink === undefined ? '' : TAIL_LINK, ' ');
  const written = findDate(tail);
  const date = written ?? (DATE_ALONE.test(start.label) ? findDate(start.label) : null);
  const rest = restOf(tail);
  const isUnreleased =
    start.isUnreleased ??
    (isUnreleasedLabel(start.label) ||
      isUnreleasedLabel(rest) ||
      (date === null && (UNRELEASED.test(start.label) || UNRELEASED.test(rest) || PLACEHOLDER.test(tail))));
  const saysWhen = date !== null || isUnreleased;
  // A sentence that begins with a number is not a version: a label is separated from text by punctuation.
  if (!saysWhen && /\p{L}/u.test(rest) && !/^\s*[-–—:|/,(["']/.test(tail)) return null;
  if (!saysWhen && !isYanked && start.isGuess && !isBracketsAlone(start, tail)) return null;
  if (start.isNumber && date === null) return null;
  return {
    label: start.label,
    date,
    isDateLabel: date !== null && written === null,
    isUnreleased,
    isYanked,
    link: tailLink === undefined ? start.link : { url: tailLink },
    title: start.title ?? (UNRELEASED.exec(rest)?.[0] === rest ? '' : unescapeInline(rest)),
    isCertain: date !== null || (start.link !== null && !start.isGuess),
  };
}

/** `[name]` alone, without a link, is a version whatever the name. */
function isBracketsAlone({ link }: Start, tail: string): boolean {
  return tail.trim() === '' && link !== null && 'reference' in link;
}

function parseLabel(text: string): Start | null {
  const bracketed = BRACKETED.exec(text);
  if (bracketed) return parseBracketed(text, bracketed);
  const said = MARKED_UNRELEASED.exec(text)?.[1];
  if (said !== undefined && !/^unreleased$/i.test(said))
    return { label: unescapeInline(said), tail: '', link: null, isUnreleased: true };
  if (BRANCH.test(text)) return { label: text, tail: '', link: null, isUnreleased: true };
  const unreleased = UNRELEASED.exec(text)?.[0];
  // `Next steps` is a section, `Next` is a version.
  const after = text.slice(unreleased?.length ?? 0);
  if (unreleased !== undefined && (/^unreleased$/i.test(unreleased) || restOf(after) === ''))
    return { label: unreleased, tail: after, link: null };
  const day = DATE_ALONE.exec(text)?.[0];
  if (day !== undefined) return { label: day, tail: text.slice(day.length), link: null };
  const bare = BARE.exec(text)?.[0];
  if (bare !== undefined) return { label: bare, tail: text.slice(bare.length), link: null };
  const number = NUMBER.exec(text)?.[0];
  if (number === undefined) return null;
  return { label: number, tail: text.slice(number.length), link: null, isNumber: true };
}

function parseBracketed(text: string, [whole, inner = '', url, reference]: RegExpExecArray): Start {
  const label = unescapeInline(inner.trim());
  const tail = text.slice(whole.length);
  const link = url === undefined ? { reference: reference || inner } : { url };
  const isGuess = BARE.exec(label)?.[0] !== label && !UNRELEASED.test(label);
  // `[1.2.0 - 2026-05-04](https://…)`
  const within = isGuess && url !== undefined ? BARE.exec(inner)?.[0] : undefined;
  if (within !== undefined && findDate(inner) !== null)
    return { label: within, tail: `${inner.slice(within.length)} ${tail}`, link };
  return { label, tail, link, isGuess };
}

function parseNamed(text: string): Start | null {
  const [, name = '', rest = ''] = NAMED.exec(text) ?? [];
  const start = rest === '' ? null : parseLabel(rest);
  if (start === null || findDate(start.tail) === null || restOf(start.tail) !== '') return null;
  return { ...start, title: unescapeInline(name.trim()) };
}

/** The text besides the date, without the punctuation between the parts. */
function restOf(tail: string): string {
  const said = tail.replace(PLACEHOLDER, ' ');
  const rest = said.replace(findDate(said)?.text ?? '', ' ');
  // `2026-05-04 - 2026-11-11` is more than one date.
  const kept = findDate(rest) === null ? rest : said;
  return trimPunctuation(kept.replaceAll(TIMES, ' ')).replace(/^(?:released|release date)(?: on)?:?$/i, '');
}

function trimPunctuation(text: string): string {
  const inner = text.replaceAll(/\(\W*\)|\[\s*\]/g, ' ').replace(/^[\s\-–—:|/,.]+/, '');
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
