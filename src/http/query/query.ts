// A URL's parsed query (R21, R32). Equivalent queries have the same text, however they are spelled. Unknown names are
// ignored (R21), except near misses (R47). A cursor says where a page ended, for requesting the next one: signed, so that
// none is forged or used for another URL. In a page's query, as a plain form sends it (R41), empty fields are absent, and all
// problems are found at once.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type FeedPosition, type FeedQuery, type LimitedQuery, NO_FILTER } from '../../domain/feed-query.ts';
import { CHANGE_TYPES } from '../../domain/model.ts';
import { countMistakes } from '../../domain/nearest.ts';
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
  SIGNATURE_BYTES,
  type Values,
} from './parameters.ts';

export type Query = Readonly<{
  feed: FeedQuery;
  /** Its signature is not verified yet: that key is in the database. */
  cursor: string | null;
  /** The values as written in the query. */
  given: Readonly<Partial<Record<string, Values>>>;
  /** The filter, normalised as far as the result is valid in a link. */
  filterText: string;
  /** The filter, `limit` and `include`. */
  selectionText: string;
  /** All parameters that matter, after a `?`, or empty. Responses are cached by it. */
  text: string;
}>;

/** Throws if a value is invalid, or if another name is a near miss. */
export function parseQuery(target: string, parameters: Parameters): Query {
  const { values, nearMiss } = groupByName(pairsIn(target), parameters);
  if (nearMiss !== null) throw nearMissError(nearMiss);
  const { query, errors } = readQuery(values, parameters);
  for (const error of errors) throw error;
  return query;
}

const NO_QUERY: Query = Object.freeze({
  feed: NO_FILTER,
  cursor: null,
  given: {},
  filterText: '',
  selectionText: '',
  text: '',
});

/** With the errors of all parameters with an invalid value, in the order of the table. */
function readQuery(
  values: GivenValues,
  parameters: Parameters,
): Readonly<{ query: Query; errors: readonly ParameterError[] }> {
  const errors: ParameterError[] = [];
  if (values.size === 0) return { query: NO_QUERY, errors };
  const feed = { ...NO_FILTER };
  for (const [name, parameter] of Object.entries(parameters)) {
    const { repeatable, parse = () => ({}) } = parameter;
    const given = values.get(name);
    if (given === undefined) continue;
    const isRepeated = given.length > 1 && !repeatable;
    const parsed = given.every((value) => isValid(parameter, value)) ? parse(given) : undefined;
    if (isRepeated) errors.push(new ParameterError(name, parameter, ', and must be given only once'));
    else if (parsed === undefined) errors.push(new ParameterError(name, parameter));
    else Object.assign(feed, parsed);
  }
  if (errors.length > 0) return { query: NO_QUERY, errors };
  // Full records are paged even without `limit` (R51).
  if (feed.withChanges) feed.limit ??= PAGE_VERSIONS_MAX;
  const format = (...parts: readonly Part[]) =>
    String(new URLSearchParams(parts.flatMap((part) => pairsOf(part, values, parameters, feed))));
  return {
    query: {
      feed,
      cursor: values.get('cursor')?.[0] ?? null,
      given: Object.fromEntries(values),
      filterText: format('filter'),
      selectionText: format('filter', 'page'),
      text: asQuery(format('filter', 'page', 'cursor')),
    },
    errors,
  };
}

type Part = NonNullable<Parameter['part']>;

/** In the table's order, whatever their order in the query. */
function pairsOf(part: Part, values: GivenValues, parameters: Parameters, feed: FeedQuery) {
  return Object.entries(parameters).flatMap(([name, parameter]) => {
    const given = values.get(name);
    if (given === undefined || (parameter.part ?? 'filter') !== part) return [];
    const normalised = parameter.format?.(feed) ?? given;
    // Normalised words may exceed the length limit, or be none.
    const all = normalised.every((value) => isValid(parameter, value)) ? normalised : given;
    return all.map((value): [string, string] => [name, value]);
  });
}

const asQuery = (text: string) => (text === '' ? '' : `?${text}`);

type Pair = readonly [name: string, value: string];

function pairsIn(target: string): readonly Pair[] {
  const start = target.indexOf('?');
  return start === -1 ? [] : [...new URLSearchParams(target.slice(start + 1))];
}

type GivenValues = ReadonlyMap<string, Values>;

