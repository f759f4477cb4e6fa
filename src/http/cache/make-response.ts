// Makes a response from the current rows: finds them, writes its body, and keeps it.
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { Surface } from '../../domain/model.ts';
import { ApiError } from '../../errors.ts';
import { waitForTurn } from '../../event-loop.ts';
import { createTagger, type Tagger, tagTextsOf } from '../../hooks/cache-tags.ts';
import type { Reader } from '../../store/engine/engine.ts';
import { findCursorKey } from '../../store/engine/revisions.ts';
import { affects, type Origin, touchesOn } from '../../store/engine/touches.ts';
import type { AtRevision } from '../../store/read/reads.ts';
import type { Source } from '../../store/source/source.ts';
import { CollectedBody, ContentChanged, type WriteBody } from './body.ts';
import { CachedResponse, CDN_LIFETIME, type Content, type Described, type ResponseKind } from './response.ts';
import type { ResponseCache } from './response-cache.ts';

/** How long a response may still be sent after its content changed (R29); after that, it is made again. */
const STALE_MS_MAX = 500;
const ATTEMPTS_MAX = 3;
const TOO_MANY_WRITES = new ApiError('unavailable', {
  cause: new Error('the content of a long response kept changing'),
});

/** A resource as text, before it is encoded. */
export type Representation = Described &
  Readonly<{
    /** A function if writing takes too long to count as time spent in the database. */
    text: string | WriteBody;
    /** By default that of its read. */
    contentType?: string | undefined;
    /** More headers for a 200; a function if they depend on what was written. */
    head?: readonly string[] | (() => readonly string[]) | undefined;
    /** The language of the product's pages. */
    language?: string;
    /** Whether its rows show that it is long, so that it needs a slot (R52). */
    isLong?: boolean;
    origin: Origin & Readonly<{ domain?: string | null }>;
    /** The last write to what it shows, for the ETag of a long body; by default the revision of everything. */
    writtenAt?: number;
  }>;

export type Job = Readonly<{
  /** The path and the parameters that matter. */
  key: string;
  surface: Surface;
  /** What a route knows of its responses. */
  kind: Pick<ResponseKind, 'cacheControl' | 'contentType'> & Readonly<{ cdn: Cdn | null }>;
  find: (db: Reader) => MaybePromise<AtRevision<Representation>>;
  /** Time since the request arrived, which counts against its database timeout. */
  spentMs: number;
  hasSlot: boolean;
  /** Called before each part; throws once no client is waiting. */
  requireWanted: () => void;
}>;

/** Returned instead of a response that needs a slot. */
export const TURNED_OUT_LONG = Symbol('long');
export type Made = CachedResponse | null | typeof TURNED_OUT_LONG;

/** A body being written from rows already read. */
type Writing = Pick<Job, 'key' | 'surface'> & {
  readonly origin: Origin;
  /** When its content was first known to have changed. */
  touchedAt: number | null;
};

