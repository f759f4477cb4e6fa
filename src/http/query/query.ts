// A URL's parsed query (R21, R32). Equivalent queries have the same text, however they are spelled. Unknown names are
// ignored (R21), except near misses (R47). A cursor says where a page ended, for requesting the next one: signed, so that
// none is forged or used for another URL.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type FeedPosition, type FeedQuery, type LimitedQuery, NO_FILTER } from '../../domain/feed-query.ts';
import { ApiError } from '../../errors.ts';
import {
  FEED_PARAMETERS,
  isValid,
  PAGE_VERSIONS_MAX,
  type Parameter,
  ParameterError,
  type Parameters,
  type ParsedParameters,
  parseParameters,
  type Values,
} from './parameters.ts';

export type Query = Readonly<{
  feed: FeedQuery;
  /** Where the previous page ended. Its signature is not verified yet: that key is in the database. */
  cursor: Cursor | null;
  /** The values as written in the query. */
  given: ParsedParameters;
  /** The filter, normalised. */
  filterText: string;
  /** The filter in a form that is valid in a link. */
  linkText: string;
  /** `limit` and `include`. */
  pageText: string;
  /** All parameters that matter, after a `?`, or empty. Responses are cached by it, and have links with its filter. */
  text: string;
}>;

export const NO_QUERY: Query = Object.freeze({
  feed: NO_FILTER,
  cursor: null,
  given: {},
  filterText: '',
  linkText: '',
  pageText: '',
  text: '',
});

/** Throws if a value is invalid, or if another name is a near miss. */
export function parseQuery(target: string, parameters: Parameters): Query {
  const pairs = pairsIn(target);
  if (pairs.length === 0) return NO_QUERY;
  const { values, nearMiss } = groupByName(pairs, parameters);
  if (nearMiss !== null) throw nearMissError(nearMiss);
  return queryOf(values, parameters);
}

/** Throws the error of the first invalid value, in the order of the table. */
export function queryOf(values: GivenValues, parameters: Parameters): Query {
  const given = parseParameters(values, parameters);
  const cursor = given.cursor === undefined ? null : parseCursor(given.cursor[0]);
  const feed = parseFeedQuery(parameters, given, cursor);
  const format = (part: Part, options = {}) => formatPart(part, { parameters, given, feed }, options);
  const [linkText, pageText] = [format('filter', { isForLink: true }), format('page')];
  const text = joinTexts(linkText, pageText, format('cursor'));
  return { feed, cursor, given, filterText: format('filter'), linkText, pageText, text };
}

type Pair = readonly [name: string, value: string];

export function pairsIn(target: string): readonly Pair[] {
  const start = target.indexOf('?');
  return start === -1 ? [] : [...new URLSearchParams(target.slice(start + 1))];
}

export type GivenValues = ReadonlyMap<string, Values>;

