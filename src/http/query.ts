// The query of a URL (R21, R32): tables of parameters, which validate requests and feed the OpenAPI document, and how a
// query is parsed by them. Unknown names are ignored (R21), except near misses (R47). A cursor says where a page ended, for
// requesting the next one: signed, so that none is forged or used for another URL.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type FeedPosition, type FeedQuery, NO_FILTER, parseWords } from '../domain/feed-query.ts';
import { CHANGE_TYPES, LABEL_CHARACTERS_MAX } from '../domain/model.ts';
import { countMistakes } from '../domain/nearest.ts';
import { boolean, dateOrTimestamp, integer, oneOf, text } from '../domain/schema.ts';
import { normaliseTimestamp } from '../domain/timestamp.ts';
import { VERSION_PATTERN, versionOrder } from '../domain/version-order.ts';
import { ApiError } from '../errors.ts';
import { type FilterForm, NO_FORM, type Problem } from '../present/pages/filters.ts';
import { html } from '../present/template.ts';
import { fill, fillHtml } from '../present/words/locale.ts';
import type { ParameterInput } from '../reference/openapi/inputs.ts';

/** What a read accepts, by name, in the order that they have in links. */
export type Parameters = Readonly<Record<string, Parameter>>;

/** The schema is that of each value. There is no example if valid values exist only in responses: tools send it. */
type Parameter = Omit<ParameterInput, 'name'> &
  Readonly<{
    /** The schema in words, for error messages. */
    expected: string;
    /** The value that means the same as none. */
    default?: string;
    /** What a value means that some clients send; a valid one means itself. */
    read?: (given: string) => string;
    /** Filters, the rule, are part of what a cursor is valid for; the page size is not. */
    part?: 'filter' | 'page' | 'cursor';
    /** Undefined for a value that turns out invalid. Without it, the read takes the value from `Query.given`. */
    parse?: (values: Values) => Partial<FeedQuery> | undefined;
  }>;

/** At least one. */
type Values = readonly [string, ...string[]];

export const PAGE_VERSIONS_MAX = 100;
const CURSOR_CHARACTERS_MAX = 400;
const SEARCH_CHARACTERS_MAX = 500;

const TIME = {
  schema: dateOrTimestamp(),
  expected: 'a date, or a timestamp with time zone, such as 2026-05-04T09:00:00Z',
} as const;

export const TRUE_OR_FALSE = { schema: boolean(), expected: 'true or false' } as const;

const label = () => text({ pattern: VERSION_PATTERN, maxLength: LABEL_CHARACTERS_MAX });

export const upTo = (maximum: number) =>
  ({
    schema: integer({ minimum: 1, maximum }),
    expected: `a whole number from 1 to ${maximum}`,
    part: 'page',
  }) as const;

export const limitUpTo = (maximum: number, description: string) =>
  ({
    ...upTo(maximum),
    description,
    example: '2',
    parse: ([value]) => ({ limit: Number(value) }),
  }) as const satisfies Parameter;

export const pageUpTo = (maximum: number, items: string, byDefault = String(maximum)) =>
  limitUpTo(
    maximum,
    `Maximum number of ${items}. If there are more, a \`Link\` header with \`rel="next"\` has the URL of the next page. Default: ${byDefault}.`,
  );

