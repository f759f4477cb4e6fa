// The filters of a page: the form, and links that set or remove one filter.
import { CHANGE_TYPES, type ChangeType } from '../../domain/model.ts';
import { headingOf } from '../feeds/groups.ts';
import { type Html, html } from '../html/template.ts';
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

const NO_TEXTS = { q: '', since: '', until: '', from: '', to: '' } as const;

/** The query of a form, `?…`; empty for an empty form. */
export function queryOf({ texts, types, withPrereleases }: FilterForm): string {
  const pairs = [
    ...TEXT_FIELDS.filter((name) => texts[name] !== '').map((name): [string, string] => [name, texts[name]]),
    ...types.map((type): [string, string] => ['type', type]),
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

/** A link to the page with these filters; without any, to the page itself. */
const linkTo = (page: string, form: FilterForm): string => queryOf(form) || page;

export function writeTypeLinks(page: string, form: FilterForm): Html {
  const links = CHANGE_TYPES.map((type) => {
    const isChosen = form.types.includes(type);
    const next = isChosen ? without(form, type) : { ...form, types: [...form.types, type] };
    return html`<li><a class="dot ${type}" href="${linkTo(page, next)}"${isChosen && html` aria-current="true"`}>${headingOf(type)}</a></li>`;
  });
  return html`<ul class="chips" aria-label="Types of changes">\n${links}\n</ul>`;
}

export function writeYearLinks(page: string, form: FilterForm, years: readonly number[]): Html {
  if (years.length < 2 && form.texts.since === '' && form.texts.until === '') return NOTHING;
  const links = years.map((year) => {
    const [since, until] = [`${year}-01-01`, `${year}-12-31`];
    const isChosen = form.texts.since === since && form.texts.until === until;
    const next = withTexts(form, isChosen ? { since: '', until: '' } : { since, until });
    return html`<li><a href="${linkTo(page, next)}"${isChosen && html` aria-current="true"`}>${year}</a></li>`;
  });
  return html`<ul class="chips years" aria-label="Years">\n${links}\n</ul>`;
}

/** Each filter that applies, with a link to the page without it. */
export function writeAppliedFilters(page: string, form: FilterForm): Html {
  const applied = [
    ...TEXT_FIELDS.filter((name) => form.texts[name] !== '').map((name) => ({
      text: `${LABELS[name]}: ${form.texts[name]}`,
      rest: withTexts(form, { [name]: '' }),
    })),
    ...form.types.map((type) => ({ text: headingOf(type), rest: without(form, type) })),
    ...(form.withPrereleases ? [] : [{ text: 'No prereleases', rest: { ...form, withPrereleases: true } }]),
  ];
  if (applied.length === 0) return NOTHING;
  const links = applied.map(
    ({ text, rest }) =>
      html`<li><a href="${linkTo(page, rest)}"><span class="sr">Remove filter </span><span dir="auto">${text}</span> <span aria-hidden="true">×</span></a></li>`,
  );
  return html`<ul class="chips applied" aria-label="Filters that apply">\n${links}\n<li><a href="${page}">Clear all</a></li>\n</ul>`;
}

export const NO_FILTERS: FilterForm = { texts: NO_TEXTS, types: [], withPrereleases: true, problems: {} };

/** Without `action`, a form is sent to its own page. */
export function writeForm(kind: FormKind, form: FilterForm): Html {
  return kind === 'changelog' ? writeSearchForm(form) : writeRangeForm(form);
}

function writeSearchForm(form: FilterForm): Html {
  const { texts, types, withPrereleases, problems } = form;
  const isOpen =
    queryOf(withTexts(form, { q: '' })) !== '' || Object.keys(problems).some((name) => name !== 'q');
  return html`<form role="search">
<div class="search">
<label class="sr" for="q">Search this changelog</label>
<input type="search" id="q" name="q" value="${texts.q}" placeholder="Search this changelog" dir="auto" autocomplete="off"${invalid('q', problems)}>
<button type="submit">Search</button>
</div>
${writeProblem('q', problems)}
<details${isOpen && html` open`}>
<summary>Filters</summary>
<div class="fields">
${writeTypes(types, problems)}
${writeField('since', form)}
${writeField('until', form)}
${writeField('from', form)}
${writeField('to', form)}
${writePrereleases(withPrereleases, problems)}
<div class="wide"><button type="submit">Apply filters</button></div>
</div>
</details>
</form>`;
}

function writeRangeForm(form: FilterForm): Html {
  return html`<form>
<div class="fields">
${writeField('from', form)}
${writeField('to', form)}
${writeTypes(form.types, form.problems)}
${writePrereleases(form.withPrereleases, form.problems)}
<div class="wide"><button type="submit">Compare</button></div>
</div>
</form>`;
}

const DATE = /^(?:\d{4}-\d{2}-\d{2})?$/;
const EXAMPLES: Readonly<Partial<Record<TextField, string>>> = { from: '1.4.0', to: '2.1.0' };

function writeField(name: TextField, { texts, problems }: FilterForm): Html {
  const isDate = name === 'since' || name === 'until';
  // A date field shows nothing but dates; a timestamp, or a value that is not valid, needs a text field.
  const type = isDate && DATE.test(texts[name]) ? 'date' : 'text';
  const example = EXAMPLES[name];
  return html`<div>
<label for="${name}">${LABELS[name]}</label>
<input type="${type}" id="${name}" name="${name}" value="${texts[name]}"${example !== undefined && html` placeholder="${example}"`} autocomplete="off"${invalid(name, problems)}>
${writeProblem(name, problems)}
</div>`;
}

function writeTypes(types: readonly ChangeType[], problems: FilterForm['problems']): Html {
  const boxes = CHANGE_TYPES.map(
    (type, index) =>
      html`<label class="check"><input type="checkbox" name="type" value="${type}"${index === 0 && html` id="type"`}${types.includes(type) && html` checked`}> ${headingOf(type)}</label>`,
  );
  return html`<fieldset class="wide"${problems.type !== undefined && html` aria-describedby="type-problem"`}>
<legend>Types of changes</legend>
<div class="checks">
${boxes}
</div>
${writeProblem('type', problems)}
</fieldset>`;
}

function writePrereleases(withPrereleases: boolean, problems: FilterForm['problems']): Html {
  return html`<div class="wide">
<label class="check"><input type="checkbox" id="prerelease" name="prerelease" value="false"${!withPrereleases && html` checked`}${invalid('prerelease', problems)}> Hide prereleases</label>
${writeProblem('prerelease', problems)}
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

const FIELDS: Readonly<Record<FormKind, readonly string[]>> = {
  changelog: [...TEXT_FIELDS, 'type', 'prerelease'],
  changes: ['from', 'to', 'type', 'prerelease'],
};

/** All messages, with links to their fields. */
export function writeSummary(kind: FormKind, { problems }: FilterForm): Html {
  const items = Object.entries(problems).map(([name, message]) =>
    FIELDS[kind].includes(name)
      ? html`<li><a href="#${name}">${message}</a></li>`
      : html`<li>${message}</li>`,
  );
  return html`<div class="summary" role="alert">
<h2>Please correct this</h2>
<ul>
${items}
</ul>
</div>`;
}
