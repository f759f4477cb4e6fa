// Forms: the search, other filters, and the comparison of two versions. A form that is shown again has a message next to
// each invalid field.
import { CHANGE_TYPES } from '../../domain/model.ts';
import type { MenuVersion } from '../../store/read/index.ts';
import { type Html, html } from '../template.ts';
import { fillHtml, type Locale } from '../words/locale.ts';
import { NOTHING } from './document.ts';
import { CHOICES, FIELDS, type Field, type FilterForm, textOf, typesOf } from './filters.ts';

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
type Choice = keyof typeof CHOICE;

function writeCheck(name: Choice, form: FilterForm, locale: Locale, besides = NOTHING): Html {
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
