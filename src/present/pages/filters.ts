// The filters of a page: the form, and links that set or remove one filter.
import { CHANGE_TYPES, type ChangeType } from '../../domain/model.ts';
import { type Html, html } from '../html/template.ts';
import { headingOf } from '../outputs/groups.ts';
import { NOTHING } from './document.ts';
import { type FilterForm, TEXT_FIELDS, type TextField } from './views.ts';

export type FormKind = 'changelog' | 'changes';

const LABELS: Readonly<Record<TextField, string>> = {
  q: 'Search',
  since: 'Published since',
  until: 'Published until',
  from: 'After version',
  to: 'Up to version',
};

/** The query of a form, `?…`; empty for an empty form. The same filters are one URL, in whatever order they were chosen. */
export function queryOf({ texts, types, withPrereleases }: FilterForm): string {
  const pairs = [
    ...TEXT_FIELDS.filter((name) => texts[name] !== '').map((name): [string, string] => [name, texts[name]]),
    ...CHANGE_TYPES.filter((type) => types.includes(type)).map((type): [string, string] => ['type', type]),
    ...(withPrereleases ? [] : [['prerelease', 'false'] as [string, string]]),
  ];
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

const withTexts = (form: FilterForm, texts: Partial<Record<TextField, string>>): FilterForm => ({
  ...form,
  texts: { ...form.texts, ...texts },
});

const without = (form: FilterForm, type: ChangeType): FilterForm => ({
  ...form,
  types: form.types.filter((other) => other !== type),
});

/**
 * A link to the page with these filters; without any, to the page itself. Crawlers need no combination of filters, and would
 * find thousands of them.
 */
function linkTo(page: string, form: FilterForm): Html {
  const query = queryOf(form);
  return query === '' ? html` href="${page}"` : html` href="${query}" rel="nofollow"`;
}

/** Links that set one filter and keep the others. */
export function writeFilterLinks(page: string, form: FilterForm, years: readonly number[]): Html {
  return html`<nav class="picks" aria-label="Types and years">
${writeTypeLinks(page, form)}
${years.length > 1 && writeYearLinks(page, form, years)}
</nav>`;
}

function writeTypeLinks(page: string, form: FilterForm): Html {
  const links = CHANGE_TYPES.map((type) => {
    const isChosen = form.types.includes(type);
    const next = isChosen ? without(form, type) : { ...form, types: [...form.types, type] };
    return html`<li><a class="dot ${type}"${linkTo(page, next)}${isChosen && html` aria-current="true"`}>${headingOf(type)}</a></li>`;
  });
  return html`<ul class="chips">\n${links}\n</ul>`;
}

function writeYearLinks(page: string, form: FilterForm, years: readonly number[]): Html {
  const links = years.map((year) => {
    const [since, until] = [`${year}-01-01`, `${year}-12-31`];
    const isChosen = yearOf(form) === String(year);
    const next = withTexts(form, isChosen ? { since: '', until: '' } : { since, until });
    return html`<li><a${linkTo(page, next)}${isChosen && html` aria-current="true"`}>${year}</a></li>`;
  });
  return html`<ul class="chips">\n${links}\n</ul>`;
}

/** Each filter that applies, with a link to the page without it. */
export function writeAppliedFilters(page: string, form: FilterForm): Html {
  const links = appliedFilters(form).map(
    ({ text, rest }) =>
      html`<li><a${linkTo(page, rest)}><span class="sr">Remove filter </span><span dir="auto">${text}</span> <span aria-hidden="true">×</span></a></li>`,
  );
  return html`<ul class="chips applied">
<li>Filtered by</li>
${links}
<li><a href="${page}">Clear all</a></li>
</ul>`;
}

type AppliedFilter = Readonly<{ text: string; rest: FilterForm }>;

function appliedFilters(form: FilterForm): AppliedFilter[] {
  const year = yearOf(form);
  const fields = TEXT_FIELDS.filter((name) => form.texts[name] !== '');
  return [
    ...(year === null ? [] : [{ text: year, rest: withTexts(form, { since: '', until: '' }) }]),
    ...fields
      .filter((name) => year === null || (name !== 'since' && name !== 'until'))
      .map((name) => ({
        text: `${LABELS[name]}: ${form.texts[name]}`,
        rest: withTexts(form, { [name]: '' }),
      })),
    ...form.types.map((type) => ({ text: headingOf(type), rest: without(form, type) })),
    ...(form.withPrereleases ? [] : [{ text: 'No prereleases', rest: { ...form, withPrereleases: true } }]),
  ];
}

/** The year whose link is chosen. */
function yearOf({ texts: { since, until } }: FilterForm): string | null {
  const year = since.slice(0, 4);
  return /^\d{4}$/.test(year) && since === `${year}-01-01` && until === `${year}-12-31` ? year : null;
}

/** Without `action`, a form is sent to its own page. `labels` are suggested where a version is asked for. */
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
  const { texts, problems } = form;
  return html`<div class="search">
<label class="sr" for="q">Search this changelog</label>
<input class="field" type="search" id="q" name="q"${valued(texts.q)} placeholder="Search this changelog" dir="auto"${invalid('q', problems)}>
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
${writePrerelease(form)}
<button type="submit">Apply filters</button>
</div>
</div>
</details>`;
}

