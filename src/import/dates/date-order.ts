// Interprets the dates of a whole file. A day above 12 in one date, such as `10/16/2024`, decides the order of day and
// month for all of them. One date among many that does not exist is a slip.
import { Refusal } from '../../errors.ts';
import { DATE_ORDERS, type DateOrder } from '../rules.ts';
import { limitWarnings } from '../warnings.ts';
import type { FoundDate } from './dates.ts';

type Dated = FoundDate & Readonly<{ line: number }>;
type Evidence = Readonly<{ text: string; line: number }>;

const DATES_PER_SLIP = 10;

export class DateOrders {
  readonly #file: string;
  readonly #given: DateOrder | null;
  readonly #evidence: Partial<Record<DateOrder, Evidence>> = {};
  readonly #counts = { good: 0, bad: 0 };
  readonly #slips: string[] = [];
  readonly #all: Dated[] = [];
  /** By line. */
  readonly #indexes = new Map<number, number>();
  #undecided = 0;

  constructor(file: string, given: DateOrder | null) {
    this.#file = file;
    this.#given = given;
  }

  /** Called with the date of each version. */
  learn(date: FoundDate | null, line: number): void {
    if (date === null) return;
    this.#indexes.set(line, this.#all.push({ ...date, line }) - 1);
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
    const order = this.#given ?? this.#orderOf(text, line);
    return order && readings[order];
  }

  /** Throws for a date that does not exist, unless the file has so many dates that it must be a slip. */
  requireSlip(date: FoundDate, label: string, line: number): void {
    const { text, dayBeforeMonth } = date;
    const isUndecided = !isOfOneOrder(date);
    const what = isUndecided ? 'a date that can be read in two ways' : 'an invalid date';
    const where = `version ${label} has ${what}, ${text}`;
    const option = dayBeforeMonth === undefined ? '' : ', or use `--date-order day-first`';
    const { good, bad } = this.#counts;
    if (!isUndecided && bad * DATES_PER_SLIP > good)
      throw new Refusal(`${where}; write it as YYYY-MM-DD${option}.`, { at: [this.#file, line] });
    this.#slips.push(`${this.#file}:${line}: ${where}, which is ignored; write it as YYYY-MM-DD${option}.`);
  }

  warnings(): readonly string[] {
    return limitWarnings(this.#slips, (more) => `${this.#file}: … and ${more} more invalid dates.`);
  }

  /** Null for one of a few dates that nothing decides. */
  #orderOf(text: string, line: number): DateOrder | null {
    const { 'day-first': dayFirst, 'month-first': monthFirst } = this.#evidence;
    const where = `${text} can be read in two ways`;
    const at = [this.#file, line] as const;
    const order =
      dayFirst && monthFirst ? this.#orderAt(line) : dayFirst || monthFirst ? null : this.#orderOfAll();
    if (order !== null) return order;
    if (dayFirst && monthFirst && ++this.#undecided * DATES_PER_SLIP <= this.#counts.good) return null;
    if (dayFirst && monthFirst)
      throw new Refusal(
        `${where}, and the file has both: ${describe(dayFirst)} with the day first, ${describe(monthFirst)} with the month first. ${CHOOSE}`,
        { at },
      );
    if (dayFirst) return 'day-first';
    if (monthFirst) return 'month-first';
    // People who write dots put the day first.
    if (text.includes('.')) return 'day-first';
    throw new Refusal(`${where}, and no other date in the file tells which. ${CHOOSE}`, { at });
  }

  /** The order in which the date lies between those before and after it. */
  #orderAt(line: number): DateOrder | null {
    const at = this.#indexes.get(line) ?? 0;
    const isCertain = (date: Dated) => date.timestamp !== null && isOfOneOrder(date);
    const before = this.#all.slice(Math.max(0, at - NEIGHBOURS_MAX), at).findLast(isCertain)?.timestamp;
    const after = this.#all.slice(at + 1, at + NEIGHBOURS_MAX).find(isCertain)?.timestamp;
    const fitting = DATE_ORDERS.filter((order) => {
      const timestamp = this.#all[at]?.readings?.[order];
      return timestamp && areSorted([before, timestamp, after].filter((one) => typeof one === 'string'));
    });
    return before && after && fitting.length === 1 ? (fitting[0] ?? null) : null;
  }

  /** The order in which all dates are sorted, if it is only one. */
  #orderOfAll(): DateOrder | null {
    const sorted = DATE_ORDERS.filter((order) =>
      areSorted(this.#all.flatMap(({ readings, timestamp }) => readings?.[order] ?? timestamp ?? [])),
    );
    return sorted.length === 1 && this.#all.length >= SORTED_MIN ? (sorted[0] ?? null) : null;
  }
}

const SORTED_MIN = 3;
const NEIGHBOURS_MAX = 50;

function isOfOneOrder({ readings }: FoundDate): boolean {
  return readings === undefined || readings['day-first'] === null || readings['month-first'] === null;
}

/** The newest first, or the oldest. */
function areSorted(timestamps: readonly string[]): boolean {
  const falls = timestamps.every((one, at) => at === 0 || one <= (timestamps[at - 1] as string));
  return falls || timestamps.every((one, at) => at === 0 || one >= (timestamps[at - 1] as string));
}

const CHOOSE = 'Use `--date-order day-first` or `--date-order month-first`.';

function describe({ text, line }: Evidence): string {
  return `${text} on line ${line}`;
}
