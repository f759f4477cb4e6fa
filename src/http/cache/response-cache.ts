import type { Surface } from '../../domain/model.ts';
import { affects, type Origin, type Touch, touchesOn } from '../../store/engine/touches.ts';
import type { CachedResponse } from './response.ts';

/** What an answer costs besides its bytes: roughly what the engine needs to keep it findable. */
const OVERHEAD_BYTES = 1_000;
/** Paths at which there is nothing. Anybody can make up more, so their room is small, and apart from that of answers. */
const MISSES_MAX = 2_000;

const SURFACES: readonly Surface[] = ['public', 'team'];
/** What every path begins with that a key is asked for. */
const TEAM_PREFIX = '/api/v1/teams/';

/** The surface that an answer is of, by what it is held under. */
export function surfaceOf(key: string): Surface {
  return key.startsWith(TEAM_PREFIX) ? 'team' : 'public';
}

/** Each knows its neighbours in the order of use: to move one in a list costs less than in a map. */
type Entry = {
  readonly key: string;
  readonly surface: Surface;
  readonly answer: CachedResponse;
  readonly origin: Origin;
  bytes: number;
  older: Entry | null;
  newer: Entry | null;
};

/** Answers kept in memory, the one that was asked for longest ago leaving first when there is no more room. */
export function createResponseCache(bytesMax: number, missesMax = MISSES_MAX) {
  const entries = new Map<string, Entry>();
  // Apart for each surface: what was written out of sight costs the public one not even a look (R9).
  const entriesByProduct = { public: new Map<number, Set<Entry>>(), team: new Map<number, Set<Entry>>() };
  const misses = { public: new Set<string>(), team: new Set<string>() };
  let oldest: Entry | null = null;
  let newest: Entry | null = null;
  let bytesHeld = 0;

  function unlink({ older, newer }: Entry): void {
    if (older === null) oldest = newer;
    else older.newer = newer;
    if (newer === null) newest = older;
    else newer.older = older;
  }

  function linkAsNewest(entry: Entry): void {
    entry.older = newest;
    entry.newer = null;
    if (newest === null) oldest = entry;
    else newest.newer = entry;
    newest = entry;
  }

  function drop(entry: Entry): void {
    entries.delete(entry.key);
    unlink(entry);
    bytesHeld -= entry.bytes;
    const byProduct = entriesByProduct[entry.surface];
    const siblings = byProduct.get(entry.origin.productId);
    siblings?.delete(entry);
    if (siblings?.size === 0) byProduct.delete(entry.origin.productId);
  }

  function forget(key: string): void {
    const entry = entries.get(key);
    if (entry !== undefined) drop(entry);
  }

  function invalidate(surface: Surface, touch: Touch): void {
    // No response is made from a key: the search for one would go through all of them.
    if (touch.kind === 'keys') return;
    const byProduct = entriesByProduct[surface];
    const candidates = touch.kind === 'product' ? [byProduct.get(touch.productId) ?? []] : byProduct.values();
    for (const siblings of candidates)
      for (const entry of siblings) if (affects(touch, entry.origin)) drop(entry);
  }

  function evict(): void {
    while (bytesHeld > bytesMax && oldest !== null) drop(oldest);
  }

  return {
    /** Null where it is known that there is nothing. */
    find: (key: string): CachedResponse | null | undefined => {
      const entry = entries.get(key);
      if (entry === undefined) return misses[surfaceOf(key)].has(key) ? null : undefined;
      if (entry !== newest) {
        unlink(entry);
        linkAsNewest(entry);
      }
      return entry.answer;
    },
    keep: (key: string, answer: CachedResponse, origin: Origin): void => {
      const surface = surfaceOf(key);
      forget(key);
      misses[surface].delete(key);
      const bytes = sizeOf(key, answer);
      if (bytes > bytesMax) return;
      const entry: Entry = { key, surface, answer, origin, bytes, older: null, newer: null };
      entries.set(key, entry);
      linkAsNewest(entry);
      bytesHeld += bytes;
      const siblings = entriesByProduct[surface].get(origin.productId) ?? new Set();
      entriesByProduct[surface].set(origin.productId, siblings.add(entry));
      evict();
    },
    /** Takes note that an answer has become larger. */
    weigh: (key: string, answer: CachedResponse): void => {
      const entry = entries.get(key);
      if (entry?.answer !== answer) return;
      const bytes = sizeOf(key, answer);
      bytesHeld += bytes - entry.bytes;
      entry.bytes = bytes;
      evict();
    },
    keepMiss: (key: string): void => {
      if (bytesMax === 0) return;
      const known = misses[surfaceOf(key)];
      known.add(key);
      if (known.size > missesMax) known.delete(known.values().next().value as string);
    },
    forget,
    /** Invalidates what was written to. Any write may be of what was missing. */
    drop: (touches: readonly Touch[]): void => {
      for (const surface of SURFACES) {
        const visible = touchesOn(surface, touches);
        for (const touch of visible) invalidate(surface, touch);
        if (visible.length > 0) misses[surface].clear();
      }
    },
    size: () => ({ answers: entries.size, bytes: bytesHeld }),
  };
}

function sizeOf(key: string, { bytes }: CachedResponse): number {
  return bytes + key.length + OVERHEAD_BYTES;
}

export type ResponseCache = ReturnType<typeof createResponseCache>;
