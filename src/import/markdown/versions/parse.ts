// Takes the heading of a version apart: label, date, link, and the words around the label.
import { isUnreleasedLabel } from '../../../domain/content/changelog-markdown.ts';
import { type FoundDate, findDate } from '../../dates/dates.ts';
import {
  isPhrase,
  isUnreleasedRemark,
  mayBeUnreleased,
  saysNothing,
  saysPlanned,
  saysUnreleased,
  startsAsUnreleased,
  unreleasedNameAtStart,
  withoutUnreleasedName,
} from './words.ts';

export type VersionHeading = Readonly<{
  label: string;
  date: FoundDate | null;
  /** Whether the label is the only date. */
  isDateLabel: boolean;
  /** Whether it says that the version is not released yet. */
  isUnreleased: boolean;
  /** Whether it is not the heading of a version, although it is where one would be. */
  isStray?: true;
  isYanked: boolean;
  /** The target of the label: a URL, or the name of a reference. */
  link: Readonly<{ url: string; text?: string } | { reference: string }> | null;
  title: string;
}>;

/** The parts of a heading. The other headings show whether the words around the label are a name or a title. */
export type HeadingParts = Readonly<{
  start: Start;
  /** `Rocket` in `Rocket 1.2.0` and in `rocket-1.2.0`, which is joined. */
  before: string;
  isJoined: boolean;
  /** `Enterprise` in `1.2.0 Enterprise` */
  behind: string;
  /** What follows `behind`. */
  tailBehind: string;
  /** If the words before are not a name, the label is the day at the start, or all that is in brackets. */
  otherwise: Start | null;
  /** `Changes in 1.2.0` may also be a section. */
  isAnnounced: boolean;
}>;

type Start = Readonly<{
  label: string;
  link: Readonly<{ url: string } | { reference: string }> | null;
  tail: string;
  isUnreleased?: true;
  /** Brackets may contain anything. */
  isGuess?: boolean;
  /** A number that is a version only with a date. */
  isNumber?: boolean;
  /** True for `1.2.0`, false for a day or a name. */
  isNumbered?: true;
}>;

/** The role of the words around a label: a name to drop, part of the label, a title, or a title even without a date. */
export type NameUse = 'drop' | 'keep' | 'title' | 'codename';
export type NameUses = Readonly<{ before: NameUse; behind: NameUse }>;

export const AS_NAMES: NameUses = { before: 'drop', behind: 'drop' };
export const AS_TITLES: NameUses = { before: 'title', behind: 'title' };

