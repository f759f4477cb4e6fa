// A page's filters: the form, and links that set or remove one filter.
import { CHANGE_TYPES, type ChangeType } from '../../domain/model.ts';
import { type Html, html } from '../html/template.ts';
import type { PageLinks } from '../links.ts';
import { headingOf } from '../outputs/groups.ts';
import { NOTHING } from './document.ts';
import type { ChangelogView, FilterForm } from './views.ts';

export type FormKind = 'changelog' | 'changes';

/** The fields, in query order. */
const LABELS = {
  q: 'Search',
  since: 'Published since',
  until: 'Published until',
  from: 'After version',
  to: 'Up to version',
  type: 'Types of changes',
  breaking: 'Only breaking changes',
  prerelease: 'Hide prereleases',
} as const;
type Field = keyof typeof LABELS;
const FIELDS = Object.keys(LABELS) as Field[];

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
    /** A static site has a page for each filter, but none for several at once. */
    isStatic: boolean;
  }>;

/** Links that set one filter and keep the others. */
export function writeFilterLinks(filters: FilterLinks): Html {
  return html`<nav class="picks" aria-label="Types and years">
${filters.types.length > 0 && writeTypeLinks(filters)}
${filters.years.length > 1 && writeYearLinks(filters)}
</nav>`;
}

