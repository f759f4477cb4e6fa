// Makes a response from what the database has now.
import { andThen, type MaybePromise } from '../../domain/maybe-promise.ts';
import { ApiError } from '../../errors.ts';
import { waitForTurn } from '../../event-loop.ts';
import type { Reader } from '../../store/engine/engine.ts';
import { affects, type Origin, touchesOn } from '../../store/engine/touches.ts';
import type { AtRevision } from '../../store/read/reads.ts';
import type { Source } from '../../store/source/source.ts';
import { type BodyWriter, CollectedBody, ContentChanged, type ReadMore, type WriteBody } from './body.ts';
import { CachedResponse, type ResponseKind } from './response.ts';
import { type ResponseCache, surfaceOf } from './response-cache.ts';
import { StreamedBody } from './streamed-body.ts';

/** How long a response may be known to be out of date before it is sent (R29); beyond that, it is read again. */
const STALE_MS_MAX = 500;
const ATTEMPTS_MAX = 3;
const TOO_MANY_WRITES = new ApiError('unavailable', {
  cause: new Error('the content of a long response kept changing'),
});

function nullIfChanged(error: unknown): null {
  if (error instanceof ContentChanged) return null;
  throw error;
}

/** A resource as text, not yet as bytes. */
export type Representation = Readonly<{
  /** A function where writing takes so long that it must not count as waiting for the database. */
  text: string | WriteBody;
  /** The value of the `Link` header. */
  link?: string | undefined;
  /** Further headers of a 200. */
  head?: readonly string[] | undefined;
  /** Do its rows show that it is long? Then it is written in a slot (R52). */
  isLong?: boolean;
  origin: Origin;
}>;

export type Find = (db: Reader) => MaybePromise<AtRevision<Representation>>;

type ReadRequest = Readonly<{
  /** The path and the parameters that count. */
  key: string;
  kind: ResponseKind;
  find: Find;
  /** How long ago the request arrived: that counts against its time for the database. */
  spentMs: number;
  /** Null without a slot; with one, throws once nobody waits for the response. */
  requireWanted: (() => void) | null;
}>;

/** Instead of a response that needs a slot. */
export const TURNED_OUT_LONG = Symbol('long');
export type Made = CachedResponse | null | typeof TURNED_OUT_LONG;

/** A response that is written from rows that were read already. */
type PendingWrite = {
  readonly key: string;
  readonly origin: Origin;
  isCurrent: boolean;
  /** When its content is first known to have changed. */
  touchedAt: number | null;
};

/**
 * A response is cached if it is current when it is finished. `onOutdated` is called with the key of one that is still
 * written while its content changes. Null is a 404.
 */
export function createReads(source: Source, cache: ResponseCache, onOutdated: (key: string) => void) {
  const writes = new Set<PendingWrite>();

  source.onTouched((touches) => {
    cache.invalidate(touches);
    for (const write of writes) {
      const visible = touchesOn(surfaceOf(write.key), touches);
      if (!visible.some((touch) => affects(touch, write.origin))) continue;
      write.isCurrent = false;
      write.touchedAt ??= performance.now();
      onOutdated(write.key);
    }
  });

  function read(request: ReadRequest, attempt = 1): MaybePromise<Made> {
    const { key, kind, find, spentMs, requireWanted } = request;
    const make = () =>
      andThen(source.read(find, spentMs), ({ revision, found }) => {
        // Rows that were read just before a known write must not be cached as if they came after it.
        const isCurrent = revision >= source.revision(surfaceOf(key));
        if (found !== undefined) return respondWith(found, isCurrent);
        // A cached response from before must not come back while the database is down.
        cache.delete(key);
        if (isCurrent) cache.putNotFound(key);
        return null;
      });

    function respondWith(found: Representation, isCurrent: boolean): MaybePromise<Made> {
      const { text, link, head, origin, isLong = false } = found;
      if (isLong && requireWanted === null) return TURNED_OUT_LONG;
      const pending: PendingWrite = { key, origin, isCurrent, touchedAt: null };
      const linked = { ...kind, link, head };
      const written =
        typeof text === 'string' ? finish(text, linked, pending) : write(request, text, linked, pending);
      return written instanceof Promise ? retryIfStale(written, pending) : written;
    }

    async function retryIfStale(written: Promise<CachedResponse>, pending: PendingWrite): Promise<Made> {
      const response = await written.catch(nullIfChanged);
      const { touchedAt } = pending;
      const isFresh = touchedAt === null || performance.now() - touchedAt <= STALE_MS_MAX;
      if (response !== null && isFresh) return response;
      if (attempt === ATTEMPTS_MAX) throw TOO_MANY_WRITES;
      return await read(request, attempt + 1);
    }

    // A database within this process answers at once: of many requests that arrive together, all would be read before any
    // other is served. The next turn is for as many of those that wait as it has time for.
    const turn = waitForTurn();
    return turn === null ? make() : turn.then(make);
  }

  function write(
    { find, requireWanted }: ReadRequest,
    text: WriteBody,
    kind: ResponseKind,
    pending: PendingWrite,
  ): MaybePromise<CachedResponse> {
    const onPart = requireWanted ?? (() => {});
    const out = new CollectedBody(onPart);
    const readMore: ReadMore = (query) => {
      onPart();
      return source.read(query);
    };
    const finishNow = () => {
      const content = out.finish();
      const isMeasured = typeof content !== 'string' && 'hashing' in content;
      return finish(isMeasured ? new StreamedBody(content, rewrite(find)) : content, kind, pending);
    };
    let written: MaybePromise<unknown> = null;
    writes.add(pending);
    try {
      written = text(out, readMore);
    } finally {
      if (!(written instanceof Promise)) writes.delete(pending);
    }
    return written instanceof Promise ? writeMeanwhile(written, finishNow, pending) : finishNow();
  }

  /** Other requests, and writes to the database, are served in the meantime. */
  async function writeMeanwhile(
    written: Promise<unknown>,
    finishNow: () => CachedResponse,
    pending: PendingWrite,
  ): Promise<CachedResponse> {
    try {
      await written;
      await source.isConfirmed();
      return finishNow();
    } finally {
      writes.delete(pending);
    }
  }

  /** Writes what is found now, a part at a time. */
  const rewrite = (find: Find) => async (out: BodyWriter) => {
    const { found } = await source.read(find);
    if (found === undefined) throw new ContentChanged();
    const { text } = found;
    await (typeof text === 'string' ? out.add(text) : text(out, (query) => source.read(query)));
  };

  function finish(
    content: string | readonly Buffer[] | StreamedBody,
    kind: ResponseKind,
    { key, origin, isCurrent }: PendingWrite,
  ): CachedResponse {
    const response = new CachedResponse(content, kind);
    if (isCurrent) cache.put(key, response, origin);
    return response;
  }

  return (request: ReadRequest): MaybePromise<Made> => read(request);
}
