// A URL's parsed query (R21, R32). Equivalent queries have the same text, however they are spelled.
import { type FeedPosition, type FeedQuery, type LimitedQuery, NO_FILTER } from '../../domain/feed-query.ts';
import { type Cursor, contextOf, formatCursor, parseCursor } from './cursor.ts';
import { groupByName, nearMissError } from './names.ts';
import {
  FEED_PARAMETERS,
  isValid,
  PAGE_VERSIONS_MAX,
  type Parameter,
  ParameterError,
  type Parameters,
  type ParsedParameters,
  parseParameters,
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

const NO_QUERY: Query = Object.freeze({
  feed: NO_FILTER,
  cursor: null,
  given: {},
  filterText: '',
  linkText: '',
  pageText: '',
  text: '',
});

/** Parses these parameters. Throws if a value is invalid, or if another name is a near miss. */
export function parseQuery(target: string, parameters: Parameters): Query {
  const start = target.indexOf('?');
  if (start === -1) return NO_QUERY;
  const { values, nearMiss } = groupByName(new URLSearchParams(target.slice(start + 1)), parameters);
  if (nearMiss !== null) throw nearMissError(nearMiss);
  const given = parseParameters(values, parameters);
  const cursor = given.cursor === undefined ? null : parseCursor(given.cursor[0]);
  if (cursor === undefined) throw new ParameterError('cursor', FEED_PARAMETERS.cursor);
  const feed = parseFeedQuery(parameters, given, cursor);
  const format = (part: Part, options = {}) => formatPart(part, { parameters, given, feed }, options);
  const filterText = format('filter');
  const linkText = format('filter', { isForLink: true });
  const pageText = format('page');
  return {
    feed,
    cursor,
    given,
    filterText,
    linkText,
    pageText,
    text: joinTexts(linkText, pageText, format('cursor')),
  };
}

export function nextPageQuery({ linkText, pageText }: Query, cursor: string): string {
  return joinTexts(linkText, pageText, String(new URLSearchParams({ cursor })));
}

/** The value of the `Link` header for the page after one that ends here; undefined for the last one. */
export function linkToNext(
  { site: { baseUrl }, path, query }: PagedRequest,
  { end, cursorKey }: Readonly<{ end: FeedPosition | null; cursorKey: string }>,
): string | undefined {
  if (end === null) return undefined;
  const cursor = formatCursor(cursorKey, contextOf(path, query), end);
  return `<${baseUrl}${path}${nextPageQuery(query, cursor)}>; rel="next"`;
}

type PagedRequest = Readonly<{ site: Readonly<{ baseUrl: string }>; path: string; query: Query }>;

/** For versions with their changes: so many, unless the query says how many. */
export function fullQuery({ feed }: Query, versionsMax: number): LimitedQuery {
  return { ...feed, limit: feed.limit ?? versionsMax, withChanges: true };
}

/** For links to the same selection elsewhere. */
export function linkQuery({ linkText, pageText }: Query): string {
  return joinTexts(linkText, pageText);
}

function joinTexts(...texts: readonly string[]): string {
  const joined = texts.filter((text) => text !== '').join('&');
  return joined === '' ? '' : `?${joined}`;
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
