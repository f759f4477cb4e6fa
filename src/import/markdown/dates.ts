// Finds the dates in headings, in the formats that people use.
import { normaliseTimestamp } from '../../domain/timestamp.ts';

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

const MONTH = `(${MONTHS.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join('|')}|sept)\\.?`;
const DAY = '(\\d{1,2})(?:st|nd|rd|th|\\.)?';

const TIMESTAMP = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})/;
const NUMBERS = /(?<![\d.])(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?![\d.]*\d)/;
const DAY_FIRST = new RegExp(`\\b${DAY}[ -]?(?:of )?${MONTH},?[ -](\\d{4})\\b`, 'i');
const MONTH_FIRST = new RegExp(`\\b${MONTH} ${DAY},? (\\d{4})\\b`, 'i');

export type FoundDate = Readonly<{
  text: string;
  /** Null if the date does not exist. */
  timestamp: string | null;
}>;

/** The first date in a text. */
export function findDate(text: string): FoundDate | null {
  const timestamp = TIMESTAMP.exec(text)?.[0];
  if (timestamp !== undefined) return { text: timestamp, timestamp: normaliseTimestamp(timestamp) };
  const numbers = NUMBERS.exec(text);
  if (numbers) {
    const [written, year = '', , month = '', day = ''] = numbers;
    return found(written, year, month, day);
  }
  const dayFirst = DAY_FIRST.exec(text);
  if (dayFirst) return found(dayFirst[0], dayFirst[3], monthNumber(dayFirst[2]), dayFirst[1]);
  const monthFirst = MONTH_FIRST.exec(text);
  if (monthFirst) return found(monthFirst[0], monthFirst[3], monthNumber(monthFirst[1]), monthFirst[2]);
  return null;
}

function found(text: string, year = '', month = '', day = ''): FoundDate {
  const exists = Number(day) >= 1 && Number(day) <= daysIn(Number(year), Number(month));
  const timestamp = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T00:00:00.000Z`;
  return { text, timestamp: exists ? timestamp : null };
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function daysIn(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return (DAYS[month - 1] ?? 0) + (month === 2 && isLeap ? 1 : 0);
}

function monthNumber(name = ''): string {
  return String(MONTHS.findIndex((month) => month.startsWith(name.toLowerCase().slice(0, 3))) + 1);
}