/** The values of each parameter, and the parameter that an unknown name probably means. */
function groupByName(pairs: readonly Pair[], parameters: Parameters) {
  const known = Object.entries(parameters);
  const values = new Map<string, Values>();
  let nearMiss: string | null = null;
  for (const [given, text] of pairs) {
    const [name, parameter] = known.find(([each, it]) => spelling(given, it) === each) ?? [];
    if (name === undefined || parameter === undefined)
      nearMiss ??= known.find(([each, it]) => isNear(spelling(given, it), each))?.[0] ?? null;
    else values.set(name, [...(values.get(name) ?? []), ...valuesIn(text, parameter)] as unknown as Values);
  }
  return { values, nearMiss };
}

/** Does not repeat the given name: a page may show this message (R39). */
function nearMissError(name: string): ApiError {
  return new ApiError('bad_request', {
    message: `The query has an unknown parameter. Did you mean ${name}?`,
  });
}

/** Some libraries write a list's values as `type[]` or `type[0]`. */
function spelling(given: string, { repeatable }: Parameter): string {
  return repeatable && given.endsWith(']') ? given.replace(/\[\d*\]$/, '') : given;
}

/** Some libraries write lists with commas, and booleans as numbers or as in Python. */
function valuesIn(given: string, { repeatable, schema, read }: Parameter): string[] {
  if (repeatable) return given.split(',');
  if (schema.type === 'boolean')
    return [given.replace(/^(?:0|False)$/, 'false').replace(/^(?:1|True)$/, 'true')];
  return [read === undefined ? given : read(given)];
}

/** Shorter names, such as `to`, are one typo away from too many others. */
const SLIPS_FROM_LETTERS = 4;

function isNear(given: string, known: string): boolean {
  if (Math.abs(given.length - known.length) > 1) return false;
  if (given.toLowerCase() === known.toLowerCase()) return true;
  if (given === `${known}s` || `${given}s` === known) return true;
  return known.length >= SLIPS_FROM_LETTERS && countMistakes(given, known, 1) <= 1;
}

/** For versions with their changes: so many, unless the query says how many. */
export function fullQuery({ feed }: Query, versionsMax: number): LimitedQuery {
  return { ...feed, limit: feed.limit ?? versionsMax, withChanges: true };
}

/** For links to the same selection elsewhere. */
export const linkQuery = ({ selectionText }: Query): string => asQuery(selectionText);

type CursorRequest = Readonly<{ path: string; query: Query }>;
type CursorKey = Readonly<{ cursorKey: string }>;
export type Ending = CursorKey & Readonly<{ end: FeedPosition | null }>;

/** The signature proves that this server issued the cursor for this path and filter. */
export function requireOwnCursor(request: CursorRequest, { cursorKey }: CursorKey): void {
  const { cursor, feed } = request.query;
  const own = nextCursor(request, { end: feed.after, cursorKey });
  if (cursor !== null && own !== null && !timingSafeEqual(Buffer.from(cursor), Buffer.from(own)))
    throw new ParameterError('cursor', FEED_PARAMETERS.cursor);
}

/** For the page after one that ends here; null for the last one. */
export function nextCursor({ path, query }: CursorRequest, { end, cursorKey }: Ending): string | null {
  if (end === null) return null;
  const position = Buffer.from(`${end.sortKey} ${end.id}`);
  const signed = createHmac('sha256', cursorKey).update(`${path}?${query.filterText}\n`).update(position);
  const signature = signed.digest().subarray(0, SIGNATURE_BYTES);
  return Buffer.concat([signature, position]).toString('base64url');
}

/** A cursor needs no encoding. */
export const withCursor = (query: string, cursor: string) =>
  `${query}${query === '' ? '?' : '&'}cursor=${cursor}`;

/** The value of the `Link` header for the next page; undefined for the last one. */
export function linkToNext(
  request: CursorRequest & Readonly<{ site: Readonly<{ baseUrl: string }> }>,
  ending: Ending,
): string | undefined {
  const cursor = nextCursor(request, ending);
  if (cursor === null) return undefined;
  const { site, path, query } = request;
  return `<${site.baseUrl}${path}${withCursor(linkQuery(query), cursor)}>; rel="next"`;
}

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
  const cursor = nextCursor(request, ending);
  return cursor && withCursor(request.filterText, cursor);
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
