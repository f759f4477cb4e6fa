import { andThen, type MaybePromise, orElse } from '../../domain/maybe-promise.ts';
import { ApiError } from '../../errors.ts';
import { waitForTurn } from '../../present/html/slices.ts';
import type { Reader } from '../../store/engine/engine.ts';
import { isUnavailable } from '../../store/engine/failures.ts';
import { affects, type Origin, touchesOn } from '../../store/engine/touches.ts';
import type { AtRevision } from '../../store/read/reads.ts';
import type { Source } from '../../store/source/source.ts';
import { LONG_RESPONSE_LIMITS, limitConcurrency, type SlotRequest } from '../guards/concurrency.ts';
import { BodyWriter } from './body.ts';
import type { Encoding } from './encodings.ts';
import { CachedResponse, type EncodedResponse, type ResponseKind } from './response.ts';
import { type ResponseCache, surfaceOf } from './response-cache.ts';

/** How long a response may be known to be out of date before it is sent (R29); beyond that, it is read again. */
const STALE_MS_MAX = 500;
const ATTEMPTS_MAX = 3;
const TOO_MANY_WRITES = new ApiError('unavailable', {
  cause: new Error('the content of a long response kept changing'),
});
/** How long cached responses may be served after the last contact with the database (R30). */
const STALE_WHILE_DOWN_MS_MAX = 60_000;

/** Thrown while a long response is written, if its content changed between two of its reads. */
export class ContentChanged extends Error {
  override readonly name = 'ContentChanged';
}

function nullIfChanged(error: unknown): null {
  if (error instanceof ContentChanged) return null;
  throw error;
}

export type CacheQuery = Readonly<{
  /** The path and the parameters that count. */
  key: string;
  kind: ResponseKind;
  /** Null for a short response, which needs no slot. */
  slot: SlotRequest | null;
  encoding: Encoding | null;
  /** When the request arrived: the time it has spent counts against its time for the database. */
  startedAt: number;
}>;

/** A resource as text, not yet as bytes. */
export type Representation = Readonly<{
  /** A function where writing takes so long that it must not count as waiting for the database. */
  text: string | WriteBody;
  /** The value of the `Link` header. */
  link?: string | undefined;
  /** Further headers of a 200. */
  head?: readonly string[] | undefined;
  origin: Origin;
}>;

export type WriteBody = (out: BodyWriter, read: ReadMore) => MaybePromise<unknown>;
/** Runs further queries for a response that is read in several steps. */
export type ReadMore = <T>(query: (db: Reader) => MaybePromise<T>) => MaybePromise<T>;
type Find = (db: Reader) => MaybePromise<AtRevision<Representation>>;

export type CacheOutcome = 'held' | 'read' | 'held_away';

/** A response that is written from rows that were read already. */
type PendingWrite = {
  readonly key: string;
  readonly origin: Origin;
  isCurrent: boolean;
  /** When its content is first known to have changed. */
  touchedAt: number | null;
};

/**
 * Responds from the cache while that is current, and else from the database, with one query however many requests wait for
 * it. While the database is down, cached public responses are served for a while, and everything else fails (R29, R30).
 * Null is a 404. What is cached, or read from a database within this process, is returned at once, without a promise.
 */
