// Interprets the dates of a whole file. A day above 12 in one date, such as `10/16/2024`, decides the order of day and
// month for all of them. One date among many that does not exist is a slip.
import { Refusal } from '../../errors.ts';
import type { DateOrder } from '../rules.ts';
import { limitWarnings } from '../warnings.ts';
import type { FoundDate } from './dates.ts';

type Evidence = Readonly<{ text: string; line: number }>;

const DATES_PER_SLIP = 10;

export class DateOrders {
  readonly #file: string;
  readonly #given: DateOrder | null;
  readonly #evidence: Partial<Record<DateOrder, Evidence>> = {};
  readonly #counts = { good: 0, bad: 0 };
  readonly #slips: string[] = [];

  constructor(file: string, given: DateOrder | null) {
    this.#file = file;
    this.#given = given;
  }

  /** Called with the date of each version. */
  learn(date: FoundDate | null, line: number): void {
    if (date === null) return;
    this.#counts[date.timestamp === null ? 'bad' : 'good']++;
    if (!date.readings) return;
    const { 'day-first': dayFirst, 'month-first': monthFirst } = date.readings;
    if ((dayFirst === null) === (monthFirst === null)) return;
    this.#evidence[dayFirst === null ? 'month-first' : 'day-first'] ??= { text: date.text, line };
  }

  /** The timestamp of a date; null if it does not exist. */
  resolve({ text, timestamp, readings, dayBeforeMonth }: FoundDate, line: number): string | null {
    if (dayBeforeMonth !== undefined && this.#given === 'day-first') return dayBeforeMonth;
    if (readings === undefined) return timestamp;
    const { 'day-first': dayFirst, 'month-first': monthFirst } = readings;
    if (dayFirst === null || monthFirst === null || dayFirst === monthFirst) return timestamp;
    return readings[this.#given ?? this.#orderOf(text, line)];
  }

  /** Throws for a date that does not exist, unless the file has so many dates that it must be a slip. */
  requireSlip({ text, dayBeforeMonth }: FoundDate, label: string, line: number): void {
    const where = `${this.#file}:${line}: ${text} of version ${label} is not a date`;
    const option = dayBeforeMonth === undefined ? '' : ', or use `--date-order day-first`';
    const { good, bad } = this.#counts;
    if (bad * DATES_PER_SLIP > good) throw new Refusal(`${where}; write it as YYYY-MM-DD${option}.`);
    this.#slips.push(`${where}, and so the version has none; write it as YYYY-MM-DD${option}.`);
  }

  warnings(): readonly string[] {
    return limitWarnings(this.#slips, (more) => `${this.#file}: … and ${more} more that are not dates.`);
  }

  #orderOf(text: string, line: number): DateOrder {
    const { 'day-first': dayFirst, 'month-first': monthFirst } = this.#evidence;
    const where = `${this.#file}:${line}: ${text} can be read in two ways`;
    if (dayFirst && monthFirst)
      throw new Refusal(
        `${where}, and the file has both: ${describe(dayFirst)} with the day first, ${describe(monthFirst)} with the month first. ${CHOOSE}`,
      );
    if (dayFirst) return 'day-first';
    if (monthFirst) return 'month-first';
    // People who write dots put the day first.
    if (text.includes('.')) return 'day-first';
    throw new Refusal(`${where}, and no other date in the file tells which. ${CHOOSE}`);
  }
}

const CHOOSE = 'Use `--date-order day-first` or `--date-order month-first`.';

function describe({ text, line }: Evidence): string {
  return `${text} on line ${line}`;
}
