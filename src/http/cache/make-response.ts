// Makes a response from the current rows.
import { andThen, type MaybePromise } from '../../domain/maybe-promise.ts';
import type { Surface } from '../../domain/model.ts';
import { ApiError } from '../../errors.ts';
import { waitForTurn } from '../../event-loop.ts';
import type { Reader } from '../../store/engine/engine.ts';
import { affects, type Origin, touchesOn } from '../../store/engine/touches.ts';
import type { AtRevision } from '../../store/read/reads.ts';
import type { Source } from '../../store/source/source.ts';
import { type BodyWriter, CollectedBody, ContentChanged, type ReadMore, type WriteBody } from './body.ts';
import type { Cdn } from './cdn.ts';
import { CachedResponse, type ResponseKind } from './response.ts';
import type { ResponseCache } from './response-cache.ts';
import { StreamedBody } from './streamed-body.ts';

/** How long a response may still be sent after its content changed (R29); after that, it is made again. */
const STALE_MS_MAX = 500;
const ATTEMPTS_MAX = 3;
const TOO_MANY_WRITES = new ApiError('unavailable', {
  cause: new Error('the content of a long response kept changing'),
});

function nullIfChanged(error: unknown): null {
  if (error instanceof ContentChanged) return null;
  throw error;
}

/** A resource as text, before it is encoded. */
export type Representation = Readonly<{
  /** A function if writing takes too long to count as time spent in the database. */
  text: string | WriteBody;
  /** By default that of its read. */
  contentType?: string | undefined;
  /** The value of the `Link` header. */
  link?: string | undefined;
  /** How many items there are on all pages. */
  totalCount?: number | undefined;
  /** Where a redirect leads; its text is empty. */
  location?: string | undefined;
  /** More headers for a 200; a function if they depend on what was written. */
  head?: readonly string[] | (() => readonly string[]) | undefined;
  /** The language of the product's pages. */
  language?: string;
  /** Whether its rows show that it is long, so that it needs a slot (R52). */
  isLong?: boolean;
  origin: Origin;
}>;

/** What a route knows of its responses. */
export type RouteKind = Pick<ResponseKind, 'cacheControl' | 'contentType'> & Readonly<{ cdn: Cdn | null }>;

/** All about a response that is known before it is written. */
type PendingKind = Omit<ResponseKind, 'head' | 'cdnHead'> &
  Pick<Representation, 'head'> &
  Pick<RouteKind, 'cdn'>;

export type Find = (db: Reader) => MaybePromise<AtRevision<Representation>>;

type ReadRequest = Readonly<{
  /** The path and the parameters that matter. */
  key: string;
  surface: Surface;
  kind: RouteKind;
  find: Find;
  /** Time since the request arrived, which counts against its database timeout. */
  spentMs: number;
  /** Null without a slot; with one, throws once no client is waiting. */
  requireWanted: (() => void) | null;
}>;

/** Returned instead of a response that needs a slot. */
export const TURNED_OUT_LONG = Symbol('long');
export type Made = CachedResponse | null | typeof TURNED_OUT_LONG;

/** A response being written from rows already read. */
type PendingWrite = {
  readonly key: string;
  readonly surface: Surface;
  readonly origin: Origin;
  isCurrent: boolean;
  /** When its content was first known to have changed. */
  touchedAt: number | null;
};

/**
 * A response is cached if it is still current when finished. `onOutdated` gets the key of a response whose content
 * changes while it is being written. Null is a 404.
 */
export function createReads(source: Source, cache: ResponseCache, onOutdated: (key: string) => void) {
  const writes = new Set<PendingWrite>();

  source.onTouched((touches) => {
    cache.invalidate(touches);
    for (const write of writes) {
      const visible = touchesOn(write.surface, touches);
      if (!visible.some((touch) => affects(touch, write.origin))) continue;
      write.isCurrent = false;
      write.touchedAt ??= performance.now();
      onOutdated(write.key);
    }
  });

  function read(request: ReadRequest, attempt = 1): MaybePromise<Made> {
    const { key, surface, kind, find, spentMs, requireWanted } = request;
    const make = () =>
      andThen(source.read(find, spentMs), ({ revision, found }) => {
        // Rows read just before a known write must not be cached as if they came after it.
        const isCurrent = revision >= source.revision(surface);
        if (found !== undefined) return respondWith(found, isCurrent);
        // The old response must not come back while the database is down.
        cache.delete(key);
        if (isCurrent) cache.putNotFound(key, surface);
        return null;
      });

    function respondWith(found: Representation, isCurrent: boolean): MaybePromise<Made> {
      const { text, contentType, link, totalCount, location, head, origin, isLong = false } = found;
      if (isLong && requireWanted === null) return TURNED_OUT_LONG;
      const pending: PendingWrite = { key, surface, origin, isCurrent, touchedAt: null };
      const about = { link, totalCount, location, head };
      const linked = { ...kind, ...(contentType && { contentType }), ...about };
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

    // SQLite reads synchronously: without yielding, requests that arrive together would all be read before any other is
    // served. Each turn takes as many of them as it has time for.
    const turn = waitForTurn();
    return turn === null ? make() : turn.then(make);
  }

  function write(
    { find, requireWanted }: ReadRequest,
    text: WriteBody,
    kind: PendingKind,
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

  /** Other requests and database writes are served in the meantime. */
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

  /** Writes the current content, a part at a time. */
  const rewrite = (find: Find) => async (out: BodyWriter) => {
    const { found } = await source.read(find);
    if (found === undefined) throw new ContentChanged();
    const { text } = found;
    await (typeof text === 'string' ? out.add(text) : text(out, (query) => source.read(query)));
  };

  function finish(
    content: string | readonly Buffer[] | StreamedBody,
    { head, cdn, ...kind }: PendingKind,
    { key, surface, origin, isCurrent }: PendingWrite,
  ): CachedResponse {
    // Sending one that is not kept may take longer than it stays current.
    const mayStay = isCurrent && !(content instanceof StreamedBody);
    const response = new CachedResponse(content, {
      ...kind,
      cdnHead: cdn?.headOf(origin, mayStay),
      head: typeof head === 'function' ? head() : head,
    });
    if (isCurrent) cache.put(key, { response, surface, origin });
    return response;
  }

  return (request: ReadRequest): MaybePromise<Made> => read(request);
}