/** Does a field have a value, or a problem, that the rest of the page does not show: by a link of a type or a year? */
function hasHiddenValue(form: FilterForm): boolean {
  const { since, until, from, to } = form.texts;
  const hasDates = since + until !== '' && yearOf(form) === null;
  const hasProblem = Object.keys(form.problems).some((name) => name !== 'q');
  return hasDates || from + to !== '' || !form.withPrereleases || hasProblem;
}

/** Two versions are all that most comparisons need. */
function writeRangeFields(form: FilterForm, labels: readonly string[]): Html {
  const { types, withPrereleases, problems } = form;
  const isOpen = types.length > 0 || !withPrereleases || 'type' in problems || 'prerelease' in problems;
  return html`<div class="fields pair">
${writeVersionField('from', form, labels)}
${writeVersionField('to', form, labels)}
<details class="wide"${isOpen && html` open`}>
<summary>Filters</summary>
${writePrerelease(form)}
${writeTypes(form)}
</details>
<button type="submit">Compare</button>
</div>`;
}

const DATE = /^(?:\d{4}-\d{2}-\d{2})?$/;

function writeVersionField(name: TextField, form: FilterForm, labels: readonly string[]): Html {
  return writeField(name, form, labels.length > 0 ? html` list="labels"` : NOTHING);
}

function writeField(name: TextField, { texts, problems }: FilterForm, besides = NOTHING): Html {
  const isDate = name === 'since' || name === 'until';
  // A date field shows nothing but dates; a timestamp, or a value that is not valid, needs a text field.
  const type = isDate && DATE.test(texts[name]) ? 'date' : 'text';
  return html`<div>
<label for="${name}">${LABELS[name]}</label>
<input class="field" type="${type}" id="${name}" name="${name}"${valued(texts[name])}${besides}${invalid(name, problems)}>${writeProblem(name, problems)}
</div>`;
}

const valued = (text: string): Html => (text === '' ? NOTHING : html` value="${text}"`);

function writeTypes({ types, problems }: FilterForm): Html {
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

function writePrerelease({ withPrereleases, problems }: FilterForm): Html {
  return html`<div>
<label class="check"><input type="checkbox" id="prerelease" name="prerelease" value="false"${!withPrereleases && html` checked`}${invalid('prerelease', problems)}> Hide prereleases</label>${writeProblem('prerelease', problems)}
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

const fieldName = (name: string): string => {
  if (name === 'type') return 'Types of changes';
  return name === 'prerelease' ? 'Hide prereleases' : LABELS[name as TextField];
};

const FIELDS: Readonly<Record<FormKind, readonly string[]>> = {
  changelog: [...TEXT_FIELDS, 'type', 'prerelease'],
  changes: ['from', 'to', 'type', 'prerelease'],
};

/** All messages, with links to their fields. */
export function writeSummary(kind: FormKind, { problems }: FilterForm): Html {
  const items = Object.entries(problems).map(([name, message]) =>
    FIELDS[kind].includes(name)
      ? html`<li><a href="#${name}">${fieldName(name)}: ${message}</a></li>`
      : html`<li>${message}</li>`,
  );
  return html`<div class="note" role="alert" tabindex="-1" autofocus>
<h2>Please correct this</h2>
<ul>
${items}
</ul>
</div>`;
}
