import { andThen, type MaybePromise, orElse } from '../../domain/maybe-promise.ts';
import type { Surface } from '../../domain/model.ts';
import { isUnavailable } from '../../store/engine/failures.ts';
import type { Source } from '../../store/source/source.ts';
import { LONG_RESPONSE_LIMITS, limitConcurrency } from '../guards/concurrency.ts';
import type { Waiter } from '../pipeline/waiter.ts';
import { type Cdn, withoutLifetime } from './cdn.ts';
import type { Encoding } from './encodings.ts';
import { Flight } from './flight.ts';
import { createReads, type Find, type Made, type RouteKind, TURNED_OUT_LONG } from './make-response.ts';
import type { CachedResponse, EncodedResponse } from './response.ts';
import type { ResponseCache } from './response-cache.ts';

/** How long cached responses may be served after the last contact with the database (R30). */
const STALE_WHILE_DOWN_MS_MAX = 60_000;
/**
 * A CDN is purged several times, the last time about two seconds after a write (R66). A response that leaves later than this
 * after it was certainly current might reach the CDN after that.
 */
const CERTAIN_MS_MAX = 1_000;

export type CacheQuery = Readonly<{
  /** The path and the parameters that matter. */
  key: string;
  surface: Surface;
  kind: RouteKind;
  /** Whether it is known to be long before anything is read (R52). */
  isLong: boolean;
  /** The client waiting for a long response. */
  waiter: () => Waiter;
  encoding: Encoding | null;
  /** When the request arrived: time spent so far counts against its database timeout. */
  startedAt: number;
}>;

type LongFlight = Flight<CachedResponse | null>;

export type ResponseSource = 'cache' | 'database' | 'stale_cache';

/**
 * Responds from the cache while that is current, otherwise from the database, with one query for all requests that wait
 * for it. While the database is down, cached public responses are served for a while and everything else fails (R29,
 * R30). Null is a 404. Cached responses and SQLite reads are returned at once, without a promise.
 */
