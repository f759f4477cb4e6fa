// Which of the two numbers in `10/16/2024` is the day: a day above 12 tells it for the whole file.
import { Refusal } from '../../errors.ts';
import type { VersionHeading } from '../markdown/headings.ts';
import type { DateOrder } from '../rules.ts';
import { LINES_BELOW_MAX, parseDateLine } from './date-below.ts';
import type { FoundDate } from './dates.ts';

type Evidence = Readonly<{ text: string; line: number }>;

export class DateOrders {
  readonly #file: string;
  readonly #given: DateOrder | null;
  readonly #evidence: Partial<Record<DateOrder, Evidence>> = {};
  /** How many of the next lines may be the date of the last version. */
  #linesLeft = 0;

  constructor(file: string, given: DateOrder | null) {
    this.#file = file;
    this.#given = given;
  }

  /** Takes each line of the file, with the version that it is the heading of. */
  see(version: VersionHeading | null, text: string, line: number): void {
    if (version !== null) {
      this.#linesLeft = version.date === null ? LINES_BELOW_MAX : 0;
      this.#learn(version.date, line);
    } else if (this.#linesLeft > 0 && text.trim() !== '') {
      this.#linesLeft--;
      this.#learn(parseDateLine(text)?.date ?? null, line);
    }
  }

  #learn(date: FoundDate | null, line: number): void {
    if (!date?.readings) return;
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

  #orderOf(text: string, line: number): DateOrder {
    const { 'day-first': dayFirst, 'month-first': monthFirst } = this.#evidence;
    const where = `${this.#file}:${line}: ${text} can be read in two ways`;
    if (dayFirst && monthFirst)
      throw new Refusal(
        `${where}, and the file has both: ${describe(dayFirst)} with the day first, ${describe(monthFirst)} with the month first. ${CHOOSE}`,
      );
    if (dayFirst) return 'day-first';
    if (monthFirst) return 'month-first';
    // Dots are written where people put the day first.
    if (text.includes('.')) return 'day-first';
    throw new Refusal(`${where}, and no other date in the file tells which. ${CHOOSE}`);
  }
}

const CHOOSE = 'Use `--date-order day-first` or `--date-order month-first`.';

function describe({ text, line }: Evidence): string {
  return `${text} on line ${line}`;
}
