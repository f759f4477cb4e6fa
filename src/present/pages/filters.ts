// A page's filters: the form, and links that set or remove one filter.
import { CHANGE_TYPES, type ChangeType } from '../../domain/model.ts';
import { type Html, html } from '../html/template.ts';
import type { PageLinks } from '../links.ts';
import { fill, type Locale } from '../words/locale.ts';
import { NOTHING } from './document.ts';
import type { ChangelogView, FilterForm } from './views.ts';

export type FormKind = 'changelog' | 'changes';

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

const without = (form: FilterForm, type: ChangeType): FilterForm =>
  withValues(form, { type: typesOf(form).filter((other) => other !== type) });

/**
 * A link to the page with these filters, if any. Crawlers need no combinations of filters, and would find thousands.
 */
function linkTo({ filtered }: PageLinks, form: FilterForm): Html {
  const query = queryOf(form);
  return html` href="${filtered(query)}"${query !== '' && html` rel="nofollow"`}`;
}

type FilterLinks = Pick<ChangelogView, 'form' | 'types' | 'years'> &
  Readonly<{
    links: PageLinks;
    locale: Locale;
    /** A static site has a page for each filter, but none for several at once. */
    isStatic: boolean;
  }>;

/** Links that set one filter and keep the others. */
export function writeFilterLinks(filters: FilterLinks): Html {
  return html`<nav class="picks" aria-label="${filters.locale.words.regions.typesAndYears}">
${filters.types.length > 0 && writeTypeLinks(filters)}
${filters.years.length > 1 && writeYearLinks(filters)}
</nav>`;
}

function writeTypeLinks({ links: page, form, types, isStatic, locale: { words } }: FilterLinks): Html {
  const kept = isStatic ? NO_FORM : form;
  const links = types.map((type) => {
    const isChosen = typesOf(form).includes(type);
    const next = isChosen ? without(kept, type) : withValues(kept, { type: [...typesOf(kept), type] });
    return html`<li><a class="dot ${type}"${linkTo(page, next)}${isChosen && html` aria-current="true"`}>${words.types[type]}</a></li>`;
  });
  return html`<ul class="chips">\n${links}\n</ul>`;
}

const NO_FORM: FilterForm = { values: {}, problems: {} };
const NO_DATES = { since: [], until: [] };

function writeYearLinks({ links: page, form, years, isStatic }: FilterLinks): Html {
  const kept = isStatic ? NO_FORM : form;
  const links = years.map((year) => {
    const isChosen = yearOf(form) === year;
    const next = withValues(
      kept,
      isChosen ? NO_DATES : { since: [`${year}-01-01`], until: [`${year}-12-31`] },
    );
    return html`<li><a${linkTo(page, next)}${isChosen && html` aria-current="true"`}>${year}</a></li>`;
  });
  return html`<ul class="chips">\n${links}\n</ul>`;
}