/** `onOutdated` gets the key of a response whose content changes while it is being written. Null is a 404. */
export function createMake(source: Source, cache: ResponseCache, onOutdated: (key: string) => void) {
  const beingWritten = new Set<Writing>();

  source.onTouched((touches) => {
    cache.invalidate(touches);
    for (const writing of beingWritten) {
      const visible = touchesOn(writing.surface, touches);
      if (!visible.some((touch) => affects(touch, writing.origin))) continue;
      writing.touchedAt ??= performance.now();
      onOutdated(writing.key);
    }
  });

  async function make(job: Job): Promise<Made> {
    const { key, surface, kind, find, spentMs, hasSlot, requireWanted } = job;
    await kind.cdn?.load();
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      // SQLite reads synchronously: without yielding, requests that arrive together would all be read before any other
      // is served. Each turn takes as many of them as it has time for.
      const turn = waitForTurn();
      if (turn !== null) await turn;
      requireWanted();
      const { revision, found } = await source.read(find, spentMs);
      // Rows read just before a known write must not be cached as if they came after it.
      const isCurrent = revision >= source.revision(surface);
      if (found === undefined) {
        // The old response must not come back while the database is down.
        cache.delete(key);
        if (isCurrent) cache.putNotFound(key, surface);
        return null;
      }
      if (found.isLong && !hasSlot) return TURNED_OUT_LONG;
      const { text, origin, writtenAt = revision } = found;
      const writing: Writing = { key, surface, origin, touchedAt: null };
      try {
        const content = typeof text === 'string' ? text : await write(writing, text, requireWanted);
        return keep(job, found, content, writtenAt, isCurrent && writing.touchedAt === null);
      } catch (error) {
        if (!(error instanceof ContentChanged)) throw error;
      }
    }
    throw TOO_MANY_WRITES;
  }

  /** Fails if its content has changed for too long. Other requests and database writes are served in the meantime. */
  async function write(writing: Writing, text: WriteBody, requireWanted: () => void): Promise<Content> {
    const requireUntouched = () => {
      if (writing.touchedAt !== null) throw new ContentChanged();
    };
    const out = new CollectedBody(requireWanted);
    const writeAll = async () => {
      beingWritten.add(writing);
      try {
        await text(out, (query) => {
          requireWanted();
          return source.read(query);
        });
        await source.isConfirmed();
      } finally {
        beingWritten.delete(writing);
      }
    };
    const end = writeAll();
    const size = await out.collect(end);
    const { touchedAt } = writing;
    if (touchedAt !== null && performance.now() - touchedAt > STALE_MS_MAX) {
      out.cancel();
      throw new ContentChanged();
    }
    return size === 'whole' ? out.finish() : out.streamUntil(end.then(requireUntouched));
  }

  /** Caches it, if it is current. */
  function keep(
    { key, surface, kind: { cdn, ...kind } }: Job,
    { contentType = kind.contentType, link, totalCount, location, head, origin }: Representation,
    content: Content,
    writtenAt: number,
    isCurrent: boolean,
  ): CachedResponse {
    const described = {
      ...kind,
      contentType,
      link,
      totalCount,
      location,
      head: typeof head === 'function' ? head() : head,
      // Sending a body that is not kept may take longer than it stays current.
      cdnHead: cdn?.headOf(origin, isCurrent && !(content instanceof CollectedBody)),
      domain: origin.domain,
    };
    const response = new CachedResponse(content, described, writtenAt);
    if (isCurrent) cache.put(key, { response, surface, origin });
    return response;
  }

  return make;
}

export type Cdn = ReturnType<typeof createCdn>;

/** What a CDN is told about a public response (R66): how long to keep it, and the tags by which it is purged. */
export function createCdn(source: Source, maxAgeSeconds: number) {
  const lifetime = [CDN_LIFETIME, `public, max-age=${maxAgeSeconds}`];
  let tagger: Tagger | null = null;
  let replacements = 0;
  source.onTouched((touches) => {
    if (!touches.some(({ kind }) => kind === 'everything')) return;
    // There may be another database in its place, with another key.
    tagger = null;
    replacements++;
  });

  return {
    /** Reads the key of the tags, unless it is known. */
    load: async (): Promise<void> => {
      if (tagger !== null) return;
      const readAt = replacements;
      try {
        const key = await source.read(findCursorKey);
        if (readAt === replacements && key !== '') tagger = createTagger(key);
      } catch {
        // Without its tags, no response is kept by a CDN.
      }
    },
    /** The headers of a response, each name followed by its value; none while the key of the tags is unknown. */
    headOf: (origin: Origin, isCurrent: boolean): readonly string[] => {
      if (tagger === null) return [];
      const tags = tagTextsOf(origin).map(tagger);
      const tagHead = ['surrogate-key', tags.join(' '), 'cache-tag', tags.join(',')];
      return isCurrent ? [...lifetime, ...tagHead] : tagHead;
    },
  };
}
