// Filters as links: one for each type and year that exists, with the number of versions, and one that removes each active
// filter. A chosen one is the same link, which then removes it, so that no filter is shown twice.
import { CHANGE_TYPES } from '../../../domain/model.ts';
import type { Facet } from '../../../store/read/outline.ts';
import { type Html, html } from '../../html/template.ts';
import type { PageLinks } from '../../links.ts';
import { fill, type Locale } from '../../words/locale.ts';
import { NOTHING } from '../document.ts';
import {
  type AppliedFilter,
  appliedFilters,
  type Mark,
  marksOf,
  NO_FORM,
  queryOf,
  withMark,
  withYear,
  yearOf,
} from '../filters.ts';
import type { FilterForm } from '../views.ts';

const MARKS: readonly Mark[] = ['breaking', ...CHANGE_TYPES];

export type Chips = Readonly<{
  form: FilterForm;
  /** Null if they are not counted: then all types are offered, but no years. */
  facets: readonly Facet[] | null;
  /** Whether the page has no versions: then more filters are useless. */
  isEmpty: boolean;
  links: Pick<PageLinks, 'changelog' | 'filtered'>;
  locale: Locale;
  /** A static site has a page for each type and year, but none for several at once, and none for breaking changes. */
  isStatic: boolean;
}>;

type Chip = Readonly<{
  text: string;
  classes?: string;
  /** Of the versions that it leads to; null if the facets cannot tell. */
  count: number | null;
  isChosen: boolean;
  next: FilterForm;
}>;

export function writeChips(chips: Chips): Html {
  const isShown = ({ isChosen, count }: Chip) => isChosen || (!chips.isEmpty && count !== 0);
  const years = yearChips(chips).filter(isShown);
  // If all versions are of one year, there is nothing to choose.
  const isChoice = years.length > 1 || years.some(({ isChosen }) => isChosen);
  const lists = [markChips(chips).filter(isShown), isChoice ? years : []].filter((list) => list.length > 0);
  if (lists.length === 0) return NOTHING;
  return html`<nav class="picks" aria-label="${chips.locale.words.regions.typesAndYears}">
${lists.map((list) => html`<ul class="chips">\n${list.map((chip) => html`<li>${writeChip(chips, chip)}</li>`)}\n</ul>`)}
</nav>`;
}

function writeChip({ links, locale }: Chips, { text, classes = '', count, isChosen, next }: Chip): Html {
  const style = html`${classes !== '' && html` class="${classes}"`}`;
  if (isChosen) return writeRemoval(links, locale, { text, rest: next }, html`${style} aria-current="true"`);
  return html`<a${style}${linkTo(links, next)}>${text}${count !== null && html` <span class="count">${locale.number(count)}</span>`}</a>`;
}

/** Active filters that neither a chip nor the search field shows, each with a link to the page without it. */
export function writeOtherFilters({ form, links, locale }: Chips): Html {
  const others = appliedFilters(form, locale)
    .filter(({ field }) => field !== 'q' && !hasChip(field))
    .map((filter) => html`<li>${writeRemoval(links, locale, filter, html` aria-current="true"`)}</li>`);
  return others.length === 0 ? NOTHING : html`<ul class="chips">\n${others}\n</ul>`;
}

const hasChip = (field: AppliedFilter['field']) => ['year', 'type', 'breaking'].includes(field);

/** Inside the search field, which shows the words. */
export function writeQueryRemoval({ form, links, locale }: Chips): Html {
  const query = appliedFilters(form, locale).find(({ field }) => field === 'q');
  if (query === undefined) return NOTHING;
  return html`\n<a class="clear"${removalOf(links, locale, query)}>×</a>`;
}

type Removal = Pick<AppliedFilter, 'text' | 'rest'>;

function writeRemoval(links: Chips['links'], locale: Locale, removal: Removal, besides: Html): Html {
  return html`<a${besides}${removalOf(links, locale, removal)}><span dir="auto">${removal.text}</span> <span aria-hidden="true">×</span></a>`;
}

function removalOf(links: Chips['links'], { words }: Locale, { text, rest }: Removal): Html {
  return html`${linkTo(links, rest)} aria-label="${fill(words.filters.remove, { filter: text })}"`;
}

/**
 * A link to the page with these filters, if any. Crawlers need no combinations of filters, and would find thousands.
 */
function linkTo({ filtered }: Chips['links'], form: FilterForm): Html {
  const query = queryOf(form);
  return html` href="${filtered(query)}"${query !== '' && html` rel="nofollow"`}`;
}

/** Types, in the year that is chosen. */
function markChips(chips: Chips): Chip[] {
  const { form, locale, isStatic } = chips;
  const { types, filters } = locale.words;
  const chosen = marksOf(form);
  const year = isStatic ? '' : (yearOf(form) ?? '');
  return MARKS.filter((mark) => chosen.includes(mark) || !(isStatic && mark === 'breaking')).map((mark) => {
    const isChosen = chosen.includes(mark);
    const kept = isStatic ? NO_FORM : form;
    // Several types widen the selection, but a type and breaking changes narrow it.
    const besides = mark === 'breaking' ? chosen : chosen.filter((each) => each === 'breaking');
    return {
      text: mark === 'breaking' ? filters.onlyBreaking : types[mark],
      classes: `dot ${mark}`,
      count: countOf(chips, year, isStatic ? [mark] : [...new Set([...besides, mark])]),
      isChosen,
      next: withMark(kept, mark, !isChosen),
    };
  });
}

function yearChips(chips: Chips): Chip[] {
  const { form, facets, isStatic } = chips;
  const chosen = yearOf(form);
  const years = (facets ?? []).filter(({ year, mark }) => year !== '' && mark === '').map(({ year }) => year);
  if (chosen !== null && !years.includes(chosen)) years.push(chosen);
  return years.map((year) => ({
    text: year,
    count: countOf(chips, year, isStatic ? [] : marksOf(form)),
    isChosen: year === chosen,
    next: withYear(isStatic ? NO_FORM : form, year === chosen ? null : year),
  }));
}

/** How many versions the page's filters match; null if the facets cannot tell. */
export function matchCount(chips: Chips): number | null {
  return countOf(chips, yearOf(chips.form) ?? '', marksOf(chips.form));
}

/** How many versions match: changes of one of the types, and breaking if that is a mark. Null if the facets cannot tell. */
function countOf(chips: Chips, year: string, marks: readonly Mark[]): number | null {
  const { facets, isStatic } = chips;
  if (facets === null) return null;
  const count = (mark: Facet['mark']) =>
    facets.find((facet) => facet.year === year && facet.mark === mark)?.versions ?? 0;
  const types = marks.filter((mark) => mark !== 'breaking');
  const hasNone = (some: readonly Facet['mark'][]) =>
    some.length > 0 && some.every((mark) => count(mark) === 0);
  if (hasNone(types) || hasNone(marks.filter((mark) => mark === 'breaking'))) return 0;
  return marks.length < 2 && (isStatic || isCountable(chips)) ? count(marks[0] ?? '') : null;
}

/** Whether no other filters apply than types, breaking changes and one year. */
function isCountable({ form, locale }: Chips): boolean {
  return appliedFilters(form, locale).every(({ field }) => hasChip(field));
}