const LINK_TARGET = String.raw`\(\s*<?([^\s<>()]*(?:\([^\s<>()]*\)[^\s<>()]*)*)>?(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)`;
const BRACKETED = new RegExp(String.raw`^\[((?:\\.|[^\\[\]])+)\](?:${LINK_TARGET}|\[((?:\\.|[^\\[\]])*)\])?`);
/** `[2.6.12 [LEGACY] - 2020-11-26](…)`, and `[2.3.0 - 2026-05-04` without an end. */
const INNER_BRACKETS = /^(\[[^[\]\\]*)\[([^[\]\\]*)\]([^[\]\\]*\]\()/;
const OPEN_BRACKET = /^\[(?=v?\d[^\]]*$)/;
const NUMBERS = String.raw`(?:v\.? ?\d+|r?\d+\.\d+)(?:\.\d+)*(?:[-+._~]{0,2}[0-9A-Za-z]+(?:[-+._~][0-9A-Za-z]+)*)?(?:_\p{L}+)?`;
/** `1.2`, `v2`, `1.0.0-rc.1`, `2024.05.01`, `1.0 Beta 2`, `1.1.4/1.1.5`, and `name@1.2.0`. */
const BARE = new RegExp(
  String.raw`^(?:(?:@[\w.-]+\/)?[\w.-]+@)?${NUMBERS}(?:(?<=(?:alpha|beta|rc|preview)) \d+| (?:alpha|beta|rc|preview)(?: ?\d+)?)?(?: ?\/ ?v?\d+(?:\.\d+)+)*(?!\w|\/\S|\.\w)`,
  'iu',
);
/** `1.2.x` is a series. */
const SERIES = /^(?:\S+\s){0,2}v?\d+(?:\.\d+)*(?:(?:\.[x*])+(?![\w.])| series\b)/i;
/** `Rocket 1.2.0`, `Rocket - Version 1.2.0` */
const NAMED =
  /^([\p{L}@][^()[\]<>]{0,60}?)(?:\s*[:–—-])?\s+(?=(?:version:?\s+|release:?\s+)?(?:\[?(?:v\.?\s?\d|\d+\.\d)|\d+\s*[-–—(,/]))/iu;
/** `rocket-1.2.0`, perhaps in brackets */
const JOINED = /^(\[?)([a-z][\w.]*(?:-[a-z][\w.]*)*)-(?=v\d|\d+\.\d)/i;
const IN_PARENTHESES = /^([\p{L}@][^()[\]<>]{0,60}?)\s+\((v?\d+(?:\.\d+)+[^\s()]*)\)/iu;
/** Words right after a label. */
const BEHIND =
  /^\s+(\p{L}[\p{L}\p{N}.+&'’_-]*(?:\s+\p{L}[\p{L}\p{N}.+&'’_-]*){0,3})\s*(?=$|[–—:|/,(["“]|-\s)/u;
/** `30`, `b30`, `9d`, `beta7` */
const NUMBER = /^(?:[a-z]{0,2}|alpha|beta|build)\d+[a-z]?(?![\w./-])/i;
/** A day, perhaps with the number of the release on it. */
const DAY =
  /^(\d{4}(?:-\d{1,2}-\d{1,2}|\.\d{2}\.\d{2}| \d{2} \d{2})|\d{1,2}[/.]\d{1,2}[/.](?:19|20)\d{2})(?:[.-]\d{1,2})?(?!\S)/;
/** `Release (2026-05-04)` */
const DAY_IN_PARENTHESES = /^(?:release|version)\s+\((\d{4}-\d{1,2}-\d{1,2}(?:\.\d{1,2})?)\)$/i;
/** `2026-05-04, `, `[4 May 2026] - ` */
const AFTER_DATE = /^\s*[\])]?\s*[-–—:,|/]?\s+/;
const FILLER =
  /^(?:(?:version|release|ver\.?|rel\.?)[:\s]\s*|(?:(?:changes |change ?log )?from )?v?\d+(?:\.\d+)+\S* *(?:-+>|=+>|→|to) *(?=v?\d+\.\d)|(?:\w+ )?changes (?:between|from) (?:\w+ )?\S+ (?:and|to) (?:\w+ (?=v?\d))?)/i;
/** `Changes in `, `Summary of bugs fixed for ` */
export const LEAD =
  /^(?:(?:noteworthy|notable|main|major|important|user[- ]visible|(?:list|summary|overview) of) )*(?:(?:changes|change ?logs?|release notes)(?: (?:made|introduced|leading))? (?:in|with|for|to|of)|change ?log|release notes|(?:what['’]?s new|what is new|new features|new|news|highlights|bugs? fix(?:ed|es)) (?:in|for|of)|announcing)(?: the)?\s+(?!since |from |before |after |between )(?=\S*\s?\S*\s?v?\d)/i;
const SYMBOLS = /^(?:\p{Extended_Pictographic}|\u{FE0F}|\u{200D}|:[a-z][a-z_]*:|\s)+/u;
const MARKED_UNRELEASED =
  /^(\S+(?: \S+)?) *(?:[([] *(?:unreleased|development version) *[)\]]|[-–—:] *unreleased)$/i;
/** `2.x (next)` */
const MARKED_SERIES = /^(v?\d+\.x) *[([] *([^()[\]]{1,40}?) *[)\]]$/i;
/** A number that is not chosen yet. */
const UNNUMBERED =
  /^(?:(?:version|release) )?(?:v?x\.[xy](?:\.[xz])?|v?\?\.\?(?:\.\?)?|<next>)(?=[\s:([]|$)/i;
const TAGS = /(?<!\\)<\/?(?:small|a|span|sub|sup)(?=[\s/>])[^<>]*>/gi;
/** Emphasis. This program puts backslashes before such characters in labels. */
export const EMPHASIS = /(?<!\\)(?:\*+|~~|`)/g;
const MARKUP = /[<*~`_:\u00A0]|[^ -\u2000]/;
const UNDERSCORED = /(?<![\w\\])(_{1,3})(?=[^\s_])([^_]*[^\s_\\])\1(?!\w)/g;
const NO_NAME =
  /^(?:(?:alpha|beta|rc|preview|released?(?: date)?(?: on)?|dated?)$|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*day\b)/i;
/** Enough for a long URL; anything longer is text. */
const HEADING_CHARACTERS_MAX = 500;
/** A link after the label, with a text. */
const TAIL_LINK = new RegExp(String.raw`\[([^[\]]*)\]${LINK_TARGET}`);
/** `See discussion`, but not `compare` or a date. */
const PHRASE = /^\p{L}+ \p{L}[^\n]{0,80}$/u;
const YANKED = /[[(]?\byanked\b(?: *: *([^\])]*))?[\])]?/i;
/** A date that is not set yet. */
const PLACEHOLDER =
  /(?<!\w)(?:\d{4}|yyyy|[x?]{4})-(?:[x?]{1,2}|mm|\d[\dx?]?)-(?:[x?]{1,2}|dd|\d[x?]|\d{1,2})(?!\w)|\bReleaseDate\b/i;
/** `2024-1X-XX 1.25.0`, `?? ??? ????, Rocket 1.25.0` */
const NO_DATE_YET = /^(?:[\dx?]{4}-[\dx?]{1,2}-[x?]{1,2}|\?\? \?{3} \?{4})[\s,:–—-]+(?=\S)/i;
/** What may follow a date, and dashes as entities. */
const TIMES =
  /\b\d{1,2}:\d{2}(?::\d{2})?(?: ?(?:UTC|GMT|Z))?\b|\b(?:mon|tue|wed|thu|fri|sat|sun)(?:[a-z]*day)?\b,?|&[mn]dash;/gi;

/** Parses one heading without looking at the others; null if it cannot be a version. */
export function parseVersionHeading(text: string): VersionHeading | null {
  const parts = dissectHeading(text);
  return parts === null ? null : versionOf(parts, AS_TITLES);
}

/** In a file that this program wrote, the text in brackets is the label. */
export function parseOwnHeading(text: string): VersionHeading | null {
  const [whole = '', inner] = BRACKETED.exec(text) ?? [];
  if (inner === undefined) return null;
  const label = unescapeInline(inner.trim());
  const version = parseTail({ label, link: { reference: inner }, tail: text.slice(whole.length) });
  // `## [Next]` may be released.
  const isUnreleased = isUnreleasedLabel(label) || (version?.isUnreleased && version.date === null);
  return version && { ...version, isUnreleased: isUnreleased ?? false };
}

export function dissectHeading(text: string): HeadingParts | null {
  if (text.length > HEADING_CHARACTERS_MAX) return null;
  // Both checks are for speed: most headings have no markup, and are names of sections.
  const bare = MARKUP.test(text)
    ? text
        .replaceAll('\u00A0', ' ')
        .replaceAll(TAGS, '')
        .replaceAll(EMPHASIS, '')
        .replaceAll(UNDERSCORED, '$2')
        .replace(SYMBOLS, '')
    : text;
  const plain = bare.trim().replace(INNER_BRACKETS, '$1($2)$3').replace(OPEN_BRACKET, '');
  if (!/[\d[]|unreleased|development version|x\.y|\?\.\?|<next>/i.test(plain) && !mayBeUnreleased(plain))
    return null;
  const undated = plain.replace(NO_DATE_YET, '');
  if (undated === plain) return dissectDateFirst(plain) ?? dissect(plain);
  const parts = dissect(undated);
  return parts && { ...parts, start: { ...parts.start, isUnreleased: true } };
}

/** `## 1.2.x` is a chapter. */
export function isSeries(text: string): boolean {
  return SERIES.test(text) && MARKED_SERIES.exec(text) === null;
}

/** `2026-05-04, Version 1.2.0` */
function dissectDateFirst(text: string): HeadingParts | null {
  const date = findDate(text);
  const at = date === null ? -1 : text.indexOf(date.text);
  if (date === null || at > 1 || (at === 1 && !/^[[(]/.test(text))) return null;
  const rest = text.slice(at + date.text.length);
  const gap = AFTER_DATE.exec(rest)?.[0];
  const parts =
    gap === undefined ? null : dissect(rest.slice(gap.length).replace(/^\((v?\d[^()]*)\)$/, '$1'));
  if (parts === null || parts.start.isNumbered === undefined) return null;
  const dated = (tail: string) => `${tail} (${date.text})`;
  const start = { ...parts.start, tail: dated(parts.start.tail) };
  return { ...parts, start, tailBehind: dated(parts.tailBehind), otherwise: parseLabel(text) };
}

function dissect(heading: string): HeadingParts | null {
  const said = heading.replace(LEAD, '');
  const isAnnounced = said !== heading;
  const [, , joined = ''] = JOINED.exec(said) ?? [];
  if (joined !== '') {
    const parts = dissect(said.replace(JOINED, '$1'));
    return parts && parts.before === '' && parts.start.isNumbered
      ? { ...parts, before: joined, isJoined: true, isAnnounced }
      : null;
  }
  const start = parseLabel(withoutFiller(said), isAnnounced || FILLER.test(said));
  const none = { before: '', isJoined: false, otherwise: null, isAnnounced };
  if (start !== null) return dissectBrackets(start) ?? { start, ...splitBehind(start), ...none };
  // `Rocket (1.2.0)`
  const named = dissectNamed(said.replace(IN_PARENTHESES, '$1 $2'));
  return named && { ...named, isAnnounced };
}

function dissectNamed(text: string): HeadingParts | null {
  const [whole = '', before = ''] = NAMED.exec(text) ?? [];
  const named = whole === '' ? null : parseLabel(withoutFiller(text.slice(whole.length)));
  if (named === null || !(named.isNumbered || named.isNumber)) return null;
  const name = unescapeInline(before.trim());
  const rest = { ...splitBehind(named), otherwise: null, isAnnounced: false };
  return { start: named, before: name, isJoined: false, ...rest };
}

/** `[Rocket 1.2.0]` */
function dissectBrackets(start: Start): HeadingParts | null {
  const { label, link, tail } = start;
  const named = start.isGuess ? dissectNamed(label) : null;
  if (named === null || named.start.tail !== '' || !named.start.isNumbered) return null;
  return { ...named, start: { ...named.start, link, tail }, tailBehind: tail, otherwise: start };
}

function withoutFiller(text: string): string {
  return text.replace(DAY_IN_PARENTHESES, '$1').replace(FILLER, '');
}

function splitBehind({ isNumbered, label, tail }: Start): Pick<HeadingParts, 'behind' | 'tailBehind'> {
  const none = { behind: '', tailBehind: tail };
  // `V8 highlights`
  if (!isNumbered || !label.includes('.')) return none;
  const date = findDate(tail)?.text;
  const [whole = '', words = ''] =
    BEHIND.exec(date === undefined ? tail : tail.slice(0, tail.indexOf(date))) ?? [];
  if (words === '' || NO_NAME.test(words) || isUnreleasedRemark(words) || YANKED.test(words)) return none;
  return { behind: words.replaceAll(/\s+/g, ' '), tailBehind: tail.slice(whole.length) };
}

function parseLabel(text: string, isSaid = false): Start | null {
  const unnumbered = UNNUMBERED.exec(text)?.[0];
  if (unnumbered !== undefined) return { label: 'Unreleased', tail: '', link: null, isUnreleased: true };
  const bracketed = BRACKETED.exec(text);
  if (bracketed) return parseBracketed(text, bracketed);
  const said = unescapeInline(markedUnreleased(text) ?? '');
  if (said !== '' && !NAMED.test(said)) return { label: said, tail: '', link: null, isUnreleased: true };
  const unreleased = parseUnreleased(text);
  if (unreleased !== null) return unreleased;
  const number = withoutUnreleasedName(text);
  if (number !== text) {
    const start = parseNumber(withoutFiller(number), false);
    return start && { ...start, isUnreleased: true };
  }
  const day = DAY.exec(text)?.[0];
  if (day !== undefined) {
    const start = { label: day, tail: text.slice(day.length), link: null };
    return day.includes('.') ? { ...start, isNumbered: true } : start;
  }
  return parseNumber(text, isSaid);
}

/** `Rocket (unreleased)` → `Rocket`, `2.x (next)` → `2.x` */
function markedUnreleased(text: string): string | null {
  const [, series = '', remark = ''] = MARKED_SERIES.exec(text) ?? [];
  if (isUnreleasedRemark(remark)) return series;
  const said = MARKED_UNRELEASED.exec(text)?.[1] ?? '';
  return /^(?:unreleased)?$/i.test(said) ? null : said;
}

function parseUnreleased(text: string): Start | null {
  const name = unreleasedNameAtStart(text);
  if (name === null) return null;
  const tail = text.slice(name.length);
  const rest = restOf(tail);
  // `Next steps` is a section, `Next` is a version, and so is `Next (2.0.0)`.
  const isOne =
    isUnreleasedLabel(name) ||
    !/[\p{L}\p{N}]/u.test(rest) ||
    isUnreleasedRemark(rest) ||
    (/^\s*[-–—:/,([]/.test(tail) && BARE.exec(rest)?.[0] === rest);
  return isOne ? { label: name, tail, link: null, isUnreleased: true } : null;
}

/** After the word `Version`, any number is one. */
function parseNumber(text: string, isSaid: boolean): Start | null {
  const bare = BARE.exec(text)?.[0];
  if (bare !== undefined) return { label: bare, tail: text.slice(bare.length), link: null, isNumbered: true };
  const number = NUMBER.exec(text)?.[0];
  if (number === undefined) return null;
  const start = { label: number, tail: text.slice(number.length), link: null };
  return isSaid ? { ...start, isNumbered: true } : { ...start, isNumber: true };
}

function parseBracketed(text: string, [whole, inner = '', url, reference]: RegExpExecArray): Start {
  const label = unescapeInline(inner.trim());
  const tail = text.slice(whole.length);
  const link = url === undefined ? { reference: reference || inner } : { url };
  const isUnreleased = isUnreleasedLabel(label) || unreleasedNameAtStart(label) === label;
  const isBare = BARE.exec(label)?.[0] === label;
  if (isUnreleased) return { label, tail, link, isUnreleased };
  if (isBare) return { label, tail, link, isNumbered: true };
  // `[Master (Unreleased)](https://…)`
  const said = url === undefined ? null : markedUnreleased(label);
  if (said !== null) return { label: said, tail, link, isUnreleased: true };
  // `[1.2.0 - 2026-05-04](https://…)`
  const within = BARE.exec(inner)?.[0];
  if (within !== undefined && (findDate(inner) ?? (url === undefined ? null : findDate(tail))) !== null)
    return { label: within, tail: `${inner.slice(within.length)} ${tail}`, link, isNumbered: true };
  return { label, tail, link, isGuess: true };
}

export function versionOf(
  { start, before, isJoined, behind, tailBehind, otherwise }: HeadingParts,
  use: NameUses,
): VersionHeading | null {
  const isSplit = behind !== '' && use.behind !== 'title';
  const version = parseTail(isSplit ? { ...start, tail: tailBehind } : start);
  const saysWhen = version !== null && (version.date !== null || version.isUnreleased);
  if (isJoined && version !== null && use.before !== 'drop')
    return { ...version, label: `${before}-${version.label}` };
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

/** Null if the label begins a sentence, or is neither a number nor dated. */
export function parseTail(start: Start): VersionHeading | null {
  const isYanked = YANKED.test(start.tail);
  const [, linkText = '', tailLink] = TAIL_LINK.exec(start.tail) ?? [];
  const tail = start.tail.replace(YANKED, ' $1 ').replace(tailLink === undefined ? '' : TAIL_LINK, ' ');
  const written = findDate(tail);
  const date = written ?? dayOf(start.label);
  const rest = restOf(tail);
  const isUnreleased = start.isUnreleased ?? isMarkedUnreleased(start.label, tail, rest, date);
  const saysWhen = date !== null || isUnreleased;
  // A sentence that begins with a number is not a version: a label is separated from text by punctuation.
  if (!saysWhen && /^\s*\([^()]*\)\s+\p{Ll}/u.test(tail)) return null;
  if (!saysWhen && /\p{L}/u.test(rest) && !/^\s*[-–—:|/,(["'“‘«]/.test(tail)) return null;
  if (!saysWhen && ((start.isGuess && !isYanked) || start.isNumber)) return null;
  if (start.isGuess && !isUnreleased && /\p{L}/u.test(rest)) return null;
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
  };
}

function dayOf(label: string): FoundDate | null {
  const day = DAY.exec(label)?.[1];
  return day === undefined ? null : findDate(day);
}

function isMarkedUnreleased(label: string, tail: string, rest: string, date: FoundDate | null): boolean {
  if (isUnreleasedLabel(label)) return true;
  if (rest !== '' && (isUnreleasedLabel(rest) || saysUnreleased(rest) || saysPlanned(rest))) return true;
  return date === null && (isUnreleasedRemark(rest) || startsAsUnreleased(rest) || PLACEHOLDER.test(tail));
}

/** Marks of unreleased versions: `🚧`, `WIP` */
function saysNoMore(rest: string): boolean {
  return isUnreleasedRemark(rest) || saysPlanned(rest) || !/[\p{L}\p{N}]/u.test(rest);
}

/** The text besides the date, without the punctuation between the parts. */
function restOf(tail: string): string {
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

/** Drops Markdown syntax and images, and keeps the text of links. */
export function plainText(markdown: string): string {
  const text = markdown
    .replaceAll(/!\[[^[\]]*\]\([^()]*\)/g, '')
    .replaceAll(/(?<!\\)\[([^[\]]*)\]\([^()]*\)/g, '$1');
  return unescapeInline(text.trim().replaceAll(/(?<!\\)[`*]/g, ''));
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
