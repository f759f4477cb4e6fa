// What a CDN is told about a public response (R66): how long to keep it, and the tags by which it is purged.
import { createTagger, type Tagger, tagTextsOf } from '../../hooks/cache-tags.ts';
import { findCursorKey } from '../../store/engine/revisions.ts';
import type { Origin } from '../../store/engine/touches.ts';
import type { Source } from '../../store/source/source.ts';
import { CDN_LIFETIME } from './response.ts';

export type Cdn = ReturnType<typeof createCdn>;

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
