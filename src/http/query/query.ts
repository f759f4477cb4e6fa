// The query of a URL, parsed (R21, R32). Equivalent queries have the same text, whatever their spelling.
import { type FeedQuery, formatWords, NO_FILTER, parseWords } from '../../domain/feed-query.ts';
import { CHANGE_TYPES } from '../../domain/model.ts';
import { normaliseTimestamp } from '../../domain/timestamp.ts';
import { versionOrder } from '../../domain/version-order.ts';
import { type Cursor, parseCursor } from './cursor.ts';
import { groupByName, nearMissError } from './names.ts';
import {
  isValid,
  PAGE_VERSIONS_MAX,
  type ParameterName,
  type ParsedParameters,
  parameterError,
  parseParameters,
} from './parameters.ts';

export type Query = Readonly<{
  feed: FeedQuery;
  /** Where the previous page ended. Its signature is not checked yet: the key for that is in the database. */
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
  /** All parameters that count, after a `?`; empty if there are none. */
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

/** Parses these parameters. Throws if a value is not valid, or if another name is almost one of theirs. */
export function parseQuery(target: string, names: readonly ParameterName[]): Query {
  const start = target.indexOf('?');
  if (start === -1) return NO_QUERY;
  const { values, nearMiss } = groupByName(new URLSearchParams(target.slice(start + 1)), names);
  if (nearMiss !== null) throw nearMissError(nearMiss);
  const given = parseParameters(values, names);
  const cursor = given.cursor === undefined ? null : parseCursor(given.cursor[0]);
  if (cursor === undefined) throw parameterError('cursor');
  const feed = parseFeedQuery(given, cursor);
  const words = feed.words === null ? undefined : [formatWords(feed.words)];
  const filterText = formatFilter(given, feed, words);
  const pageText = formatPairs([
    ['limit', given.limit],
    ['include', given.include],
  ]);
  return {
    feed,
    cursor,
    from: given.from?.[0] ?? null,
    to: given.to?.[0] ?? null,
    filterText,
    // Normalised words may be longer than the limit for words.
    linkText: isValid('q', words?.[0] ?? '') ? filterText : formatFilter(given, feed, given.q),
    pageText,
    text: joinTexts(filterText, pageText, formatPairs([['cursor', given.cursor]])),
  };
}

export function nextPageQuery({ linkText, pageText }: Query, cursor: string): string {
  return joinTexts(linkText, pageText, formatPairs([['cursor', [cursor]]]));
}

function joinTexts(...texts: readonly string[]): string {
  const joined = texts.filter((text) => text !== '').join('&');
  return joined === '' ? '' : `?${joined}`;
}

function parseFeedQuery(given: ParsedParameters, cursor: Cursor | null): FeedQuery {
  return {
    since: given.since === undefined ? null : parseTime('since', given.since[0], startOf),
    until: given.until === undefined ? null : parseTime('until', given.until[0], endOf),
    from: given.from === undefined ? null : versionOrder(given.from[0]),
    to: given.to === undefined ? null : versionOrder(given.to[0]),
    types: CHANGE_TYPES.filter((type) => given.type?.includes(type)),
    withPrereleases: given.prerelease?.[0] !== 'false',
    words: given.q === undefined ? null : parseWords(given.q[0]),
    limit: limitOf(given),
    after: cursor?.position ?? null,
    withChanges: given.include !== undefined,
  };
}

/** Full records are paged even without `limit` (R51). */
function limitOf({ limit, include }: ParsedParameters): number | null {
  if (limit !== undefined) return Number(limit[0]);
  return include === undefined ? null : PAGE_VERSIONS_MAX;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const startOf = (date: string) => date;
const endOf = (date: string) => `${date}T23:59:59.999Z`;

/** A plus sign that the client did not encode arrives as a space. */
function parseTime(name: 'since' | 'until', value: string, ofDay: (date: string) => string): string {
  const text = value.replace(/ (?=\d{2}:\d{2}$)/, '+');
  const timestamp = normaliseTimestamp(text) && normaliseTimestamp(DATE.test(text) ? ofDay(text) : text);
  if (!timestamp) throw parameterError(name);
  return timestamp;
}

function formatFilter(
  given: ParsedParameters,
  { since, until, types, withPrereleases }: FeedQuery,
  q: readonly string[] | undefined,
): string {
  return formatPairs([
    ['since', since === null ? undefined : [since]],
    ['until', until === null ? undefined : [until]],
    ['from', given.from],
    ['to', given.to],
    ['type', types],
    ['prerelease', withPrereleases ? undefined : ['false']],
    ['q', q],
  ]);
}

function formatPairs(pairs: readonly [ParameterName, readonly string[] | undefined][]): string {
  const flat = pairs.flatMap(([name, values = []]) => values.map((value): [string, string] => [name, value]));
  return String(new URLSearchParams(flat));
}