export function createResponses(
  source: Source,
  cache: ResponseCache,
  onOutcome: (outcome: CacheOutcome) => void,
) {
  const reads = new Map<string, Promise<CachedResponse | null>>();
  const writes = new Set<PendingWrite>();
  const runLimited = limitConcurrency(LONG_RESPONSE_LIMITS);

  source.onTouched((touches) => {
    cache.invalidate(touches);
    for (const write of writes) {
      const visible = touchesOn(surfaceOf(write.key), touches);
      if (!visible.some((touch) => affects(touch, write.origin))) continue;
      write.isCurrent = false;
      write.touchedAt ??= performance.now();
      // Requests from now on must see the new content.
      reads.delete(write.key);
    }
  });

  function read(
    query: CacheQuery,
    find: Find,
    spentMs: number,
    attempt = 1,
  ): MaybePromise<CachedResponse | null> {
    const make = () =>
      andThen(source.read(find, spentMs), ({ revision, found }) => {
        // Rows that were read just before a known write must not be cached as if they came after it.
        const isCurrent = revision >= source.revision(surfaceOf(query.key));
        if (found !== undefined) return respondWith(found, isCurrent);
        // A cached response from before must not come back while the database is down.
        cache.delete(query.key);
        if (isCurrent) cache.putNotFound(query.key);
        return null;
      });

    function respondWith(found: Representation, isCurrent: boolean): MaybePromise<CachedResponse | null> {
      const { text, link, head, origin } = found;
      const pending: PendingWrite = { key: query.key, origin, isCurrent, touchedAt: null };
      const kind = { ...query.kind, link, head };
      const written = typeof text === 'string' ? finish(text, kind, pending) : write(text, kind, pending);
      return written instanceof Promise ? retryIfStale(written, pending) : written;
    }

    async function retryIfStale(
      written: Promise<CachedResponse>,
      pending: PendingWrite,
    ): Promise<CachedResponse | null> {
      const response = await written.catch(nullIfChanged);
      const { touchedAt } = pending;
      const isFresh = touchedAt === null || performance.now() - touchedAt <= STALE_MS_MAX;
      if (response !== null && isFresh) return response;
      if (attempt === ATTEMPTS_MAX) throw TOO_MANY_WRITES;
      return await read(query, find, spentMs, attempt + 1);
    }

    // A database within this process answers at once: of many requests that arrive together, all would be read before any
    // other is served. The next turn is for as many of those that wait as it has time for.
    const turn = waitForTurn();
    return turn === null ? make() : turn.then(make);
  }

  function write(text: WriteBody, kind: ResponseKind, pending: PendingWrite): MaybePromise<CachedResponse> {
    const out = new BodyWriter();
    let written: MaybePromise<unknown> = null;
    writes.add(pending);
    try {
      written = text(out, (query) => source.read(query));
    } finally {
      if (!(written instanceof Promise)) writes.delete(pending);
    }
    return written instanceof Promise
      ? writeMeanwhile(written, out, kind, pending)
      : finish(out.finish(), kind, pending);
  }

  /** Other requests, and writes to the database, are served in the meantime. */
  async function writeMeanwhile(
    written: Promise<unknown>,
    out: BodyWriter,
    kind: ResponseKind,
    pending: PendingWrite,
  ): Promise<CachedResponse> {
    try {
      await written;
      await source.isConfirmed();
      return finish(out.finish(), kind, pending);
    } finally {
      writes.delete(pending);
    }
  }

  function finish(
    content: string | readonly Buffer[],
    kind: ResponseKind,
    { key, origin, isCurrent }: PendingWrite,
  ): CachedResponse {
    const response = new CachedResponse(content, kind);
    if (isCurrent) cache.put(key, response, origin);
    return response;
  }

  function readOnce(query: CacheQuery, find: Find): MaybePromise<CachedResponse | null> {
    const { key, slot, startedAt } = query;
    const running = reads.get(key);
    if (running !== undefined) return running;
    // The time that a request waits for a slot does not count against its time for the database.
    const spentMs = performance.now() - startedAt;
    const readNow = () => read(query, find, spentMs);
    const makeLong = async () => {
      const response = await readNow();
      // Compression is part of the work.
      await encodeFirst(query, response);
      return response;
    };
    // The slot comes before the first query: a request that waits has read nothing yet.
    const made = slot === null ? readNow() : runLimited(slot, makeLong);
    if (!(made instanceof Promise)) return made;
    const reading = made.finally(() => {
      if (reads.get(key) === reading) reads.delete(key);
    });
    reads.set(key, reading);
    return reading;
  }

  function encode(
    { key, encoding }: CacheQuery,
    response: CachedResponse | null,
  ): MaybePromise<EncodedResponse | null> {
    return response === null ? null : response.in(encoding, () => cache.resize(key, response));
  }

  /** A large response may never be asked for again: only later requests, served from memory, get it compressed. */
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
        onOutcome('read');
        return encodeFirst(query, response);
      });
    return orElse(readNow, (error) => {
      const mayBeStale =
        surfaceOf(query.key) === 'public' && source.unconfirmedMs() <= STALE_WHILE_DOWN_MS_MAX;
      if (!cached || !mayBeStale || !isUnavailable(error)) throw error;
      onOutcome('held_away');
      return encode(query, cached);
    });
  }

  function respond(query: CacheQuery, find: Find, isConfirmed: boolean) {
    const cached = cache.find(query.key);
    if (cached === undefined || !isConfirmed) return readOrServeStale(query, find, cached);
    onOutcome('held');
    return encode(query, cached);
  }

  return (query: CacheQuery, find: Find): MaybePromise<EncodedResponse | null> => {
    const isConfirmed = source.isConfirmed();
    return typeof isConfirmed === 'boolean'
      ? respond(query, find, isConfirmed)
      : isConfirmed.then((confirmed) => respond(query, find, confirmed));
  };
}

export type Responses = ReturnType<typeof createResponses>;
