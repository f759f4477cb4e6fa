// A page's filters: what the values of its form mean, and filters as links. Links choose from the types and years that
// exist, with the number of versions; a chosen filter is a link that removes it, so that no filter is shown twice.
import { CHANGE_TYPES, type ChangeType } from '../../domain/model.ts';
import type { Facet } from '../../store/read/index.ts';
import type { PageLinks } from '../links.ts';
import { type Html, html } from '../template.ts';
import { fill, type Locale } from '../words/locale.ts';
import { NOTHING } from './document.ts';

/** A form as filled in. */
export type FilterForm = Readonly<{
  /** By parameter; empty fields are absent. */
  values: Readonly<Partial<Record<string, readonly string[]>>>;
  /** Messages by parameter; those without a field are shown above the form. */
  problems: Readonly<Record<string, Problem>>;
}>;

/** What is wrong with a field, in the words of a page. */
export type Problem = (locale: Locale) => Html | string;

/** The fields, in query order. */
export const FIELDS = ['q', 'since', 'until', 'from', 'to', 'type', 'breaking', 'prerelease'] as const;
export type Field = (typeof FIELDS)[number];
export const CHOICES: readonly Field[] = ['type', 'breaking', 'prerelease'];

export const NO_FORM: FilterForm = { values: {}, problems: {} };

export const textOf = ({ values }: FilterForm, name: Field): string => values[name]?.[0] ?? '';
export const typesOf = ({ values }: FilterForm): ChangeType[] =>
  CHANGE_TYPES.filter((type) => values.type?.includes(type));