function writeTypeLinks({ links: page, form, types, isStatic }: FilterLinks): Html {
  const kept = isStatic ? NO_FORM : form;
  const links = types.map((type) => {
    const isChosen = typesOf(form).includes(type);
    const next = isChosen ? without(kept, type) : withValues(kept, { type: [...typesOf(kept), type] });
    return html`<li><a class="dot ${type}"${linkTo(page, next)}${isChosen && html` aria-current="true"`}>${headingOf(type)}</a></li>`;
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
export function writeAppliedFilters(page: PageLinks, form: FilterForm): Html {
  const links = appliedFilters(form).map(
    ({ text, rest }) =>
      html`<li><a${linkTo(page, rest)}><span class="sr">Remove filter </span><span dir="auto">${text}</span> <span aria-hidden="true">×</span></a></li>`,
  );
  return html`<ul class="chips applied">
<li>Filtered by</li>
${links}
<li><a href="${page.changelog}">Clear all</a></li>
</ul>`;
}

/** The start or the end of a day. */
const DAY_BOUNDARY = /T(?:00:00:00\.000|23:59:59\.999)Z$/;

/** Each filter of a normalised query in words, for titles. */
export function filterTexts(query: string): string[] {
  const pairs = [...new URLSearchParams(query)];
  const values = Object.fromEntries(
    FIELDS.map((field) => [
      field,
      pairs.filter(([name]) => name === field).map(([, value]) => value.replace(DAY_BOUNDARY, '')),
    ]),
  );
  return appliedFilters({ values, problems: {} }).map(({ text }) => text);
}

type AppliedFilter = Readonly<{ text: string; rest: FilterForm }>;

function appliedFilters(form: FilterForm): AppliedFilter[] {
  const year = yearOf(form);
  const fields = FIELDS.filter((name) => !CHOICES.includes(name) && textOf(form, name) !== '');
  return [
    ...(year === null ? [] : [{ text: year, rest: withValues(form, NO_DATES) }]),
    ...fields
      .filter((name) => year === null || (name !== 'since' && name !== 'until'))
      .map((name) => ({
        text: `${LABELS[name]}: ${textOf(form, name)}`,
        rest: withValues(form, { [name]: [] }),
      })),
    ...typesOf(form).map((type) => ({ text: headingOf(type), rest: without(form, type) })),
    ...(onlyBreaking(form) ? [{ text: 'Breaking', rest: withValues(form, { breaking: [] }) }] : []),
    ...(hidesPrereleases(form)
      ? [{ text: 'No prereleases', rest: withValues(form, { prerelease: [] }) }]
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
export function writeForm(kind: FormKind, form: FilterForm, labels: readonly string[] = []): Html {
  return html`<form${kind === 'changelog' && html` role="search"`}>
${kind === 'changelog' ? writeSearchFields(form, labels) : writeRangeFields(form, labels)}
${
  labels.length > 0 &&
  html`<datalist id="labels">${labels.map((label) => html`<option value="${label}"></option>`)}</datalist>
`
}</form>`;
}

function writeSearchFields(form: FilterForm, labels: readonly string[]): Html {
  const { problems } = form;
  return html`<div class="search">
<label class="sr" for="q">Search this changelog</label>
<input class="field" type="search" id="q" name="q"${valued(textOf(form, 'q'))} placeholder="Search this changelog" dir="auto"${invalid('q', problems)}>
<button type="submit">Search</button>
</div>${writeProblem('q', problems)}
<details${hasHiddenValue(form) && html` open`}>
<summary>Filters</summary>
<div class="fields">
${writeTypes(form)}
${writeField('since', form)}
${writeField('until', form)}
${writeVersionField('from', form, labels)}
${writeVersionField('to', form, labels)}
<div class="wide checks last">
${writeChecks(form)}
<button type="submit">Apply filters</button>
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
function writeRangeFields(form: FilterForm, labels: readonly string[]): Html {
  const { problems } = form;
  const isOpen =
    typesOf(form).length > 0 ||
    onlyBreaking(form) ||
    hidesPrereleases(form) ||
    CHOICES.some((name) => name in problems);
  return html`<div class="fields pair">
${writeVersionField('from', form, labels)}
${writeVersionField('to', form, labels)}
<details class="wide"${isOpen && html` open`}>
<summary>Filters</summary>
${writeChecks(form)}
${writeTypes(form)}
</details>
<button type="submit">Compare</button>
</div>`;
}

const DATE = /^(?:\d{4}-\d{2}-\d{2})?$/;

function writeVersionField(name: Field, form: FilterForm, labels: readonly string[]): Html {
  return writeField(name, form, labels.length > 0 ? html` list="labels"` : NOTHING);
}

function writeField(name: Field, form: FilterForm, besides = NOTHING): Html {
  const { problems } = form;
  const text = textOf(form, name);
  const isDate = name === 'since' || name === 'until';
  // A date field shows only dates; a timestamp or an invalid value needs a text field.
  const type = isDate && DATE.test(text) ? 'date' : 'text';
  return html`<div>
<label for="${name}">${LABELS[name]}</label>
<input class="field" type="${type}" id="${name}" name="${name}"${valued(text)}${besides}${invalid(name, problems)}>${writeProblem(name, problems)}
</div>`;
}

const valued = (text: string): Html => (text === '' ? NOTHING : html` value="${text}"`);

function writeTypes(form: FilterForm): Html {
  const { problems } = form;
  const types = typesOf(form);
  const boxes = CHANGE_TYPES.map(
    (type, index) =>
      html`<label class="check"><input type="checkbox" name="type" value="${type}"${index === 0 && html` id="type"`}${types.includes(type) && html` checked`}> ${headingOf(type)}</label>`,
  );
  return html`<fieldset class="wide"${problems.type !== undefined && html` aria-describedby="type-problem"`}>
<legend>Types of changes</legend>
<div class="checks">
${boxes}
</div>${writeProblem('type', problems)}
</fieldset>`;
}

function writeChecks(form: FilterForm): Html {
  return html`${writeCheck('breaking', 'true', form)}
${writeCheck('prerelease', 'false', form)}`;
}

function writeCheck(name: 'breaking' | 'prerelease', value: string, form: FilterForm): Html {
  const { problems } = form;
  return html`<div>
<label class="check"><input type="checkbox" id="${name}" name="${name}" value="${value}"${textOf(form, name) === value && html` checked`}${invalid(name, problems)}> ${LABELS[name]}</label>${writeProblem(name, problems)}
</div>`;
}

function invalid(name: string, problems: FilterForm['problems']): Html {
  return problems[name] === undefined
    ? NOTHING
    : html` aria-invalid="true" aria-describedby="${name}-problem"`;
}

function writeProblem(name: string, problems: FilterForm['problems']): Html {
  const message = problems[name];
  return message === undefined ? NOTHING : html`<p class="problem" id="${name}-problem">${message}</p>`;
}

const FIELDS_OF: Readonly<Record<FormKind, readonly string[]>> = {
  changelog: FIELDS,
  changes: ['from', 'to', ...CHOICES],
};

/** All messages, with links to their fields. */
export function writeSummary(kind: FormKind, { problems }: FilterForm): Html {
  const items = Object.entries(problems).map(([name, message]) =>
    FIELDS_OF[kind].includes(name)
      ? html`<li><a href="#${name}">${LABELS[name as Field]}: ${message}</a></li>`
      : html`<li>${message}</li>`,
  );
  return html`<div class="note" role="alert" tabindex="-1" autofocus>
<h2>Please correct this</h2>
<ul>
${items}
</ul>
</div>`;
}