export const FEED_PARAMETERS = {
  limit: pageUpTo(PAGE_VERSIONS_MAX, 'versions', 'all versions, or 100 with `include`'),
  cursor: {
    schema: text({ pattern: '^[A-Za-z0-9_-]+$', maxLength: CURSOR_CHARACTERS_MAX }),
    expected: 'a cursor from a Link header of this URL',
    description: 'Where the previous page ended: copy it from the `Link` header.',
    part: 'cursor',
    parse: ([value]) => parseCursor(value),
  },
  since: {
    ...TIME,
    description:
      'Published at this time or later: a date, which means midnight UTC, or a timestamp with time zone.',
    example: '2026-01-01',
    parse: ([value]) => parseTime('since', value),
  },
  until: {
    ...TIME,
    description:
      'Published at this time or earlier: a date, which includes that whole day in UTC, or a timestamp with time zone.',
    example: '2026-05-04',
    parse: ([value]) => parseTime('until', value),
  },
  from: {
    schema: label(),
    expected: 'a semantic version, such as 1.4.0',
    description: 'Versions after this one, in semantic version order. It need not exist.',
    example: '1.4.0',
    parse: ([value]) => ({ from: versionOrder(value) }),
  },
  to: {
    schema: label(),
    expected: 'a semantic version, such as 2.1.0',
    description: 'Versions up to and including this one, in semantic version order. It need not exist.',
    example: '2.1.0',
    parse: ([value]) => ({ to: versionOrder(value) }),
  },
  type: {
    schema: oneOf(CHANGE_TYPES),
    expected: CHANGE_TYPES.join(', ').replace(/, (?=\w+$)/, ' or '),
    repeatable: true,
    description:
      'Versions with a change of this type, or of any of these types if it is repeated or a list with commas.',
    example: 'security',
    parse: (values) => ({ types: CHANGE_TYPES.filter((type) => values.includes(type)) }),
  },
  breaking: {
    ...TRUE_OR_FALSE,
    description: '`true`: versions with a breaking change, of one of the types if `type` is given too.',
    example: 'true',
    default: 'false',
    parse: ([value]) => ({ isBreaking: value === 'true' }),
  },
  prerelease: {
    ...TRUE_OR_FALSE,
    description: '`false` excludes prereleases such as 2.0.0-rc.1. `0` and `False` mean the same.',
    example: 'false',
    default: 'true',
    parse: ([value]) => ({ withPrereleases: value !== 'false' }),
  },
  q: {
    schema: text({ pattern: '\\S', maxLength: SEARCH_CHARACTERS_MAX }),
    expected: `words, at most ${SEARCH_CHARACTERS_MAX} characters`,
    description:
      'Versions that have all of these words, or longer ones that begin with them, in label, title, description or changes. Punctuation and case are ignored.',
    example: 'countdown',
    parse: ([value]) => ({ words: parseWords(value) }),
  },
  include: {
    schema: oneOf(['changes']),
    expected: 'changes',
    description:
      '`changes` returns each version as the full record of the version route, at most 100 versions a page.',
    example: 'changes',
    part: 'page',
    parse: () => ({ withChanges: true }),
  },
} as const satisfies Parameters;

const { from, to, type, breaking, prerelease } = FEED_PARAMETERS;
export const RANGE_PARAMETERS = { from, to, type, breaking, prerelease } as const satisfies Parameters;

const SIGNATURE_BYTES = 12;
/** Other bytes, such as NUL, must not reach a database. */
const POSITION = /^([!-~]+) ([!-~]+)$/;

