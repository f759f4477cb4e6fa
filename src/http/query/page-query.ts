// A page's query, as a plain form sends it (R41): empty fields are absent, and all problems are found at once.
import { CHANGE_TYPES } from '../../domain/model.ts';
import { ApiError } from '../../errors.ts';
import type { FilterForm, Problem } from '../../present/pages/filters.ts';
import { html } from '../../present/template.ts';
import { fill, fillHtml } from '../../present/words/locale.ts';
import {
  FEED_PARAMETERS,
  isTextField,
  isValid,
  PAGE_VERSIONS_MAX,
  type Parameter,
  ParameterError,
  type Parameters,
  SEARCH_CHARACTERS_MAX,
  type Values,
} from './parameters.ts';
import {
  type Ending,
  type GivenValues,
  groupByName,
  nearMissError,
  nextCursor,
  pairsIn,
  type Query,
  readQuery,
} from './query.ts';

export type PageQuery = Readonly<{
  query: Query;
  form: FilterForm;
  /** The parameters as filled in, after a `?`, or empty. The page shows them, so it is cached by them. */
  text: string;
  /** The same without the cursor. */
  filterText: string;
}>;

/** Thrown if the form must be shown again. */
export class FormError extends ApiError {
  readonly form: FilterForm;

  constructor(form: FilterForm, message: string) {
    super('bad_request', { message });
    this.form = form;
  }
}

export function parsePageQuery(target: string, parameters: Parameters): PageQuery {
  const filledIn = pairsIn(target)
    .map(([name, value]) => [name, value.trim()] as const)
    .filter(([, value]) => value !== '');
  const { values: given, nearMiss } = groupByName(filledIn, parameters);
  // In the order of the table, and lists sorted: equal forms have equal text.
  const values: GivenValues = new Map(
    Object.entries(parameters).flatMap(([name, { repeatable }]) => {
      const all = given.get(name);
      return all === undefined ? [] : [[name, repeatable ? tidied(all) : all]];
    }),
  );
  const { query, errors } = readQuery(values, parameters);
  const form = formOf(values, parameters);
  const wrong = nearMiss === null ? errors[0] : nearMissError(nearMiss);
  if (wrong !== undefined) {
    const problems = Object.fromEntries(errors.map((error) => [error.parameter, problemOf(error)]));
    // The message of a name goes above the form because it belongs to no field.
    const unknown: Problem = ({ words }) => fill(words.problems.unknown, { name: nearMiss ?? '' });
    throw new FormError(
      { ...form, problems: { ...(nearMiss !== null && { '': unknown }), ...problems } },
      wrong.message,
    );
  }
  const filterText = formatQuery([...values].filter(([name]) => name !== 'cursor'));
  return { query, form, text: formatQuery([...values]), filterText };
}

const tidied = (values: Values) => [...new Set(values)].sort() as unknown as Values;

/** A problem found only with the content, in one parameter or in the length of the range (R51). */
export function withProblem(form: FilterForm, error: ApiError): FormError {
  const problems =
    error instanceof ParameterError
      ? { [error.parameter]: problemOf(error) }
      : { '': (({ words }) => words.problems.tooLong) satisfies Problem };
  return new FormError({ ...form, problems }, error.message);
}

/** For the page after one that ends here, with the form as filled in; null for the last one. */
export function olderQuery(request: PageQuery & Readonly<{ path: string }>, ending: Ending): string | null {
  const { filterText } = request;
  const cursor = nextCursor(request, ending);
  return cursor && `${filterText}${filterText === '' ? '?' : '&'}cursor=${encodeURIComponent(cursor)}`;
}

function formatQuery(values: readonly (readonly [name: string, values: Values])[]): string {
  const pairs = values.flatMap(([name, all]) => all.map((value): [string, string] => [name, value]));
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

/** A text field shows what was typed, valid or not; a choice shows only what it offers. */
function formOf(given: GivenValues, parameters: Parameters): FilterForm {
  const values = [...given].flatMap(([name, all]) => {
    const parameter = parameters[name] as Parameter;
    const isShown = (value: string) =>
      isTextField(parameter) || (value !== parameter.default && isValid(parameter, value));
    const shown = all.filter(isShown);
    return shown.length === 0 ? [] : [[name, shown]];
  });
  return { values: Object.fromEntries(values), problems: {} };
}

/** In one piece, and from left to right among any words. */
const timeExample = html`<bdi dir="ltr">2026-05-04T09:00:00Z</bdi>`;
const time: Problem = ({ words }) => fillHtml(words.problems.time, { example: timeExample });
const yesOrNo: Problem = ({ words }) => fill(words.problems.yesOrNo, { yes: 'true', no: 'false' });
const versionLike =
  (example: string): Problem =>
  ({ words }) =>
    fill(words.problems.version, { example });

const PROBLEMS: Readonly<Record<keyof typeof FEED_PARAMETERS | 'products', Problem>> = {
  q: ({ words, number }) => fill(words.problems.words, { max: number(SEARCH_CHARACTERS_MAX) }),
  since: time,
  until: time,
  from: versionLike(FEED_PARAMETERS.from.example),
  to: versionLike(FEED_PARAMETERS.to.example),
  type: ({ words, anyOf }) =>
    fill(words.problems.type, { types: anyOf(CHANGE_TYPES.map((type) => words.types[type])) }),
  breaking: yesOrNo,
  prerelease: yesOrNo,
  limit: ({ words, number }) => fill(words.problems.number, { max: number(PAGE_VERSIONS_MAX) }),
  include: ({ words }) => fill(words.problems.value, { example: FEED_PARAMETERS.include.example }),
  cursor: ({ words }) => words.problems.cursor,
  products: ({ words }) => fill(words.problems.value, { example: 'all' }),
};

/** Next to a field, the parameter's name is redundant. */
function problemOf({ parameter }: ParameterError): Problem {
  return PROBLEMS[parameter as keyof typeof PROBLEMS];
}
