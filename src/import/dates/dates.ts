// Finds dates in headings and below them, in the formats that people use.
import { normaliseTimestamp } from '../../domain/timestamp.ts';
import type { DateOrder } from '../rules.ts';

export type FoundDate = Readonly<{
  text: string;
  /** Null if the date does not exist. If there are two readings, it is a guess. */
  timestamp: string | null;
  /** `10/16/2024` can be read in two orders. */
  readings?: Readonly<Record<DateOrder, string | null>>;
  /** `2026-28-12` exists only with the day before the month. */
  dayBeforeMonth?: string;
}>;

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
] as const;

const MONTH = `(?<name>${MONTHS.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join('|')}|sept)\\.?`;
const DAY = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th|\.)?`;
const YEAR = String.raw`(?<year>\d{4})`;
const WEEKDAY = String.raw`(?:\b(?:mon|tue(?:s)?|wed(?:nes)?|thu(?:r|rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,? {1,2})?`;
const ZONE = String.raw`(?: ?(?:(?:UTC|GMT)?[-+]\d{1,2}:?\d{2}|(?:UTC|GMT)[-+]\d{1,2}|UTC|GMT|Z|[ECMP][SD]T|[CEW]ES?T|ME[SD]?T|I[SD]T|BST|JST|KST|MSK|AE[SD]T|NZ[SD]T)\b)?`;
const CLOCK = String.raw`(?:\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?: ?[ap]\.?m\b\.?)?|\d{1,2}\.\d{2} ?[ap]\.?m\b\.?)`;
/** Where a time may follow. It is read apart: within each pattern, it would take most of the time to compile them. */
const TIME = '(?<time>)';

const patternOf = (text: string) => new RegExp(text, 'i');

const TIME_NEXT = patternOf(`^(?:,? at|,| -|)[ T]{1,2}${CLOCK}${ZONE}`);
const HAS_CLOCK = /\d[:.]\d{2}/;

const TIMESTAMP = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})/;
const PATTERNS = [
  // 2026-05-04, 2026/5/4, 2026.05.04, 2026—05—04
  String.raw`${WEEKDAY}(?<![\d.])${YEAR}(?<by>[-/.‐‑–—])(?<month>\d{1,2})\k<by>(?<day>\d{1,2})(?![\d.]*\d(?![)\]]))${TIME}`,
  // 2026 05 04
  String.raw`(?<!\d)(?<year>(?:19|20)\d{2}) (?<month>\d{2}) (?<day>\d{2})(?!\S*\d)`,
  // 4 May 2026, 4th of May, 2026, 04-May-2026
  String.raw`${WEEKDAY}(?<![\w.])${DAY}[ /-]{0,2}(?:of )?${MONTH},?[ /-]{0,2}${YEAR}\b${TIME}`,
  // May 4, 2026, May 4th 2026, May-04-2026
  String.raw`${WEEKDAY}\b${MONTH},?[ -]{1,2}${DAY}(?: ?, ?|[ -])${YEAR}\b${TIME}`,
  // May 4 10:45:52 UTC 2026
  String.raw`${WEEKDAY}\b${MONTH} {1,2}${DAY},? ${CLOCK}${ZONE} ${YEAR}\b`,
  // 2026 May 4, 2026-May-04
  String.raw`(?<!\d)${YEAR},?[ /-]${MONTH}[ /-]${DAY}(?!\w)${TIME}`,
  // 05/04/2026, 05-04-2026, 04.05.2026
  String.raw`${WEEKDAY}(?<![\d./-])(?<first>\d{1,2})(?<by>[-/.])(?<second>\d{1,2})\k<by>(?<year>(?:19|20)\d{2})(?![\d./-]*\d)${TIME}`,
  // 2026年5月4日, 2026년 5월 4일
  String.raw`(?<!\d)${YEAR} ?[年년] ?(?<month>\d{1,2}) ?[月월] ?(?<day>\d{1,2}) ?[日일号]`,
  // 30/06 2024
  String.raw`(?<![\d./-])(?<first>\d{1,2})(?<by>[/.])(?<second>\d{1,2}) (?<year>(?:19|20)\d{2})(?![\d.])`,
  // (20260504): without brackets it may be any number.
  String.raw`(?<=[([])(?<year>(?:19|20)\d{2})(?<month>0[1-9]|1[0-2])(?<day>0[1-9]|[12]\d|3[01])(?=[)\]])`,
].map((text) => ({ pattern: patternOf(text), isNamed: text.includes(MONTH) }));

const HAS_MONTH = patternOf(MONTHS.map((name) => name.slice(0, 3)).join('|'));
const HAS_YEAR = /\d{4}/;
/** 4. Mai 2026, 4 de mayo de 2026, 1er mai 2026, 4 мая 2026 г. */
const IN_WORDS =
  /(?<![\p{L}\d.])(?<day>\d{1,2})(?:\.|er|º)? {1,2}(?:de )?(?<word>\p{L}{3,12}),?(?: del?)? (?<year>\d{4})(?![\p{L}\d])(?: г\.| года(?!\p{L})| r\.)?/u;
/** 19 March 98, 3-Jan-98 */
const SHORT_YEAR = patternOf(
  String.raw`(?<![\w.])(?<day>\d{1,2})[ -]${MONTH},?[ -]'?(?<short>\d{2})(?=[)\]]|\W*$)`,
);
const CENTURY_BEGIN = 70;

