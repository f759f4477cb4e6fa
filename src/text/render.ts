// Texts in the form that somebody needs, a few at a time: other requests are served in between.
import { LRUCache } from 'lru-cache';
import type { MaybePromise } from '../domain/maybe-promise.ts';
import { isTickUsedUp, yieldToEventLoop } from '../event-loop.ts';
import type { Tree } from './tree.ts';

/** `key` names all that the written text depends on besides its source; null if it is not worth keeping. */
export type Writer<T> = Readonly<{ key: string | null; write: (tree: Tree) => T }>;

/** Writes texts in order, without a promise if it is quick. */
export type Render = <T>(texts: readonly string[], writer: Writer<T>) => MaybePromise<readonly T[]>;

const BYTES_PER_MB = 1024 * 1024;
const SHARE_OF_CACHE = 1 / 16;
/** An entry's cost besides its texts. */
const OVERHEAD_BYTES = 200;

type ParseText = typeof import('./parse.ts').parseText;

/** Its cache takes memory beyond that of the cached responses, in proportion to it. */
export function openRenderer(cacheMaxMb: number): Render {
  const cache = new LRUCache<string, object>({
    // Not 0, which would be no limit.
    maxSize: Math.max(1, Math.floor(cacheMaxMb * BYTES_PER_MB * SHARE_OF_CACHE)),
    sizeCalculation: (written, key) => Buffer.byteLength(key) + sizeOf(written) + OVERHEAD_BYTES,
  });
  /** Loaded for the first text. */
  let parse: ParseText | null = null;

  /** Undefined if it must be parsed, and the parser is not loaded. */
  function writeOne<T>(text: string, { key, write }: Writer<T>): Readonly<{ written: T }> | undefined {
    const cacheKey = key === null ? null : `${key}\n${text}`;
    const known = cacheKey === null ? undefined : cache.get(cacheKey);
    if (known !== undefined) return known as { written: T };
    if (parse === null) return undefined;
    const made = { written: write(parse(text)) };
    if (cacheKey !== null) cache.set(cacheKey, made);
    return made;
  }

  return <T>(texts: readonly string[], writer: Writer<T>) => {
    const all: T[] = [];
    /** At least one text, if it can. */
    const writeSome = (): void => {
      do {
        const text = texts[all.length];
        const made = text === undefined ? undefined : writeOne(text, writer);
        if (made === undefined) return;
        all.push(made.written);
      } while (!isTickUsedUp());
    };
    const writeRest = async (): Promise<readonly T[]> => {
      while (all.length < texts.length) {
        parse ??= (await import('./parse.ts')).parseText;
        await yieldToEventLoop();
        writeSome();
      }
      return all;
    };
    if (!isTickUsedUp()) writeSome();
    return all.length === texts.length ? all : writeRest();
  };
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  return typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum, each) => sum + sizeOf(each), 0)
    : 0;
}
