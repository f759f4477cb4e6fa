// How to read a file where the readers cannot tell by themselves: given with an import, and remembered with the product.
import type { ChangeType } from '../model.ts';

export const DATE_ORDERS = ['day-first', 'month-first'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

export type ReadingOptions = Readonly<{
  /** A regular expression for the headings of versions. */
  heading: string | null;
  /** The type of the changes in sections, by name. */
  sections: Readonly<Record<string, ChangeType>>;
  dateOrder: DateOrder | null;
}>;

export const NO_READING_OPTIONS: ReadingOptions = { heading: null, sections: {}, dateOrder: null };
