// Texts in the form that somebody needs, a few at a time: other requests are served in between.
import { LRUCache } from 'lru-cache';
import type { MaybePromise } from '../domain/maybe-promise.ts';
import { isTickUsedUp, yieldToEventLoop } from '../event-loop.ts';
import type { Tree } from './tree.ts';

/** `key` names all that the written text depends on besides its source; null if it is not worth keeping. */
export type Writer<T> = Readonly<{ key: string | null; write: (tree: Tree) => T }>;

/** Writes texts in order. */
export type Render = <T>(texts: readonly string[], writer: Writer<T>) => MaybePromise<readonly T[]>;

const BYTES_PER_MB = 1024 * 1024;
const SHARE_OF_CACHE = 1 / 16;
/** An entry's cost besides its texts. */
const OVERHEAD_BYTES = 200;

type ParseText = typeof import('./parse.ts').parseText;

/** Its cache takes memory beyond that of the cached responses, in proportion to it. */
export function openRenderer(cacheMaxMb: number, parser: ParseText | null = null): Render {
  const cache = new LRUCache<string, object>({
    // Not 0, which would be no limit.
    maxSize: Math.max(1, Math.floor(cacheMaxMb * BYTES_PER_MB * SHARE_OF_CACHE)),
    sizeCalculation: (written, key) => Buffer.byteLength(key) + sizeOf(written) + OVERHEAD_BYTES,
  });
  /** By default, ours is loaded for the first text. */
  let parse = parser;
  return async <T>(texts: readonly string[], { key, write }: Writer<T>) => {
    const all: T[] = [];
    for (const text of texts) {
      if (isTickUsedUp()) await yieldToEventLoop();
      const cacheKey = key === null ? null : `${key}\n${text}`;
      let made = cacheKey === null ? undefined : (cache.get(cacheKey) as { written: T } | undefined);
      if (made === undefined) {
        parse ??= (await import('./parse.ts')).parseText;
        made = { written: write(parse(text)) };
        if (cacheKey !== null) cache.set(cacheKey, made);
      }
      all.push(made.written);
    }
    return all;
  };
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  return typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum, each) => sum + sizeOf(each), 0)
    : 0;
}
