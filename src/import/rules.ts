// What the options of an import say about a file, where the readers could not tell or would guess wrong.
import type { ChangeType } from '../domain/model.ts';

export const DATE_ORDERS = ['day-first', 'month-first'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

export type ImportRules = Readonly<{
  /** Matches the headings of versions, with the groups `label` and optionally `date` and `title`. */
  heading: RegExp | null;
  /** The type of the changes in a section, by the plain name of the section. */
  sections: ReadonlyMap<string, ChangeType>;
  /** The order of day and month in `04/05/2026`. */
  dateOrder: DateOrder | null;
}>;

export const NO_RULES: ImportRules = { heading: null, sections: new Map(), dateOrder: null };
