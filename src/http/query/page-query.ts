// A page's query, as a plain form sends it (R41): empty fields are absent, and all problems are found at once.
import { CHANGE_TYPES } from '../../domain/model.ts';
import { ApiError } from '../../errors.ts';
import { type FilterForm, NO_FORM, type Problem } from '../../present/pages/filters.ts';
import { html } from '../../present/template.ts';
import { fill, fillHtml } from '../../present/words/locale.ts';
import { groupByName, nearMissError } from './names.ts';
import {
  FEED_PARAMETERS,
  isTextField,
  isValid,
  PAGE_VERSIONS_MAX,
  type Parameter,
  ParameterError,
  type Parameters,
  SEARCH_CHARACTERS_MAX,
} from './parameters.ts';
import { parseQuery, type Query } from './query.ts';

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
  const { pairs, nearMiss } = target.includes('?') ? filledIn(target, parameters) : NOTHING;
  if (nearMiss !== null) throw misspelled(pairs, parameters, nearMiss);
  if (pairs.length === 0)
    return { query: parseQuery('', parameters), form: NO_FORM, text: '', filterText: '' };
  const text = formatQuery(pairs);
  const form = formOf(pairs, parameters);
  try {
    const filterText = formatQuery(pairs.filter(([name]) => name !== 'cursor'));
    return { query: parseQuery(text, parameters), form, text, filterText };
  } catch (error) {
    if (!(error instanceof ParameterError)) throw error;
    throw new FormError({ ...form, problems: problemsOf(pairs, parameters) }, error.message);
  }
}

/** A problem found only with the content, in one parameter or in the length of the range (R51). */
export function withProblem(form: FilterForm, error: ApiError): FormError {
  const problems =
    error instanceof ParameterError
      ? { [error.parameter]: problemOf(error) }
      : { '': (({ words }) => words.problems.tooLong) satisfies Problem };
  return new FormError({ ...form, problems }, error.message);
}

export function olderQuery({ filterText }: PageQuery, cursor: string): string {
  return `${filterText}${filterText === '' ? '?' : '&'}cursor=${encodeURIComponent(cursor)}`;
}

type Pair = readonly [name: string, value: string];

type FilledIn = Readonly<{ pairs: readonly Pair[]; nearMiss: string | null }>;

const NOTHING: FilledIn = { pairs: [], nearMiss: null };

/** Known parameters with a value, sorted by name: equal forms have equal text. */
function filledIn(target: string, parameters: Parameters): FilledIn {
  const given = [...new URLSearchParams(target.slice(target.indexOf('?') + 1))];
  const filled = given
    .map(([name, value]) => [name, value.trim()] as const)
    .filter(([, value]) => value !== '');
  const { values, nearMiss } = groupByName(filled, parameters);
  const pairs = Object.entries(parameters).flatMap(([name, { repeatable }]) => {
    const all = values.get(name) ?? [];
    const counted = repeatable ? [...new Set(all)].sort() : all;
    return counted.map((value): Pair => [name, value]);
  });
  return { pairs, nearMiss };
}

/** The message goes above the form because it belongs to no field. */
function misspelled(pairs: readonly Pair[], parameters: Parameters, nearMiss: string): FormError {
  const { message } = nearMissError(nearMiss);
  const unknown: Problem = ({ words }) => fill(words.problems.unknown, { name: nearMiss });
  const problems = { '': unknown, ...problemsOf(pairs, parameters) };
  return new FormError({ ...formOf(pairs, parameters), problems }, message);
}

function formatQuery(pairs: readonly Pair[]): string {
  const text = String(new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])));
  return text === '' ? '' : `?${text}`;
}

/** A text field shows what was typed, valid or not; a choice shows only what it offers. */
function formOf(pairs: readonly Pair[], parameters: Parameters): FilterForm {
  const shown = pairs.filter(([name, value]) => {
    const parameter = parameters[name] as Parameter;
    return isTextField(parameter) || (value !== parameter.default && isValid(parameter, value));
  });
  const values = Map.groupBy(shown, ([name]) => name);
  return {
    values: Object.fromEntries([...values].map(([name, all]) => [name, all.map(([, value]) => value)])),
    problems: {},
  };
}

/** Parses each parameter alone, so that none hides another's problem. */
function problemsOf(pairs: readonly Pair[], parameters: Parameters): Record<string, Problem> {
  const problems: Record<string, Problem> = {};
  for (const name of new Set(pairs.map(([each]) => each))) {
    const alone = pairs.filter(([each]) => each === name);
    try {
      parseQuery(formatQuery(alone), { [name]: parameters[name] as Parameter });
    } catch (error) {
      if (!(error instanceof ParameterError)) throw error;
      problems[name] = problemOf(error);
    }
  }
  return problems;
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
