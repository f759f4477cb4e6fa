// The query of an address → what is asked (R21, R32). Requests that ask the same have the same text, however they are
// written.
import { type FeedQuery, formatWords, NO_FILTER, parseWords } from '../../domain/feed-query.ts';
import { CHANGE_TYPES } from '../../domain/model.ts';
import { normaliseTimestamp } from '../../domain/timestamp.ts';
import { versionOrder } from '../../domain/version-order.ts';
import { type Cursor, parseCursor } from './cursor.ts';
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
  /** Where the page before ended, if it was one of ours; whether it was is known only with the database. */
  cursor: Cursor | null;
  /** Labels as they were given. */
  from: string | null;
  to: string | null;
  /** What versions must pass, in one order and one spelling; and the same as a link can have it. */
  filterText: string;
  linkText: string;
  /** How they are asked for. */
  pageText: string;
  /** All that counts, with a `?` in front; empty if nothing does. */
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

/** Takes the parameters that a read knows, and no others; a wrong value of one of them is refused. */
export function parseQuery(target: string, names: readonly ParameterName[]): Query {
  const start = target.indexOf('?');
  if (start === -1) return NO_QUERY;
  const given = parseParameters(target.slice(start + 1), names);
  const cursor = given.cursor === undefined ? null : parseCursor(given.cursor[0]);
  if (cursor === undefined) throw parameterError('cursor');
  const feed = readFeedQuery(given, cursor);
  const words = feed.words === null ? undefined : [formatWords(feed.words)];
  const filterText = writeFilter(given, feed, words);
  const pageText = writePairs([
    ['limit', given.limit],
    ['include', given.include],
  ]);
  return {
    feed,
    cursor,
    from: given.from?.[0] ?? null,
    to: given.to?.[0] ?? null,
    filterText,
    // Words in one spelling may be longer than words may be.
    linkText: isValid('q', words?.[0] ?? '') ? filterText : writeFilter(given, feed, given.q),
    pageText,
    text: joinTexts(filterText, pageText, writePairs([['cursor', given.cursor]])),
  };
}

/** The query of the page that begins where this one ends. */
export function nextPageQuery({ linkText, pageText }: Query, cursor: string): string {
  return joinTexts(linkText, pageText, writePairs([['cursor', [cursor]]]));
}

function joinTexts(...texts: readonly string[]): string {
  const joined = texts.filter((text) => text !== '').join('&');
  return joined === '' ? '' : `?${joined}`;
}

function readFeedQuery(given: ParsedParameters, cursor: Cursor | null): FeedQuery {
  return {
    since: given.since === undefined ? null : readMoment('since', given.since[0], startOf),
    until: given.until === undefined ? null : readMoment('until', given.until[0], endOf),
    from: given.from === undefined ? null : versionOrder(given.from[0]),
    to: given.to === undefined ? null : versionOrder(given.to[0]),
    types: CHANGE_TYPES.filter((type) => given.type?.includes(type)),
    withPrereleases: given.prerelease?.[0] !== 'false',
    words: given.q === undefined ? null : parseWords(given.q[0]),
    limit: readLimit(given),
    after: cursor?.position ?? null,
    withChanges: given.include !== undefined,
  };
}

/** Full records come in pages, whether or not anybody asks for one (R51). */
function readLimit({ limit, include }: ParsedParameters): number | null {
  if (limit !== undefined) return Number(limit[0]);
  return include === undefined ? null : PAGE_VERSIONS_MAX;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const startOf = (date: string) => date;
const endOf = (date: string) => `${date}T23:59:59.999Z`;

/** A plus sign that was not encoded has become a space on its way. */
function readMoment(name: 'since' | 'until', written: string, ofDay: (date: string) => string): string {
  const isRead = written.replace(/ (?=\d{2}:\d{2}$)/, '+');
  const moment = normaliseTimestamp(isRead) && normaliseTimestamp(DATE.test(isRead) ? ofDay(isRead) : isRead);
  if (!moment) throw parameterError(name);
  return moment;
}

function writeFilter(
  given: ParsedParameters,
  { since, until, types, withPrereleases }: FeedQuery,
  q: readonly string[] | undefined,
): string {
  return writePairs([
    ['since', since === null ? undefined : [since]],
    ['until', until === null ? undefined : [until]],
    ['from', given.from],
    ['to', given.to],
    ['type', types],
    ['prerelease', withPrereleases ? undefined : ['false']],
    ['q', q],
  ]);
}

function writePairs(pairs: readonly [ParameterName, readonly string[] | undefined][]): string {
  const flat = pairs.flatMap(([name, values = []]) => values.map((value): [string, string] => [name, value]));
  return String(new URLSearchParams(flat));
}