/** Each active filter, with a link to the page without it. */
export function writeAppliedFilters(page: PageLinks, form: FilterForm, locale: Locale): Html {
  const { filters } = locale.words;
  const links = appliedFilters(form, locale).map(
    ({ text, rest }) =>
      html`<li><a${linkTo(page, rest)} aria-label="${fill(filters.remove, { filter: text })}"><span dir="auto">${text}</span> <span aria-hidden="true">×</span></a></li>`,
  );
  return html`<ul class="chips applied">
<li>${filters.filteredBy}</li>
${links}
<li><a href="${page.changelog}">${filters.clearAll}</a></li>
</ul>`;
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

type AppliedFilter = Readonly<{ text: string; rest: FilterForm }>;

function appliedFilters(form: FilterForm, { words: { filters, types } }: Locale): AppliedFilter[] {
  const year = yearOf(form);
  const fields = FIELDS.filter((name) => !CHOICES.includes(name) && textOf(form, name) !== '');
  return [
    ...(year === null ? [] : [{ text: year, rest: withValues(form, NO_DATES) }]),
    ...fields
      .filter((name) => year === null || (name !== 'since' && name !== 'until'))
      .map((name) => ({
        text: fill(filters.fieldValue, { field: filters.fields[name], value: textOf(form, name) }),
        rest: withValues(form, { [name]: [] }),
      })),
    ...typesOf(form).map((type) => ({ text: types[type], rest: without(form, type) })),
    ...(onlyBreaking(form) ? [{ text: filters.onlyBreaking, rest: withValues(form, { breaking: [] }) }] : []),
    ...(hidesPrereleases(form)
      ? [{ text: filters.noPrereleases, rest: withValues(form, { prerelease: [] }) }]
      : []),
  ];
}

const CHOICES: readonly Field[] = ['type', 'breaking', 'prerelease'];
const hidesPrereleases = (form: FilterForm) => textOf(form, 'prerelease') === 'false';
const onlyBreaking = (form: FilterForm) => textOf(form, 'breaking') === 'true';

/** The selected year. */
function yearOf(form: FilterForm): string | null {
  const [since, until] = [textOf(form, 'since'), textOf(form, 'until')];
  const year = since.slice(0, 4);
  return /^\d{4}$/.test(year) && since === `${year}-01-01` && until === `${year}-12-31` ? year : null;
}

/** A form without `action` is sent to its own page. `labels` are suggestions for version fields. */
export function writeForm(
  kind: FormKind,
  form: FilterForm,
  locale: Locale,
  labels: readonly string[] = [],
): Html {
  return html`<form${kind === 'changelog' && html` role="search"`}>
${kind === 'changelog' ? writeSearchFields(form, locale, labels) : writeRangeFields(form, locale, labels)}
${
  labels.length > 0 &&
  html`<datalist id="labels">${labels.map((label) => html`<option value="${label}"></option>`)}</datalist>
`
}</form>`;
}

function writeSearchFields(form: FilterForm, locale: Locale, labels: readonly string[]): Html {
  const { filters } = locale.words;
  return html`<div class="search">
<label class="sr" for="q">${filters.searchThis}</label>
<input class="field" type="search" id="q" name="q"${valued(textOf(form, 'q'))} placeholder="${filters.searchThis}" dir="auto"${invalid('q', form)}>
<button type="submit">${filters.search}</button>
</div>${writeProblem('q', form, locale)}
<details${hasHiddenValue(form) && html` open`}>
<summary>${filters.filters}</summary>
<div class="fields">
${writeTypes(form, locale)}
${writeField('since', form, locale)}
${writeField('until', form, locale)}
${writeVersionField('from', form, locale, labels)}
${writeVersionField('to', form, locale, labels)}
<div class="wide checks last">
${writeChecks(form, locale)}
<button type="submit">${filters.apply}</button>
</div>
</div>
</details>`;
}

/** Whether a field has a value or a problem that the links for types and years do not show. */
function hasHiddenValue(form: FilterForm): boolean {
  const has = (name: Field) => textOf(form, name) !== '';
  const hasDates = (has('since') || has('until')) && yearOf(form) === null;
  const hasProblem = Object.keys(form.problems).some((name) => name !== 'q');
  return hasDates || has('from') || has('to') || onlyBreaking(form) || hidesPrereleases(form) || hasProblem;
}

/** Most comparisons need only two versions. */
function writeRangeFields(form: FilterForm, locale: Locale, labels: readonly string[]): Html {
  const { filters } = locale.words;
  const { problems } = form;
  const isOpen =
    typesOf(form).length > 0 ||
    onlyBreaking(form) ||
    hidesPrereleases(form) ||
    CHOICES.some((name) => name in problems);
  return html`<div class="fields pair">
${writeVersionField('from', form, locale, labels)}
${writeVersionField('to', form, locale, labels)}
<details class="wide"${isOpen && html` open`}>
<summary>${filters.filters}</summary>
${writeChecks(form, locale)}
${writeTypes(form, locale)}
</details>
<button type="submit">${filters.compare}</button>
</div>`;
}

const DATE = /^(?:\d{4}-\d{2}-\d{2})?$/;

function writeVersionField(name: Field, form: FilterForm, locale: Locale, labels: readonly string[]): Html {
  return writeField(name, form, locale, labels.length > 0 ? html` list="labels"` : NOTHING);
}

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

function writeCheck(name: 'breaking' | 'prerelease', value: string, form: FilterForm, locale: Locale): Html {
  return html`<div>
<label class="check"><input type="checkbox" id="${name}" name="${name}" value="${value}"${textOf(form, name) === value && html` checked`}${invalid(name, form)}> ${locale.words.filters.fields[name]}</label>${writeProblem(name, form, locale)}
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
  changes: ['from', 'to', ...CHOICES],
};

/** All messages, with links to their fields. */
export function writeSummary(kind: FormKind, { problems }: FilterForm, locale: Locale): Html {
  const { filters, problems: words } = locale.words;
  const items = Object.entries(problems).map(([name, problem]) => {
    const value = problem(locale);
    if (!FIELDS_OF[kind].includes(name)) return html`<li>${value}</li>`;
    const field = filters.fields[name as Field];
    return html`<li><a href="#${name}">${fill(filters.fieldValue, { field, value })}</a></li>`;
  });
  return html`<div class="note" role="alert" tabindex="-1" autofocus>
<h2>${words.summary}</h2>
<ul>
${items}
</ul>
</div>`;
}