/** Undefined for a text that cannot be one. */
function parseCursor(text: string): Partial<FeedQuery> | undefined {
  const bytes = Buffer.from(text, 'base64url');
  const [, sortKey, id] = POSITION.exec(bytes.toString('latin1', SIGNATURE_BYTES)) ?? [];
  // Several encodings decode to the same bytes, but only one is issued.
  if (sortKey === undefined || id === undefined || bytes.toString('base64url') !== text) return undefined;
  return { after: { sortKey, id } };
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** A plus sign that the client did not encode arrives as a space. Undefined for a time that there is not. */
function parseTime(name: 'since' | 'until', value: string): Partial<FeedQuery> | undefined {
  const text = value.replace(/ (?=\d{2}:\d{2}$)/, '+');
  const isWholeDay = name === 'until' && DATE.test(text);
  const time = normaliseTimestamp(text) && normaliseTimestamp(isWholeDay ? `${text}T23:59:59.999Z` : text);
  return time ? { [name]: time } : undefined;
}

/** A 400 that a form can show next to its field. */
export class ParameterError extends ApiError {
  readonly parameter: string;

  constructor(parameter: string, { expected }: Parameter, besides = '') {
    super('bad_request', { message: `The query parameter ${parameter} must be ${expected}${besides}.` });
    this.parameter = parameter;
  }
}

/** Whether people type it; everything else they choose, or follow a link. */
function isTextField({ schema, part = 'filter' }: Parameter): boolean {
  return schema.type === 'string' && schema.enum === undefined && part === 'filter';
}

/** The parts of JSON Schema that the tables use, except timestamps, which are validated when parsed. */
function isValid({ schema }: Parameter, value: string): boolean {
  const { type, minimum, maximum, enum: listed, pattern, maxLength = Infinity } = schema as ParameterSchema;
  if (type === 'boolean') return value === 'true' || value === 'false';
  if (type === 'integer') return /^[1-9]\d*$/.test(value) && +value >= +minimum && +value <= +maximum;
  if (listed !== undefined) return listed.includes(value);
  return [...value].length <= maxLength && (pattern === undefined || new RegExp(pattern, 'u').test(value));
}

type ParameterSchema = Readonly<{
  type: 'boolean' | 'integer' | 'string';
  minimum: number;
  maximum: number;
  enum?: readonly string[];
  pattern?: string;
  maxLength?: number;
}>;

export type Query = Readonly<{
  feed: FeedQuery;
  /** Its signature is not verified yet: that key is in the database. */
  cursor: string | null;
  /** The values as given. */
  given: Readonly<Partial<Record<string, Values>>>;
  /** The filter alone, in the order of the table, whatever its order in the query. */
  filterText: string;
  /** All parameters that matter, but the cursor, after a `?`, or empty. For links to the same selection elsewhere. */
  linkText: string;
  /** All parameters that matter, after a `?`, or empty. Responses are cached by it. */
  text: string;
  /** What the form of a page shows. */
  form: FilterForm;
}>;

/** An unknown name that is probably a known one. Does not repeat it: a page may show this message (R39). */
class NearMissError extends ApiError {
  readonly known: string;

  constructor(known: string) {
    super('bad_request', { message: `The query has an unknown parameter. Did you mean ${known}?` });
    this.known = known;
  }
}

/** Problems that a page can show in its form, some of which are found only with the content. The first is the message. */
export class FormError extends ApiError {
  readonly form: FilterForm;

  constructor(form: FilterForm, errors: readonly ApiError[]) {
    super('bad_request', errors[0]);
    this.form = { ...form, problems: Object.fromEntries(errors.map(problemOf)) };
  }
}

const NO_QUERY: Query = Object.freeze({
  feed: NO_FILTER,
  cursor: null,
  given: {},
  filterText: '',
  linkText: '',
  text: '',
  form: NO_FORM,
});

/**
 * Throws if a value is invalid, or if another name is a near miss. In a form, as a browser sends it (R41), empty fields
 * are absent, and outer spaces do not count.
 */
export function parseQuery(target: string, parameters: Parameters, { isForm = false } = {}): Query {
  const start = target.indexOf('?');
  if (start === -1) return NO_QUERY;
  const pairs = [...new URLSearchParams(target.slice(start + 1))];
  const filledIn = pairs.map(([name, value]): Pair => [name, value.trim()]).filter(([, value]) => value);
  const { values, nearMiss } = groupByName(isForm ? filledIn : pairs, parameters);
  const feed = { ...NO_FILTER };
  const errors: ApiError[] = nearMiss === null ? [] : [new NearMissError(nearMiss)];
  for (const [name, given] of values) {
    const parameter = parameters[name] as Parameter;
    const { repeatable, parse = () => ({}) } = parameter;
    const isRepeated = given.length > 1 && !repeatable;
    const parsed = given.every((value) => isValid(parameter, value)) ? parse(given) : undefined;
    if (isRepeated) errors.push(new ParameterError(name, parameter, ', and must be given only once'));
    else if (parsed === undefined) errors.push(new ParameterError(name, parameter));
    else Object.assign(feed, parsed);
  }
  const form = formOf(values, parameters);
  if (errors.length > 0) throw new FormError(form, errors);
  // Full records are paged even without `limit` (R51).
  if (feed.withChanges) feed.limit ??= PAGE_VERSIONS_MAX;
  const pairsOf = (part: Part) =>
    [...values]
      .filter(([name]) => (parameters[name]?.part ?? 'filter') === part)
      .flatMap(([name, all]) => all.map((value): Pair => [name, value]));
  const textOf = (...parts: readonly Part[]) => String(new URLSearchParams(parts.flatMap(pairsOf)));
  return {
    feed,
    cursor: values.get('cursor')?.[0] ?? null,
    given: Object.fromEntries(values),
    filterText: textOf('filter'),
    linkText: asQuery(textOf('filter', 'page')),
    text: asQuery(textOf('filter', 'page', 'cursor')),
    form,
  };
}

type Part = NonNullable<Parameter['part']>;

const asQuery = (text: string) => (text === '' ? '' : `?${text}`);

type Pair = [name: string, value: string];

/** The values of each parameter, in the order of the table, and the parameter that an unknown name probably means. */
function groupByName(pairs: readonly Pair[], parameters: Parameters) {
  const known = Object.entries(parameters);
  const found = new Map<string, string[]>();
  let nearMiss: string | null = null;
  for (const [given, text] of pairs) {
    const [name, parameter] = known.find(([each, it]) => spelling(given, it) === each) ?? [];
    if (name === undefined || parameter === undefined)
      nearMiss ??= known.find(([each, it]) => isNear(spelling(given, it), each))?.[0] ?? null;
    else found.set(name, [...(found.get(name) ?? []), ...valuesIn(text, parameter)]);
  }
  const values = new Map<string, Values>();
  for (const [name, parameter] of known) {
    const given = found.get(name) ?? [];
    // Equal queries have equal text.
    const all = parameter.repeatable ? [...new Set(given)].sort() : given;
    const isDefault = all.length === 1 && all[0] === parameter.default;
    if (all.length > 0 && !isDefault) values.set(name, all as unknown as Values);
  }
  return { values, nearMiss };
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
export function fullQuery({ feed }: Query, versionsMax: number) {
  return { ...feed, limit: feed.limit ?? versionsMax, withChanges: true };
}

type CursorRequest = Readonly<{ path: string; query: Query }>;
export type Ending = Readonly<{ cursorKey: string; end: FeedPosition | null }>;

/** The signature proves that this server issued the cursor for this path and filter. Rows of pages have the key. */
export function requireOwnCursor(request: CursorRequest, found: object): void {
  const { cursor, feed } = request.query;
  if (cursor === null || feed.after === null) return;
  const own = cursorOf(request, feed.after, found as Ending);
  if (!timingSafeEqual(Buffer.from(cursor), Buffer.from(own)))
    throw new ParameterError('cursor', FEED_PARAMETERS.cursor);
}

/** A cursor of a page is valid for its Markdown, and the other way round. */
function cursorOf({ path, query }: CursorRequest, end: FeedPosition, { cursorKey }: Ending): string {
  const page = path.replace(/(?:index)?\.md$/, '');
  const position = Buffer.from(`${end.sortKey} ${end.id}`);
  const signed = createHmac('sha256', cursorKey).update(`${page}?${query.filterText}\n`).update(position);
  const signature = signed.digest().subarray(0, SIGNATURE_BYTES);
  return Buffer.concat([signature, position]).toString('base64url');
}

/** For the page after one that ends here; null for the last one. A cursor needs no encoding. */
export function olderQuery(request: CursorRequest, ending: Ending): string | null {
  if (ending.end === null) return null;
  const { linkText } = request.query;
  return `${linkText}${linkText === '' ? '?' : '&'}cursor=${cursorOf(request, ending.end, ending)}`;
}

/** A text field shows what was typed, valid or not; a choice shows only what it offers. */
function formOf(given: ReadonlyMap<string, Values>, parameters: Parameters): FilterForm {
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

/** With its field, where the parameter's name is redundant. What belongs to no field goes above the form. */
function problemOf(error: ApiError): [field: string, problem: Problem] {
  if (error instanceof ParameterError)
    return [error.parameter, PROBLEMS[error.parameter as keyof typeof PROBLEMS]];
  if (error instanceof NearMissError)
    return ['', ({ words }) => fill(words.problems.unknown, { name: error.known })];
  // The range is too long (R51).
  return ['', ({ words }) => words.problems.tooLong];
}
