// A page's filters: what a form's values mean, and the form itself. Links that set one filter are in product/chips.ts.
import { CHANGE_TYPES, type ChangeType } from '../../domain/model.ts';
import type { MenuVersion } from '../../store/read/outline.ts';
import { type Html, html } from '../html/template.ts';
import { fill, fillHtml, type Locale } from '../words/locale.ts';
import { NOTHING } from './document.ts';
import { writeVersionSelect } from './product/version-lists.ts';
import type { FilterForm } from './views.ts';

export type FormKind = 'changelog' | 'timeline' | 'changes';

/** The fields, in query order. */
const FIELDS = ['q', 'since', 'until', 'from', 'to', 'type', 'breaking', 'prerelease'] as const;
type Field = (typeof FIELDS)[number];

const textOf = ({ values }: FilterForm, name: Field): string => values[name]?.[0] ?? '';
const typesOf = ({ values }: FilterForm): ChangeType[] =>
  CHANGE_TYPES.filter((type) => values.type?.includes(type));

/** A form's query, `?…`; empty for an empty form. The same filters have one URL, in whatever order they were chosen. */
export function queryOf(form: FilterForm): string {
  const pairs = FIELDS.flatMap((name) => {
    const values = name === 'type' ? typesOf(form) : (form.values[name] ?? []);
    return values.map((value): [string, string] => [name, value]);
  });
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

const withValues = (form: FilterForm, values: Partial<Record<Field, readonly string[]>>): FilterForm => ({
  ...form,
  values: { ...form.values, ...values },
});

export const NO_FORM: FilterForm = { values: {}, problems: {} };

export type Mark = ChangeType | 'breaking';

/** The types that are chosen, and whether only breaking changes are. */
export function marksOf(form: FilterForm): Mark[] {
  return [...typesOf(form), ...(onlyBreaking(form) ? ['breaking' as const] : [])];
}

export function withMark(form: FilterForm, mark: Mark, isChosen: boolean): FilterForm {
  if (mark === 'breaking') return withValues(form, { breaking: isChosen ? ['true'] : [] });
  const others = typesOf(form).filter((type) => type !== mark);
  return withValues(form, { type: isChosen ? [...others, mark] : others });
}

export function withYear(form: FilterForm, year: string | null): FilterForm {
  const [since, until] = year === null ? [[], []] : [[`${year}-01-01`], [`${year}-12-31`]];
  return withValues(form, { since, until });
}

/** The start or the end of a day. */
const DAY_BOUNDARY = /T(?:00:00:00\.000|23:59:59\.999)Z$/;

/** Each filter of a normalised query in words, for titles. */
export function filterTexts(query: string, locale: Locale): string[] {
  const pairs = [...new URLSearchParams(query)];
  const values = Object.fromEntries(
    FIELDS.map((field) => [
      field,
      pairs.filter(([name]) => name === field).map(([, value]) => value.replace(DAY_BOUNDARY, '')),
    ]),
  );
  return appliedFilters({ values, problems: {} }, locale).map(({ text }) => text);
}

/** An active filter, and the form without it. */
export type AppliedFilter = Readonly<{ field: Field | 'year'; text: string; rest: FilterForm }>;

export function appliedFilters(form: FilterForm, { words: { filters, types } }: Locale): AppliedFilter[] {
  const year = yearOf(form);
  const fields = FIELDS.filter((name) => !CHOICES.includes(name) && textOf(form, name) !== '');
  return [
    ...(year === null ? [] : [{ field: 'year' as const, text: year, rest: withYear(form, null) }]),
    ...fields
      .filter((name) => year === null || (name !== 'since' && name !== 'until'))
      .map((field) => ({
        field,
        text: fill(filters.fieldValue, { field: filters.fields[field], value: textOf(form, field) }),
        rest: withValues(form, { [field]: [] }),
      })),
    ...marksOf(form).map((mark) => ({
      field: mark === 'breaking' ? mark : ('type' as const),
      text: mark === 'breaking' ? filters.onlyBreaking : types[mark],
      rest: withMark(form, mark, false),
    })),
    ...(hidesPrereleases(form)
      ? [
          {
            field: 'prerelease' as const,
            text: filters.noPrereleases,
            rest: withValues(form, { prerelease: [] }),
          },
        ]
      : []),
  ];
}

const CHOICES: readonly Field[] = ['type', 'breaking', 'prerelease'];
const hidesPrereleases = (form: FilterForm) => textOf(form, 'prerelease') === 'false';
const onlyBreaking = (form: FilterForm) => textOf(form, 'breaking') === 'true';

/** The selected year. */
export function yearOf(form: FilterForm): string | null {
  const [since, until] = [textOf(form, 'since'), textOf(form, 'until')];
  const year = since.slice(0, 4);
  return /^\d{4}$/.test(year) && since === `${year}-01-01` && until === `${year}-12-31` ? year : null;
}

type SearchOptions = Readonly<{
  /** A link to the page without the words. */
  removal: Html;
  /** By default its own page. */
  action?: string | null;
  /** By default the name of one changelog's search. */
  name?: string;
}>;

/** The search field of a page. Filters that are chosen by a link stay. */
export function writeSearch(
  form: FilterForm,
  locale: Locale,
  { removal, action = null, name = locale.words.filters.searchThis }: SearchOptions,
): Html {
  const chosen = { type: typesOf(form).join(','), breaking: textOf(form, 'breaking') };
  const kept = Object.entries(chosen).filter(([, value]) => value !== '');
  return html`<form id="${SEARCH_FORM}" role="search"${action !== null && html` action="${action}"`}>
${writeSearchField(form, locale, removal, name)}
${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
</form>`;
}

const SEARCH_FORM = 'find';

/** The newest versions to choose from; null if those of several products are listed, whose order says nothing. */
type Menu = readonly MenuVersion[] | null;

/** The other fields of the search, which may be elsewhere on the page: what links for types and years cannot say. */
export function writeMoreFilters(form: FilterForm, locale: Locale, menu: Menu): Html {
  const of = html` form="${SEARCH_FORM}"`;
  const { filters } = locale.words;
  return html`<details>
<summary>${filters.filters}</summary>
<div class="fields">
${writeRestrictions(form, locale, of, menu)}
<div class="wide checks last">
${writeCheck('prerelease', 'false', form, locale, of)}
<button type="submit"${of}>${filters.apply}</button>
</div>
</div>
</details>`;
}

function writeRestrictions(form: FilterForm, locale: Locale, besides: Html, menu: Menu): Html {
  const labels = menu?.filter(({ major }) => major !== null) ?? [];
  const list = html`${besides}${labels.length > 0 && html` list="labels"`}`;
  return html`${writeField('since', form, locale, besides)}
${writeField('until', form, locale, besides)}
${asksForVersions(form, menu) && html`${writeField('from', form, locale, list)}\n${writeField('to', form, locale, list)}`}
${labels.length > 0 && html`<datalist id="labels">${labels.map(({ label }) => html`<option value="${label}"></option>`)}</datalist>`}`;
}

/** Only version numbers have an order. With an empty menu, the labels are not known. */
function asksForVersions(form: FilterForm, menu: Menu): boolean {
  const isChosen = textOf(form, 'from') + textOf(form, 'to') !== '';
  return isChosen || menu?.length === 0 || (menu ?? []).some(({ major }) => major !== null);
}

/** All fields of a form. Without `action` it is sent to its own page. Without a menu, versions are typed. */
export function writeForm(
  kind: FormKind,
  form: FilterForm,
  locale: Locale,
  menu: readonly MenuVersion[] = [],
): Html {
  const isSearch = kind !== 'changes';
  return html`<form${isSearch && html` role="search"`}>
${isSearch ? writeAllFields(form, locale, kind === 'timeline') : writeRangeFields(form, locale, menu)}
</form>`;
}

function writeSearchField(form: FilterForm, locale: Locale, removal: Html, name: string): Html {
  const { filters } = locale.words;
  return html`<div class="search">
<label class="sr" for="q">${name}</label>
<input class="field" type="search" id="q" name="q"${valued(textOf(form, 'q'))} placeholder="${name}" dir="auto"${invalid('q', form)}>${removal}
<button type="submit">${filters.search}</button>
</div>${writeProblem('q', form, locale)}`;
}

function writeAllFields(form: FilterForm, locale: Locale, ofTeam: boolean): Html {
  const { filters } = locale.words;
  return html`${writeSearchField(form, locale, NOTHING, ofTeam ? filters.searchAll : filters.searchThis)}
<details open>
<summary>${filters.filters}</summary>
<div class="fields">
${writeTypes(form, locale)}
${writeRestrictions(form, locale, NOTHING, ofTeam ? null : [])}
<div class="wide checks last">
${writeChecks(form, locale)}
<button type="submit">${filters.apply}</button>
</div>
</div>
</details>`;
}

/** Most comparisons need only two versions. */
function writeRangeFields(form: FilterForm, locale: Locale, menu: readonly MenuVersion[]): Html {
  const { filters } = locale.words;
  const { problems } = form;
  const hasVersions = asksForVersions(form, menu);
  const isOpen =
    !hasVersions ||
    marksOf(form).length > 0 ||
    hidesPrereleases(form) ||
    CHOICES.some((name) => name in problems);
  const writeVersion = (name: 'from' | 'to') =>
    menu.some(({ major }) => major !== null)
      ? writeVersionSelect({ name, id: name, chosen: textOf(form, name) }, menu, locale)
      : writeField(name, form, locale);
  return html`<div class="fields pair">
${hasVersions && html`${writeVersion('from')}\n${writeVersion('to')}`}
<details class="wide"${isOpen && html` open`}>
<summary>${filters.filters}</summary>
${writeChecks(form, locale)}
${writeTypes(form, locale)}
</details>
<button type="submit">${hasVersions ? filters.compare : filters.apply}</button>
</div>`;
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
  const { problems } = form;
  const types = typesOf(form);
  const boxes = CHANGE_TYPES.map(
    (type, index) =>
      html`<label class="check"><input type="checkbox" name="type" value="${type}"${index === 0 && html` id="type"`}${types.includes(type) && html` checked`}> ${names[type]}</label>`,
  );
  return html`<fieldset class="wide"${problems.type !== undefined && html` aria-describedby="type-problem"`}>
<legend>${filters.fields.type}</legend>
<div class="checks">
${boxes}
</div>${writeProblem('type', form, locale)}
</fieldset>`;
}

function writeChecks(form: FilterForm, locale: Locale): Html {
  return html`${writeCheck('breaking', 'true', form, locale)}
${writeCheck('prerelease', 'false', form, locale)}`;
}

function writeCheck(
  name: 'breaking' | 'prerelease',
  value: string,
  form: FilterForm,
  locale: Locale,
  besides = NOTHING,
): Html {
  return html`<div>
<label class="check"><input type="checkbox" id="${name}" name="${name}" value="${value}"${textOf(form, name) === value && html` checked`}${besides}${invalid(name, form)}> ${locale.words.filters.fields[name]}</label>${writeProblem(name, form, locale)}
</div>`;
}

function invalid(name: string, { problems }: FilterForm): Html {
  return problems[name] === undefined
    ? NOTHING
    : html` aria-invalid="true" aria-describedby="${name}-problem"`;
}

function writeProblem(name: string, { problems }: FilterForm, locale: Locale): Html {
  const problem = problems[name];
  return problem === undefined
    ? NOTHING
    : html`<p class="problem" id="${name}-problem">${problem(locale)}</p>`;
}

const FIELDS_OF: Readonly<Record<FormKind, readonly string[]>> = {
  changelog: FIELDS,
  timeline: FIELDS,
  changes: ['from', 'to', ...CHOICES],
};

/** All messages, with links to their fields. */
export function writeSummary(kind: FormKind, { problems }: FilterForm, locale: Locale): Html {
  const { filters, problems: words } = locale.words;
  const items = Object.entries(problems).map(([name, problem]) => {
    const value = problem(locale);
    if (!FIELDS_OF[kind].includes(name)) return html`<li>${value}</li>`;
    const field = filters.fields[name as Field];
    return html`<li><a href="#${name}">${fillHtml(filters.fieldValue, { field, value })}</a></li>`;
  });
  return html`<div class="note" role="alert" tabindex="-1" autofocus>
<h2>${words.summary}</h2>
<ul>
${items}
</ul>
</div>`;
}
