// Takes a heading apart: label, date, link, and the words around the label.
import { isUnreleasedLabel } from '../../../domain/content/changelog-markdown.ts';
import { findDate } from '../../dates/dates.ts';
import { restOf, unescapeInline, YANKED } from './rest.ts';
import {
  isUnreleasedRemark,
  mayBeUnreleased,
  unreleasedNameAtStart,
  withoutUnreleasedName,
} from './unreleased.ts';

/** The parts of a heading. The other headings show whether the words around the label are a name or a title. */
export type HeadingParts = Readonly<{
  start: Start;
  /** `Rocket` in `Rocket 1.2.0` */
  before: string;
  /** `Enterprise` in `1.2.0 Enterprise` */
  behind: string;
  /** What follows `behind`. */
  tailBehind: string;
  /** If the words before are not a name, the label is the day at the start, or all that is in brackets. */
  otherwise: Start | null;
}>;

export type Start = Readonly<{
  label: string;
  link: Readonly<{ url: string } | { reference: string }> | null;
  tail: string;
  isUnreleased?: true;
  /** Brackets may contain anything. */
  isGuess?: boolean;
  isNumber?: boolean;
  /** True for `1.2.0`, false for a day or a name. */
  isNumbered?: true;
}>;

export const LINK_TARGET = String.raw`\(\s*<?([^\s<>()]*(?:\([^\s<>()]*\)[^\s<>()]*)*)>?(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)`;
const BRACKETED = new RegExp(String.raw`^\[((?:\\.|[^\\[\]])+)\](?:${LINK_TARGET}|\[((?:\\.|[^\\[\]])*)\])?`);
const NUMBERS = String.raw`(?:v\.? ?\d+|\d+\.\d+)(?:\.\d+)*(?:[-+._]?[0-9A-Za-z]+(?:[-+._][0-9A-Za-z]+)*)?`;
/** `1.2`, `v2`, `1.0.0-rc.1`, `2024.05.01`, `1.0 Beta 2`, `1.1.4/1.1.5`, and `name@1.2.0`, `name-v1.2.0` or `name-1.2.0`. */
const BARE = new RegExp(
  String.raw`^(?:(?:@[\w.-]+\/)?[\w.-]+(?:@|-(?=v\d|\d+\.\d+\.\d)))?${NUMBERS}(?: (?:alpha|beta|rc|preview)(?: ?\d+)?)?(?:\/v?\d+(?:\.\d+)+)*(?!\w|\/\S|\.\w)`,
  'i',
);
/** `Rocket 1.2.0`, `Rocket - Version 1.2.0` */
const NAMED =
  /^([\p{L}@][^()[\]<>]{0,60}?)(?:\s*[:–—-])?\s+(?=(?:version:?\s+|release:?\s+)?(?:\[?(?:v\.?\s?\d|\d+\.\d)|\d+\s*[-–—(,/]))/iu;
const IN_PARENTHESES = /^([\p{L}@][^()[\]<>]{0,60}?)\s+\((v?\d+(?:\.\d+)+[^\s()]*)\)/iu;
/** Words right after a label. */
const BEHIND =
  /^\s+(\p{L}[\p{L}\p{N}.+&'’_-]*(?:\s+\p{L}[\p{L}\p{N}.+&'’_-]*){0,3})\s*(?=$|[–—:|/,(["“]|-\s)/u;
const NUMBER = /^\d+(?![\w./-])/;
export const DATE_ALONE = /^\d{4}-\d{1,2}-\d{1,2}(?!\S)/;
/** `2026-05-04, `, `[4 May 2026] - ` */
const AFTER_DATE = /^\s*[\])]?\s*[-–—:,|/]?\s+/;
const FILLER =
  /^(?:(?:version|release|ver\.?|rel\.?)[:\s]\s*|(?:\w+ )?changes (?:between|from) (?:\w+ )?\S+ (?:and|to) (?:\w+ (?=v?\d))?)/i;
const SYMBOLS = /^(?:\p{Extended_Pictographic}|\u{FE0F}|\u{200D}|:[a-z][a-z_]*:|\s)+/u;
const MARKED_UNRELEASED =
  /^(\S+(?: \S+)?) *(?:[([] *(?:unreleased|development version) *[)\]]|[-–—:] *unreleased)$/i;
/** `2.x (next)` */
const SERIES = /^(v?\d+\.x) *[([] *([^()[\]]{1,40}?) *[)\]]$/i;
const TAGS = /(?<!\\)<\/?(?:small|a|span|sub|sup)(?=[\s/>])[^<>]*>/gi;
/** Emphasis. This program puts backslashes before such characters in labels. */
export const EMPHASIS = /(?<!\\)(?:\*+|~~|`)/g;
const UNDERSCORED = /(?<![\w\\])(_{1,3})(?=[^\s_])([^_]*[^\s_\\])\1(?!\w)/g;
const NO_NAME =
  /^(?:(?:alpha|beta|rc|preview|released?(?: date)?(?: on)?|dated?)$|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*day\b)/i;

/** Enough for a long URL; anything longer is text. */
const HEADING_CHARACTERS_MAX = 500;

export function dissectHeading(text: string): HeadingParts | null {
  if (text.length > HEADING_CHARACTERS_MAX) return null;
  const plain = text
    .replaceAll(TAGS, '')
    .replaceAll(EMPHASIS, '')
    .replaceAll(UNDERSCORED, '$2')
    .replace(SYMBOLS, '')
    .trim();
  // A fast check: most headings are names of sections.
  if (!/[\d[]|unreleased|development version/i.test(plain) && !mayBeUnreleased(plain)) return null;
  return dissectDateFirst(plain) ?? dissect(plain);
}

/** `2026-05-04, Version 1.2.0` */
function dissectDateFirst(text: string): HeadingParts | null {
  const date = findDate(text);
  const at = date === null ? -1 : text.indexOf(date.text);
  if (date === null || at > 1 || (at === 1 && !/^[[(]/.test(text))) return null;
  const rest = text.slice(at + date.text.length);
  const gap = AFTER_DATE.exec(rest)?.[0];
  const parts = gap === undefined ? null : dissect(rest.slice(gap.length));
  if (parts === null || parts.start.isNumbered === undefined) return null;
  const dated = (tail: string) => `${tail} (${date.text})`;
  const start = { ...parts.start, tail: dated(parts.start.tail) };
  return { ...parts, start, tailBehind: dated(parts.tailBehind), otherwise: parseLabel(text) };
}

function dissect(heading: string): HeadingParts | null {
  const start = parseLabel(withoutFiller(heading));
  if (start !== null)
    return dissectBrackets(start) ?? { start, before: '', ...splitBehind(start), otherwise: null };
  // `Rocket (1.2.0)`
  return dissectNamed(heading.replace(IN_PARENTHESES, '$1 $2'));
}

function dissectNamed(text: string): HeadingParts | null {
  const [whole = '', before = ''] = NAMED.exec(text) ?? [];
  const named = whole === '' ? null : parseLabel(withoutFiller(text.slice(whole.length)));
  if (named === null || !(named.isNumbered || named.isNumber)) return null;
  return { start: named, before: unescapeInline(before.trim()), ...splitBehind(named), otherwise: null };
}

/** `[Rocket 1.2.0]` */
function dissectBrackets(start: Start): HeadingParts | null {
  const { label, link, tail } = start;
  const named = start.isGuess ? dissectNamed(label) : null;
  if (named === null || named.start.tail !== '' || !named.start.isNumbered) return null;
  return { ...named, start: { ...named.start, link, tail }, tailBehind: tail, otherwise: start };
}

function withoutFiller(text: string): string {
  return text.replace(FILLER, '');
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

function parseLabel(text: string): Start | null {
  const bracketed = BRACKETED.exec(text);
  if (bracketed) return parseBracketed(text, bracketed);
  const said = unescapeInline(markedUnreleased(text) ?? '');
  if (said !== '' && !NAMED.test(said)) return { label: said, tail: '', link: null, isUnreleased: true };
  const unreleased = parseUnreleased(text);
  if (unreleased !== null) return unreleased;
  const number = withoutUnreleasedName(text);
  if (number !== text) {
    const start = parseNumber(withoutFiller(number));
    return start && { ...start, isUnreleased: true };
  }
  const day = DATE_ALONE.exec(text)?.[0];
  if (day !== undefined) return { label: day, tail: text.slice(day.length), link: null };
  return parseNumber(text);
}

/** `Rocket (unreleased)` → `Rocket`, `2.x (next)` → `2.x` */
function markedUnreleased(text: string): string | null {
  const [, series = '', remark = ''] = SERIES.exec(text) ?? [];
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

function parseNumber(text: string): Start | null {
  const bare = BARE.exec(text)?.[0];
  if (bare !== undefined) return { label: bare, tail: text.slice(bare.length), link: null, isNumbered: true };
  const number = NUMBER.exec(text)?.[0];
  if (number === undefined) return null;
  return { label: number, tail: text.slice(number.length), link: null, isNumber: true };
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
  const within = url === undefined ? undefined : BARE.exec(inner)?.[0];
  if (within !== undefined && (findDate(inner) !== null || findDate(tail) !== null))
    return { label: within, tail: `${inner.slice(within.length)} ${tail}`, link, isNumbered: true };
  return { label, tail, link, isGuess: true };
}
