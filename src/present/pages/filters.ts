// A page's filters: what the values of its form mean, and filters as links. Links choose from the types and years that
// exist, with the number of versions; a chosen filter is a link that removes it, so that no filter is shown twice.
// A form that is shown again has a message next to each invalid field.
import { CHANGE_TYPES, type ChangeType } from '../../domain/model.ts';
import type { Facet, MenuVersion } from '../../store/read/index.ts';
import type { PageLinks } from '../links.ts';
import { type Html, html } from '../template.ts';
import { fill, fillHtml, type Locale } from '../words/locale.ts';
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

/** Each filter of a query in words, for titles. */
export function filterTexts(query: string, locale: Locale): string[] {
  if (query === '') return [];
  const parameters = new URLSearchParams(query);
  const values = Object.fromEntries(FIELDS.map((field) => [field, parameters.getAll(field)]));
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

export type FormKind = 'changelog' | 'timeline' | 'changes';

/** The newest versions to choose from; null if those of several products are listed, whose order says nothing. */
export type Menu = readonly MenuVersion[] | null;

const SEARCH_FORM = 'find';

/** The search field of a page, which by default is sent to that page. Filters that are chosen by a link stay. */
export function writeSearch(
  form: FilterForm,
  locale: Locale,
  { menu, removal, action }: Readonly<{ menu: Menu; removal: Html; action: string | null }>,
): Html {
  const chosen = { type: typesOf(form).join(','), breaking: textOf(form, 'breaking') };
  const kept = Object.entries(chosen).filter(([, value]) => value !== '');
  return html`<form id="${SEARCH_FORM}" role="search"${action !== null && html` action="${action}"`}>
${writeSearchField(form, locale, menu, removal)}
${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
</form>`;
}

function writeSearchField(form: FilterForm, locale: Locale, menu: Menu, removal = NOTHING): Html {
  const { search, searchAll, searchThis } = locale.words.filters;
  const name = menu === null ? searchAll : searchThis;
  return html`<div class="search">
<label class="sr" for="q">${name}</label>
<input class="field" type="search" id="q" name="q"${valued(textOf(form, 'q'))} placeholder="${name}" dir="auto"${invalid('q', form)}>${removal}
<button type="submit">${search}</button>
</div>${writeProblem('q', form, locale)}`;
}

/**
 * The other fields of the search: those that links for types and years cannot say, which may be elsewhere on the page, or
 * all of them.
 */
export function writeMoreFilters(form: FilterForm, locale: Locale, menu: Menu, isWhole = false): Html {
  const { filters } = locale.words;
  const of = isWhole ? NOTHING : html` form="${SEARCH_FORM}"`;
  const labels = menu?.filter(({ major }) => major !== null) ?? [];
  const list = html`${of}${labels.length > 0 && html` list="labels"`}`;
  return html`<details${isWhole && html` open`}>
<summary>${filters.filters}</summary>
<div class="fields">
${isWhole && writeTypes(form, locale)}
${writeField('since', form, locale, of)}
${writeField('until', form, locale, of)}
${asksForVersions(form, menu) && html`${writeField('from', form, locale, list)}\n${writeField('to', form, locale, list)}`}
${labels.length > 0 && html`<datalist id="labels">${labels.map(({ label }) => html`<option value="${label}"></option>`)}</datalist>`}
<div class="wide checks last">
${isWhole && writeCheck('breaking', form, locale)}
${writeCheck('prerelease', form, locale, of)}
<button type="submit"${of}>${filters.apply}</button>
</div>
</div>
</details>`;
}

/** Only version numbers have an order. With an empty menu, the labels are not known. */
function asksForVersions(form: FilterForm, menu: Menu): boolean {
  const isChosen = textOf(form, 'from') + textOf(form, 'to') !== '';
  return isChosen || menu?.length === 0 || (menu ?? []).some(({ major }) => major !== null);
}

/** All fields of a form, which is sent to its own page. Without a menu, versions are typed. */
export function writeForm(kind: FormKind, form: FilterForm, locale: Locale, menu: Menu = []): Html {
  if (kind === 'changes') return html`<form>\n${writeRangeFields(form, locale, menu ?? [])}\n</form>`;
  const known = kind === 'timeline' ? null : menu;
  return html`<form role="search">
${writeSearchField(form, locale, known)}
${writeMoreFilters(form, locale, known, true)}
</form>`;
}

/** Most comparisons need only two versions. */
function writeRangeFields(form: FilterForm, locale: Locale, menu: readonly MenuVersion[]): Html {
  const { filters } = locale.words;
  const hasVersions = asksForVersions(form, menu);
  const isOpen = !hasVersions || CHOICES.some((name) => textOf(form, name) !== '' || name in form.problems);
  const writeVersion = (name: 'from' | 'to') =>
    menu.some(({ major }) => major !== null)
      ? writeVersionSelect({ name, id: name, chosen: textOf(form, name) }, menu, locale)
      : writeField(name, form, locale);
  return html`<div class="fields pair">
${hasVersions && html`${writeVersion('from')}\n${writeVersion('to')}`}
<details class="wide"${isOpen && html` open`}>
<summary>${filters.filters}</summary>
${writeCheck('breaking', form, locale)}
${writeCheck('prerelease', form, locale)}
${writeTypes(form, locale)}
</details>
<button type="submit">${hasVersions ? filters.compare : filters.apply}</button>
</div>`;
}

/** A version that is not in the menu is added, so that nothing chosen is lost. */
export function writeVersionSelect(
  { name, id, chosen }: Readonly<{ name: 'from' | 'to'; id: string; chosen: string }>,
  menu: readonly MenuVersion[],
  locale: Locale,
): Html {
  const { filters } = locale.words;
  const writeOption = (label: string) =>
    html`<option${label === chosen && html` selected`}>${label}</option>`;
  const groups = groupByMajor(menu).filter(({ major }) => major !== null);
  const isOther = chosen !== '' && !menu.some(({ label }) => label === chosen);
  return html`<div>
<label for="${id}">${filters.fields[name]}</label>
<select class="field" id="${id}" name="${name}">
<option value="">${name === 'from' ? filters.fromFirst : filters.toNewest}</option>
${isOther && writeOption(chosen)}
${groups.map(({ major, versions }) => html`<optgroup label="${major ?? ''}" dir="ltr">\n${versions.map(({ label }) => writeOption(label))}\n</optgroup>`)}
</select>
</div>`;
}

/** The highest first; labels that are not versions last. */
export function groupByMajor(menu: readonly MenuVersion[]) {
  return [...Map.groupBy(menu, ({ major }) => major)]
    .sort(([one], [other]) => Number(other ?? -1) - Number(one ?? -1))
    .map(([major, versions]) => ({ major: major && `${major}.x`, versions }));
}

const DATE = /^(?:\d{4}-\d{2}-\d{2})?$/;

function writeField(name: Field, form: FilterForm, locale: Locale, besides = NOTHING): Html {
  const text = textOf(form, name);
  const isDate = name === 'since' || name === 'until';
  // A date field shows only dates; a timestamp or an invalid value needs a text field.
  const type = isDate && DATE.test(text) ? 'date' : 'text';
  return html`<div>
<label for="${name}">${locale.words.filters.fields[name]}</label>
<input class="field" type="${type}" id="${name}" name="${name}"${valued(text)}${besides}${invalid(name, form)}>${writeProblem(name, form, locale)}
</div>`;
}

const valued = (text: string): Html => (text === '' ? NOTHING : html` value="${text}"`);

function writeTypes(form: FilterForm, locale: Locale): Html {
  const { filters, types: names } = locale.words;
  const types = typesOf(form);
  const boxes = CHANGE_TYPES.map(
    (type, index) =>
      html`<label class="check"><input type="checkbox" name="type" value="${type}"${index === 0 && html` id="type"`}${types.includes(type) && html` checked`}> ${names[type]}</label>`,
  );
  return html`<fieldset class="wide"${form.problems.type !== undefined && html` aria-describedby="type-problem"`}>
<legend>${filters.fields.type}</legend>
<div class="checks">
${boxes}
</div>${writeProblem('type', form, locale)}
</fieldset>`;
}

/** What a box stands for. */
const CHOICE = { breaking: 'true', prerelease: 'false' } as const;

function writeCheck(name: keyof typeof CHOICE, form: FilterForm, locale: Locale, besides = NOTHING): Html {
  const value = CHOICE[name];
  return html`<div>
<label class="check"><input type="checkbox" id="${name}" name="${name}" value="${value}"${textOf(form, name) === value && html` checked`}${besides}${invalid(name, form)}> ${locale.words.filters.fields[name]}</label>${writeProblem(name, form, locale)}
</div>`;
}

function invalid(name: Field, { problems }: FilterForm): Html {
  return name in problems ? html` aria-invalid="true" aria-describedby="${name}-problem"` : NOTHING;
}

function writeProblem(name: Field, { problems }: FilterForm, locale: Locale): Html {
  const problem = problems[name]?.(locale);
  return problem === undefined ? NOTHING : html`<p class="problem" id="${name}-problem">${problem}</p>`;
}

/** All messages, with links to their fields. */
export function writeSummary({ problems }: FilterForm, locale: Locale): Html {
  const { filters, problems: words } = locale.words;
  const items = Object.entries(problems).map(([name, problem]) => {
    const value = problem(locale);
    const field = FIELDS.find((each) => each === name);
    if (field === undefined) return html`<li>${value}</li>`;
    return html`<li><a href="#${name}">${fillHtml(filters.fieldValue, { field: filters.fields[field], value })}</a></li>`;
  });
  return html`<div class="note" role="alert" tabindex="-1" autofocus>
<h2>${words.summary}</h2>
<ul>
${items}
</ul>
</div>`;
}
