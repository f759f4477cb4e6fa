// Rendered HTML by its source text.
import { LRUCache } from 'lru-cache';

type CachedHtml = Readonly<{ html: string; syntaxCount: number }>;

/** An entry's cost besides its text and HTML. */
const OVERHEAD_BYTES = 200;

export function createHtmlCache(bytesMax: number): LRUCache<string, CachedHtml> {
  return new LRUCache({
    // Not 0, which would be no limit.
    maxSize: Math.max(1, Math.floor(bytesMax)),
    sizeCalculation: ({ html }, text) => Buffer.byteLength(text) + Buffer.byteLength(html) + OVERHEAD_BYTES,
  });
}