/** The first date in a text. */
export function findDate(text: string): FoundDate | null {
  if (!HAS_YEAR.test(text)) return findShortDate(text);
  let first = TIMESTAMP.exec(text);
  const hasMonth = HAS_MONTH.test(text);
  for (const { pattern, isNamed } of PATTERNS) {
    if (isNamed && !hasMonth) continue;
    const next = pattern.exec(text);
    if (next !== null && (first === null || next.index < first.index)) first = next;
    // Each date has a year, so there is none before this one.
    if (first !== null && !HAS_YEAR.test(text.slice(0, first.index))) break;
  }
  if (first === null) return findInWords(text);
  const [date] = first;
  if (first.groups === undefined) return { text: date, timestamp: normaliseTimestamp(date) };
  const time = first.groups.time === undefined ? '' : timeAt(text.slice(first.index + date.length));
  return readDate(date + time, first.groups);
}

function timeAt(text: string): string {
  return HAS_CLOCK.test(text) ? (TIME_NEXT.exec(text)?.[0] ?? '') : '';
}

/** Сентябрь 19, 2017 */
const MONTH_FIRST = /(?<![\p{L}\d.])(?<word>\p{L}{3,12}) (?<day>\d{1,2}),? (?<year>\d{4})(?![\p{L}\d])/u;

function findInWords(text: string): FoundDate | null {
  const found = IN_WORDS.exec(text) ?? MONTH_FIRST.exec(text);
  const { day = '', word = '', year = '' } = found?.groups ?? {};
  const month = monthIn(word);
  return found === null || month === null
    ? null
    : { text: found[0], timestamp: timestampOf(year, month, day) };
}

/** (18/02/19): the year is last. */
const SHORT_NUMBERS = /(?<=[([])(?<first>\d{1,2})\/(?<second>\d{1,2})\/(?<short>\d{2})(?=[)\]])/;

function findShortDate(text: string): FoundDate | null {
  const numbers = SHORT_NUMBERS.exec(text);
  if (numbers?.groups !== undefined)
    return readDate(numbers[0], { ...numbers.groups, year: `20${numbers.groups.short}` });
  const found = SHORT_YEAR.exec(text);
  const { day = '', name = '', short = '' } = found?.groups ?? {};
  const year = `${Number(short) < CENTURY_BEGIN ? '20' : '19'}${short}`;
  const timestamp = timestampOf(year, monthNumber(name), day);
  return found === null || timestamp === null ? null : { text: found[0], timestamp };
}

function readDate(text: string, groups: Readonly<Record<string, string | undefined>>): FoundDate {
  const { year = '', month, name = '', day = '', first, second = '', by } = groups;
  if (first === undefined) {
    const timestamp = timestampOf(year, month ?? monthNumber(name), day);
    const dayBeforeMonth = timestamp === null && month !== undefined ? timestampOf(year, day, month) : null;
    return { text, timestamp, ...(dayBeforeMonth !== null && { dayBeforeMonth }) };
  }
  const dayFirst = timestampOf(year, second, first);
  const monthFirst = timestampOf(year, first, second);
  // People who write dots put the day first.
  const guess = by === '.' ? (dayFirst ?? monthFirst) : (monthFirst ?? dayFirst);
  return { text, timestamp: guess, readings: { 'day-first': dayFirst, 'month-first': monthFirst } };
}

/** Null if the date does not exist. */
function timestampOf(year: string, month: string, day: string): string | null {
  const exists = Number(day) >= 1 && Number(day) <= daysIn(Number(year), Number(month));
  return exists ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T00:00:00.000Z` : null;
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function daysIn(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return (DAYS[month - 1] ?? 0) + (month === 2 && isLeap ? 1 : 0);
}

function monthNumber(name: string): string {
  return String(MONTHS.findIndex((month) => month.startsWith(name.toLowerCase().slice(0, 3))) + 1);
}

// The names of months in other languages than English, as they are written after a day.
/** One row for each month: German, French, Spanish, Portuguese, Italian, Russian, Polish and Turkish. */
const NAMES = [
  'januar jänner janvier enero janeiro gennaio января январь stycznia ocak',
  'februar février fevrier febrero fevereiro febbraio февраля февраль lutego şubat',
  'märz maerz mars marzo março marco marzo марта март marca mart',
  'april avril abril aprile апреля апрель kwietnia nisan',
  'mai mayo maio maggio мая май maja mayıs',
  'juni juin junio junho giugno июня июнь czerwca haziran',
  'juli juillet julio julho luglio июля июль lipca temmuz',
  'august août aout agosto августа август sierpnia ağustos',
  'september septembre septiembre setiembre setembro settembre сентября сентябрь września eylül',
  'oktober octobre octubre outubro ottobre октября октябрь października ekim',
  'november novembre noviembre novembro ноября ноябрь listopada kasım',
  'dezember décembre decembre diciembre dezembro dicembre декабря декабрь grudnia aralık',
];

const NUMBERS: ReadonlyMap<string, string> = new Map(
  NAMES.flatMap((names, index) => names.split(' ').map((name) => [name, String(index + 1)] as const)),
);

/** Null if the word is not a month. */
function monthIn(word: string): string | null {
  return NUMBERS.get(word.toLowerCase()) ?? null;
}
