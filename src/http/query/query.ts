// A URL's parsed query (R21, R32). Equivalent queries have the same text, however they are spelled.
import { type FeedQuery, NO_FILTER } from '../../domain/feed-query.ts';
import { type Cursor, parseCursor } from './cursor.ts';
import { groupByName, nearMissError } from './names.ts';
import {
  FEED_PARAMETERS,
  isValid,
  PAGE_VERSIONS_MAX,
  PARAMETERS,
  type Parameter,
  type ParameterName,
  type ParsedParameters,
  parameterError,
  parseParameters,
} from './parameters.ts';

export type Query = Readonly<{
  feed: FeedQuery;
  /** Where the previous page ended. Its signature is not verified yet: that key is in the database. */
  cursor: Cursor | null;
  /** Labels as given in the query. */
  from: string | null;
  to: string | null;
  /** The filter, normalised. */
  filterText: string;
  /** The filter in a form that is valid in a link. */
  linkText: string;
  /** `limit` and `include`. */
  pageText: string;
  /** All parameters that matter, after a `?`, or empty. */
  text: string;
}>;

const NO_QUERY: Query = Object.freeze({
  feed: NO_FILTER,
  cursor: null,
  from: null,
  to: null,
  filterText: '',
  linkText: '',
  pageText: '',
  text: '',
});

/** Parses these parameters. Throws if a value is invalid, or if another name is a near miss. */
export function parseQuery(target: string, names: readonly ParameterName[]): Query {
  const start = target.indexOf('?');
  if (start === -1) return NO_QUERY;
  const { values, nearMiss } = groupByName(new URLSearchParams(target.slice(start + 1)), names);
  if (nearMiss !== null) throw nearMissError(nearMiss);
  const given = parseParameters(values, names);
  const cursor = given.cursor === undefined ? null : parseCursor(given.cursor[0]);
  if (cursor === undefined) throw parameterError('cursor');
  const feed = parseFeedQuery(given, cursor);
  const filterText = formatPart('filter', given, feed);
  const pageText = formatPart('page', given, feed);
  return {
    feed,
    cursor,
    from: given.from?.[0] ?? null,
    to: given.to?.[0] ?? null,
    filterText,
    linkText: formatPart('filter', given, feed, { isForLink: true }),
    pageText,
    text: joinTexts(filterText, pageText, formatPart('cursor', given, feed)),
  };
}

export function nextPageQuery({ linkText, pageText }: Query, cursor: string): string {
  return joinTexts(linkText, pageText, String(new URLSearchParams({ cursor })));
}

function joinTexts(...texts: readonly string[]): string {
  const joined = texts.filter((text) => text !== '').join('&');
  return joined === '' ? '' : `?${joined}`;
}

function parseFeedQuery(given: ParsedParameters, cursor: Cursor | null): FeedQuery {
  const feed = { ...NO_FILTER, after: cursor?.position ?? null };
  for (const name of namesOf(given)) {
    const parsed = PARAMETERS[name].parse(given[name] as [string]);
    if (parsed === undefined) throw parameterError(name);
    Object.assign(feed, parsed);
  }
  // Full records are paged even without `limit` (R51).
  return feed.withChanges ? { ...feed, limit: feed.limit ?? PAGE_VERSIONS_MAX } : feed;
}

/** In the table's order, whatever their order in the query. */
function namesOf(given: ParsedParameters): ParameterName[] {
  return FEED_PARAMETERS.filter((name) => given[name] !== undefined);
}

/** Normalised words may exceed the length limit, so a link has the given ones. */
function formatPart(
  part: Parameter['part'],
  given: ParsedParameters,
  feed: FeedQuery,
  { isForLink = false } = {},
): string {
  const pairs = namesOf(given)
    .filter((name) => PARAMETERS[name].part === part)
    .flatMap((name) => {
      const { format }: Parameter = PARAMETERS[name];
      const asGiven = given[name] as [string];
      const normalised = format?.(feed) ?? asGiven;
      const isUsed = !isForLink || normalised.every((value) => isValid(name, value));
      return (isUsed ? normalised : asGiven).map((value): [string, string] => [name, value]);
    });
  return String(new URLSearchParams(pairs));
}