export function createResponses(
  source: Source,
  cache: ResponseCache,
  onSource: (source: ResponseSource) => void,
) {
  /** Short and long responses being made. */
  const reads = new Map<string, Promise<Made>>();
  const flights = new Map<string, LongFlight>();
  /** Long responses waiting for a slot, by client. */
  const queued = new Map<string, LongFlight>();
  const runLimited = limitConcurrency(LONG_RESPONSE_LIMITS);
  const read = createReads(source, cache, (key) => {
    // Requests from now on must see the new content.
    reads.delete(key);
    flights.delete(key);
  });

  function readOnce(query: CacheQuery, find: Find): MaybePromise<CachedResponse | null> {
    if (query.isLong) return readLong(query, find);
    return andThen(readShort(query, find), (made) =>
      made === TURNED_OUT_LONG ? readLong(query, find) : made,
    );
  }

  function readShort(query: CacheQuery, find: Find): MaybePromise<Made> {
    const { key, surface, kind, startedAt } = query;
    const running = reads.get(key);
    if (running !== undefined) return running;
    const made = read({
      key,
      surface,
      kind,
      find,
      spentMs: performance.now() - startedAt,
      requireWanted: null,
    });
    if (!(made instanceof Promise)) return made;
    const reading = made.finally(() => {
      if (reads.get(key) === reading) reads.delete(key);
    });
    reads.set(key, reading);
    return reading;
  }

  /**
   * Clients share a response that is already being made, but each waits for its own slot: otherwise a client that has
   * used up its slots would hold up others that ask for the same response.
   */
  async function readLong(query: CacheQuery, find: Find): Promise<CachedResponse | null> {
    const waiter = query.waiter();
    const queuedKey = `${waiter.client} ${query.key}`;
    const shared = flights.get(query.key) ?? queued.get(queuedKey);
    if (shared === undefined) return await startFlight(query, find, waiter, queuedKey).result;
    shared.waiters.add(waiter);
    return await holdSlot(waiter, await shared.result);
  }

  function startFlight(query: CacheQuery, find: Find, waiter: Waiter, queuedKey: string): LongFlight {
    const { key, surface, kind, startedAt } = query;
    // Waiting for a slot does not count against the database timeout.
    const spentMs = performance.now() - startedAt;
    // The slot comes before the first query, so waiting requests hold no rows.
    const make = (flight: LongFlight) =>
      runLimited(waiter, async () => {
        const cached = (await source.isConfirmed()) ? cache.find(key) : undefined;
        if (cached !== undefined) return cached;
        const running = flights.get(key);
        if (running !== undefined) return await running.merge(flight);
        flights.set(key, flight);
        const { requireWanted } = flight;
        requireWanted();
        const response = (await read({
          key,
          surface,
          kind,
          find,
          spentMs,
          requireWanted,
        })) as CachedResponse | null;
        // Compression is part of the work.
        await encodeFirst(query, response);
        return response;
      }).finally(() => {
        if (queued.get(queuedKey) === flight) queued.delete(queuedKey);
        if (flights.get(key) === flight) flights.delete(key);
      });
    const flight: LongFlight = new Flight(waiter, make);
    queued.set(queuedKey, flight);
    return flight;
  }

  /** A streamed response takes work and memory for each client it is sent to. */
  async function holdSlot<T extends CachedResponse | null>(waiter: Waiter, response: T): Promise<T> {
    return response?.isStreamed ? await runLimited(waiter, async () => response) : response;
  }

  function encode(
    { key, encoding }: CacheQuery,
    response: CachedResponse | null,
  ): MaybePromise<EncodedResponse | null> {
    return response === null ? null : response.in(encoding, () => cache.resize(key, response));
  }

  /** A large response may never be requested again, so only later requests, served from memory, get it compressed. */
  function encodeFirst(query: CacheQuery, response: CachedResponse | null): ReturnType<typeof encode> {
    return response?.isLarge ? response.plain : encode(query, response);
  }

  function readOrServeStale(
    query: CacheQuery,
    find: Find,
    cached: CachedResponse | null | undefined,
  ): MaybePromise<EncodedResponse | null> {
    const readNow = () =>
      andThen(readOnce(query, find), (response) => {
        onSource('database');
        return encodeFirst(query, response);
      });
    return orElse(readNow, (error) => {
      const mayBeStale = query.surface === 'public' && source.unconfirmedMs() <= STALE_WHILE_DOWN_MS_MAX;
      if (!cached || cached.isStreamed || !mayBeStale || !isUnavailable(error)) throw error;
      onSource('stale_cache');
      return encode(query, cached);
    });
  }

  function respond(query: CacheQuery, find: Find, isConfirmed: boolean) {
    const cached = cache.find(query.key);
    if (cached === undefined || !isConfirmed) return readOrServeStale(query, find, cached);
    onSource('cache');
    return cached?.isStreamed
      ? holdSlot(query.waiter(), cached).then(({ plain }) => plain)
      : encode(query, cached);
  }

  function respondConfirmed(query: CacheQuery, find: Find): MaybePromise<EncodedResponse | null> {
    const isConfirmed = source.isConfirmed();
    return typeof isConfirmed === 'boolean'
      ? respond(query, find, isConfirmed)
      : isConfirmed.then((confirmed) => respond(query, find, confirmed));
  }

  function respondThrough(cdn: Cdn, query: CacheQuery, find: Find): MaybePromise<EncodedResponse | null> {
    return andThen(source.confirmRecently(), (certainAt) =>
      andThen(cdn.load(), () =>
        andThen(respondConfirmed(query, find), (response) => {
          const isCertain = performance.now() - certainAt <= CERTAIN_MS_MAX;
          return response === null || isCertain ? response : withoutLifetime(response);
        }),
      ),
    );
  }

  return (query: CacheQuery, find: Find): MaybePromise<EncodedResponse | null> =>
    query.kind.cdn === null ? respondConfirmed(query, find) : respondThrough(query.kind.cdn, query, find);
}

export type Responses = ReturnType<typeof createResponses>;