/** A form's query, `?…`; empty for an empty form. The same filters have one URL, in whatever order they were chosen. */
export function queryOf(form: FilterForm): string {
  const pairs = FIELDS.flatMap((name) => {
    const values = name === 'type' ? typesOf(form) : (form.values[name] ?? []);
    return values.map((value): [string, string] => [name, value]);
  });
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

type Mark = ChangeType | 'breaking';
const MARKS: readonly Mark[] = [...CHANGE_TYPES, 'breaking'];
const marksOf = (form: FilterForm): Mark[] =>
  textOf(form, 'breaking') === 'true' ? [...typesOf(form), 'breaking'] : typesOf(form);

/** The selected year. */
function yearOf(form: FilterForm): string | null {
  const [since, until] = [textOf(form, 'since'), textOf(form, 'until')];
  const year = since.slice(0, 4);
  return /^\d{4}$/.test(year) && since === `${year}-01-01` && until === `${year}-12-31` ? year : null;
}

type Filter = Readonly<{
  /** Types and years are offered; another field is only removed. */
  of: 'type' | 'year' | Field;
  text: string;
  classes: string;
  isChosen: boolean;
  /** Of the versions that it leads to; null if the facets cannot tell. */
  count: number | null;
  /** The form with it, or without it if it is chosen. */
  next: FilterForm;
}>;

export type Filters = Readonly<{
  form: FilterForm;
  /** Null if they are not counted: then all types are offered, but no years. */
  facets: readonly Facet[] | null;
  locale: Locale;
  /** A static site has a page for each type and year, but none for several at once, and none for breaking changes. */
  isStatic: boolean;
}>;

function filtersOf({ form, facets, locale, isStatic }: Filters): Filter[] {
  const { filters: words, types: names } = locale.words;
  const kept = isStatic ? NO_FORM : form;
  const chosenYear = yearOf(form);
  const inYear = (name: Field) => chosenYear !== null && (name === 'since' || name === 'until');
  const fields = FIELDS.filter(
    (name) => !CHOICES.includes(name) && !inYear(name) && textOf(form, name) !== '',
  );
  const hidesPrereleases = textOf(form, 'prerelease') === 'false';
  const isCountable = fields.length === 0 && !hidesPrereleases;
  const withValues = (values: Partial<Record<Field, readonly string[]>>): FilterForm => ({
    ...kept,
    values: { ...kept.values, ...values },
  });

  /** Versions with changes of one of the types, and breaking ones if that is a mark. */
  function countOf(year: string, marks: readonly Mark[]): number | null {
    if (facets === null) return null;
    const count = (mark: Facet['mark']) =>
      facets.find((facet) => facet.year === year && facet.mark === mark)?.versions ?? 0;
    const some = marks.filter((mark) => mark !== 'breaking');
    if (some.length > 0 && some.every((mark) => count(mark) === 0)) return 0;
    if (marks.includes('breaking') && count('breaking') === 0) return 0;
    return marks.length < 2 && isCountable ? count(marks[0] ?? '') : null;
  }

  function ofMark(mark: Mark): Filter {
    const [of, value] = mark === 'breaking' ? (['breaking', 'true'] as const) : (['type', mark] as const);
    const isChosen = marksOf(form).includes(mark);
    // Several types widen the selection, but a type and breaking changes narrow it.
    const besides = marksOf(kept).filter((each) => each === 'breaking' || mark === 'breaking');
    const others = (kept.values[of] ?? []).filter((each) => each !== value);
    return {
      of,
      text: mark === 'breaking' ? words.onlyBreaking : names[mark],
      classes: `dot ${mark}`,
      isChosen,
      count: countOf(yearOf(kept) ?? '', [...new Set([...besides, mark])]),
      next: withValues({ [of]: isChosen ? others : [...others, value] }),
    };
  }

  function ofYear(year: string): Filter {
    const isChosen = year === chosenYear;
    const [since, until] = isChosen ? [[], []] : [[`${year}-01-01`], [`${year}-12-31`]];
    const count = countOf(year, marksOf(kept));
    return { of: 'year', text: year, classes: '', isChosen, count, next: withValues({ since, until }) };
  }

  function ofField(of: Field, text: string): Filter {
    return { of, text, classes: '', isChosen: true, count: null, next: withValues({ [of]: [] }) };
  }

  const years = (facets ?? []).filter(({ year, mark }) => year !== '' && mark === '').map(({ year }) => year);
  if (chosenYear !== null && !years.includes(chosenYear)) years.push(chosenYear);
  return [
    ...years.map(ofYear),
    ...fields.map((field) =>
      ofField(field, fill(words.fieldValue, { field: words.fields[field], value: textOf(form, field) })),
    ),
    ...MARKS.filter((mark) => !isStatic || mark !== 'breaking').map(ofMark),
    ...(hidesPrereleases ? [ofField('prerelease', words.noPrereleases)] : []),
  ];
}

/** The start or the end of a day. */
const DAY_BOUNDARY = /T(?:00:00:00\.000|23:59:59\.999)Z$/;

/** Each filter of a normalised query in words, for titles. */
export function filterTexts(query: string, locale: Locale): string[] {
  const parameters = new URLSearchParams(query);
  const values = Object.fromEntries(
    FIELDS.map((field) => [field, parameters.getAll(field).map((value) => value.replace(DAY_BOUNDARY, ''))]),
  );
  const filters = filtersOf({ form: { values, problems: {} }, facets: null, locale, isStatic: false });
  return filters.filter(({ isChosen }) => isChosen).map(({ text }) => text);
}

export type Chips = Filters &
  Readonly<{
    /** Whether the page has no versions: then more filters are useless. */
    isEmpty: boolean;
    links: Pick<PageLinks, 'changelog' | 'filtered'>;
  }>;

/** Types and years, as links; the others that are active and that no field shows; a link out of the search field. */
export function writeFilters(chips: Chips): Readonly<{ choices: Html; others: Html; removal: Html }> {
  const filters = filtersOf(chips);
  const listOf = (of: Filter['of']) =>
    filters.filter((each) => each.of === of && (each.isChosen || (!chips.isEmpty && each.count !== 0)));
  const years = listOf('year');
  // If all versions are of one year, there is nothing to choose.
  const isChoice = years.length > 1 || years.some(({ isChosen }) => isChosen);
  const lists = [[...listOf('breaking'), ...listOf('type')], isChoice ? years : []]
    .filter((list) => list.length > 0)
    .map((list) => writeList(list, chips));
  const others = filters.filter(({ of }) => !['q', 'type', 'breaking', 'year'].includes(of));
  const [query] = listOf('q');
  return {
    choices:
      lists.length === 0
        ? NOTHING
        : html`<nav class="picks" aria-label="${chips.locale.words.regions.typesAndYears}">
${lists}
</nav>`,
    others: others.length === 0 ? NOTHING : writeList(others, chips),
    removal: query === undefined ? NOTHING : html`\n<a class="clear"${linkTo(query, chips)}>×</a>`,
  };
}

function writeList(filters: readonly Filter[], chips: Chips): Html {
  const items = filters.map((filter) => {
    const { classes, text, isChosen, count } = filter;
    const number = count === null ? NOTHING : html` <span class="count">${chips.locale.number(count)}</span>`;
    const content = isChosen
      ? html`<span dir="auto">${text}</span> <span aria-hidden="true">×</span>`
      : html`${text}${number}`;
    return html`<li><a${classes !== '' && html` class="${classes}"`}${isChosen && html` aria-current="true"`}${linkTo(filter, chips)}>${content}</a></li>`;
  });
  return html`<ul class="chips">\n${items}\n</ul>`;
}

/** Crawlers need no combinations of filters, and would find thousands. */
function linkTo({ text, isChosen, next }: Filter, { links, locale }: Chips): Html {
  const query = queryOf(next);
  const label = fill(locale.words.filters.remove, { filter: text });
  return html` href="${links.filtered(query)}"${query !== '' && html` rel="nofollow"`}${isChosen && html` aria-label="${label}"`}`;
}