/** The values of each parameter, and the parameter that an unknown name probably means. */
export function groupByName(pairs: readonly Pair[], parameters: Parameters) {
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
export function nearMissError(name: string): ApiError {
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
  return known.length >= SLIPS_FROM_LETTERS && isOneSlip(given, known);
}

/** One letter added, missing or wrong, or two swapped: compares what lies between the common start and end. */
function isOneSlip(given: string, known: string): boolean {
  let start = 0;
  while (start < given.length && given[start] === known[start]) start++;
  let end = 0;
  const restMax = Math.min(given.length, known.length) - start;
  while (end < restMax && given.at(-1 - end) === known.at(-1 - end)) end++;
  const theirs = given.slice(start, given.length - end);
  const ours = known.slice(start, known.length - end);
  if (theirs.length <= 1 && ours.length <= 1) return true;
  return theirs.length === 2 && ours.length === 2 && theirs[0] === ours[1] && theirs[1] === ours[0];
}

function parseFeedQuery(parameters: Parameters, given: ParsedParameters, cursor: Cursor | null): FeedQuery {
  const feed = { ...NO_FILTER, after: cursor?.position ?? null };
  for (const [name, parameter] of Object.entries(parameters)) {
    const values = given[name];
    if (values === undefined || parameter.parse === undefined) continue;
    const parsed = parameter.parse(values);
    if (parsed === undefined) throw new ParameterError(name, parameter);
    Object.assign(feed, parsed);
  }
  // Full records are paged even without `limit` (R51).
  return feed.withChanges ? { ...feed, limit: feed.limit ?? PAGE_VERSIONS_MAX } : feed;
}

type Part = NonNullable<Parameter['part']>;
type ParsedQuery = Readonly<{ parameters: Parameters; given: ParsedParameters; feed: FeedQuery }>;

/**
 * In the table's order, whatever their order in the query. Normalised words may exceed the length limit, or be none, so a
 * link has the given ones.
 */
function formatPart(part: Part, { parameters, given, feed }: ParsedQuery, { isForLink = false }): string {
  const pairs = Object.entries(parameters).flatMap(([name, parameter]) => {
    const asGiven = given[name];
    if (asGiven === undefined || (parameter.part ?? 'filter') !== part) return [];
    const normalised = parameter.format?.(feed) ?? asGiven;
    const isUsed = !isForLink || normalised.every((value) => isValid(parameter, value));
    return (isUsed ? normalised : asGiven).map((value): [string, string] => [name, value]);
  });
  return String(new URLSearchParams(pairs));
}

function joinTexts(...texts: readonly string[]): string {
  const joined = texts.filter((text) => text !== '').join('&');
  return joined === '' ? '' : `?${joined}`;
}

/** For versions with their changes: so many, unless the query says how many. */
export function fullQuery({ feed }: Query, versionsMax: number): LimitedQuery {
  return { ...feed, limit: feed.limit ?? versionsMax, withChanges: true };
}

/** For links to the same selection elsewhere. */
export const linkQuery = ({ linkText, pageText }: Query): string => joinTexts(linkText, pageText);

export type Cursor = Readonly<{ position: FeedPosition; signature: Buffer }>;

const SIGNATURE_BYTES = 12;
/** Other bytes, such as NUL, must not reach a database. */
const POSITION = /^([!-~]+) ([!-~]+)$/;

function parseCursor(text: string): Cursor {
  const bytes = Buffer.from(text, 'base64url');
  const [, sortKey, id] = POSITION.exec(bytes.toString('latin1', SIGNATURE_BYTES)) ?? [];
  // Several encodings decode to the same bytes, but only one is issued.
  if (sortKey === undefined || id === undefined || bytes.toString('base64url') !== text) throw cursorError();
  return { position: { sortKey, id }, signature: bytes.subarray(0, SIGNATURE_BYTES) };
}

const cursorError = () => new ParameterError('cursor', FEED_PARAMETERS.cursor);

type CursorRequest = Readonly<{ path: string; query: Query }>;
type CursorKey = Readonly<{ cursorKey: string }>;
export type Ending = CursorKey & Readonly<{ end: FeedPosition | null }>;

/** The signature proves that this server issued the cursor for this path and filter. */
export function requireOwnCursor(request: CursorRequest, { cursorKey }: CursorKey): void {
  const { cursor } = request.query;
  if (cursor !== null && !timingSafeEqual(cursor.signature, sign(cursorKey, request, cursor.position)))
    throw cursorError();
}

/** For the page after one that ends here; null for the last one. */
export function nextCursor(request: CursorRequest, { end, cursorKey }: Ending): string | null {
  if (end === null) return null;
  return Buffer.concat([sign(cursorKey, request, end), bytesOf(end)]).toString('base64url');
}

export function nextPageQuery({ linkText, pageText }: Query, cursor: string): string {
  return joinTexts(linkText, pageText, String(new URLSearchParams({ cursor })));
}

/** The value of the `Link` header for the next page; undefined for the last one. */
export function linkToNext(
  request: CursorRequest & Readonly<{ site: Readonly<{ baseUrl: string }> }>,
  ending: Ending,
): string | undefined {
  const cursor = nextCursor(request, ending);
  if (cursor === null) return undefined;
  const { site, path, query } = request;
  return `<${site.baseUrl}${path}${nextPageQuery(query, cursor)}>; rel="next"`;
}

function sign(key: string, { path, query }: CursorRequest, position: FeedPosition): Buffer {
  const signed = createHmac('sha256', key).update(`${path}?${query.filterText}\n`).update(bytesOf(position));
  return signed.digest().subarray(0, SIGNATURE_BYTES);
}

const bytesOf = ({ sortKey, id }: FeedPosition) => Buffer.from(`${sortKey} ${id}`);
