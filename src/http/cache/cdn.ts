// What a CDN is told about a public response (R66): how long to keep it, and the tags by which it is purged.
import { andThen, type MaybePromise, orElse } from '../../domain/maybe-promise.ts';
import { createTagger, type Tagger, tagTextsOf } from '../../hooks/cache-tags.ts';
import { findCursorKey } from '../../store/engine/revisions.ts';
import type { Origin } from '../../store/engine/touches.ts';
import type { Source } from '../../store/source/source.ts';
import type { EncodedResponse } from './response.ts';

export type Cdn = Readonly<{
  /** The headers of a response, each name followed by its value; none while the key of the tags is unknown. */
  headOf: (origin: Origin, isCurrent: boolean) => readonly string[];
  /** Reads the key of the tags, unless it is known. */
  load: () => MaybePromise<void>;
}>;

const LIFETIME = 'cdn-cache-control';

export function createCdn(source: Source, maxAgeSeconds: number): Cdn {
  const lifetime = [LIFETIME, `public, max-age=${maxAgeSeconds}`];
  let tagger: Tagger | null = null;
  let replacements = 0;
  source.onTouched((touches) => {
    if (!touches.some(({ kind }) => kind === 'everything')) return;
    // There may be another database in its place, with another key.
    tagger = null;
    replacements++;
  });

  function read(): MaybePromise<void> {
    const readAt = replacements;
    return andThen(source.read(findCursorKey), (key) => {
      if (readAt === replacements && key !== '') tagger = createTagger(key);
    });
  }

  return {
    load: () => (tagger === null ? orElse(read, () => {}) : undefined),
    headOf: (origin, isCurrent) => {
      if (tagger === null) return [];
      const tags = tagTextsOf(origin).map(tagger);
      const tagHead = ['surrogate-key', tags.join(' '), 'cache-tag', tags.join(',')];
      return isCurrent ? [...lifetime, ...tagHead] : tagHead;
    },
  };
}

/** After a write, a host may still lead to a product that no longer has it; a CDN must not keep what that shows. */
export function forHost(host: string | null, response: EncodedResponse): EncodedResponse {
  return host === null || host === response.domain ? response : withoutLifetime(response);
}

/** For a response that may be out of date: it keeps its tags, so that it is purged all the same. */
export function withoutLifetime(response: EncodedResponse): EncodedResponse {
  const without = (head: readonly string[]) =>
    head.includes(LIFETIME) ? head.toSpliced(head.indexOf(LIFETIME), 2) : head;
  return { ...response, head: without(response.head), unchangedHead: without(response.unchangedHead) };
}
