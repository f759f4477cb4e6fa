import { LRUCache } from 'lru-cache';
import type { Surface } from '../../domain/model.ts';
import {
  ALL_TEAMS,
  affects,
  type Origin,
  type ProductOrigin,
  type Touch,
  touchesOn,
} from '../../store/engine/touches.ts';
import type { CachedResponse } from './response.ts';

/** Approximate memory per entry besides its bytes. */
const OVERHEAD_BYTES = 1_500;
/** Cached 404s. Anyone can make up more paths, so there are few, and they evict no responses. */
const NOT_FOUND_MAX = 2_000;

/** The share of the cache for responses to requests with parameters. */
const PARAMETERS_SHARE = 1 / 4;

const SURFACES: readonly Surface[] = ['public', 'team'];

type Entry = Readonly<{ response: CachedResponse; surface: Surface; origin: Origin }>;

/** What entries are grouped by: a product's id, or a list's name. */
type Group = number | string;

function groupOf({ teamId, productId }: Origin): Group {
  return productId ?? `team ${teamId ?? 'any'}`;
}

/** The groups that a write to a product affects: its own, and the lists that include it. */
function groupsOf(product: ProductOrigin): Group[] {
  return [product, { ...product, productId: null }, ALL_TEAMS].map(groupOf);
}

/**
 * Responses in memory. When the cache is full, the least recently used are evicted. Anyone can make up parameter values,
 * and each has its own response. Those may evict each other, but never a whole changelog or a version.
 */
export function createResponseCache(
  bytesMax: number,
  { notFoundMax = NOT_FOUND_MAX, parametersShare = PARAMETERS_SHARE } = {},
) {
  const createEntries = (share: number) =>
    new LRUCache<string, Entry>({
      // Not 0, which would be no limit.
      maxSize: Math.max(1, Math.floor(bytesMax * share)),
      sizeCalculation: ({ response }, key) => response.bytes + key.length + OVERHEAD_BYTES,
      dispose: leaveGroup,
    });
  const plain = createEntries(1 - parametersShare);
  const withParameters = createEntries(parametersShare);
  const entriesFor = (key: string) => (key.includes('?') ? withParameters : plain);
  // Separate per surface: a hidden write must not cost the public one even a search (R9).
  const groups = { public: new Map<Group, Set<string>>(), team: new Map<Group, Set<string>>() };
  const notFound = { public: new Set<string>(), team: new Set<string>() };

  function set(key: string, entry: Entry): void {
    const entries = entriesFor(key);
    entries.set(key, entry);
    // It may be larger than the whole cache.
    if (!entries.has(key)) return;
    const bySurface = groups[entry.surface];
    const group = groupOf(entry.origin);
    bySurface.set(group, (bySurface.get(group) ?? new Set()).add(key));
  }

  function leaveGroup({ surface, origin }: Entry, key: string): void {
    const group = groupOf(origin);
    const siblings = groups[surface].get(group);
    siblings?.delete(key);
    if (siblings?.size === 0) groups[surface].delete(group);
  }

  function removeAffected(surface: Surface, touch: Touch): void {
    // No response is made from a key, so there is nothing to search for.
    if (touch.kind === 'keys') return;
    const bySurface = groups[surface];
    const candidates =
      touch.kind === 'product'
        ? groupsOf(touch).map((group) => bySurface.get(group) ?? [])
        : bySurface.values();
    for (const siblings of candidates)
      for (const key of siblings) {
        const entries = entriesFor(key);
        if (affects(touch, (entries.peek(key) as Entry).origin)) entries.delete(key);
      }
  }

  return {
    /** Null for a cached 404. Most requests have no parameters; these are found without searching the key for a `?`. */
    find: (key: string): CachedResponse | null | undefined => {
      const entry = plain.get(key) ?? withParameters.get(key);
      if (entry !== undefined) return entry.response;
      return SURFACES.some((surface) => notFound[surface].has(key)) ? null : undefined;
    },
    put: (key: string, { response, surface, origin }: Entry): void => {
      notFound[surface].delete(key);
      // Only the ids: the caller may have passed the whole row.
      const { teamId, productId } = origin;
      set(key, { response, surface, origin: { teamId, productId } as Origin });
    },
    /** Call it when a response has gained an encoding. */
    resize: (key: string, response: CachedResponse): void => {
      const entry = entriesFor(key).peek(key);
      if (entry?.response === response) set(key, { ...entry });
    },
    putNotFound: (key: string, surface: Surface): void => {
      if (bytesMax === 0) return;
      const known = notFound[surface];
      known.add(key);
      if (known.size > notFoundMax) known.delete(known.values().next().value as string);
    },
    delete: (key: string): void => void entriesFor(key).delete(key),
    /** Removes the responses that a write affects, and all cached 404s: the write may have created what they miss. */
    invalidate: (touches: readonly Touch[]): void => {
      for (const surface of SURFACES) {
        const visible = touchesOn(surface, touches);
        for (const touch of visible) removeAffected(surface, touch);
        if (visible.length > 0) notFound[surface].clear();
      }
    },
    size: () => ({
      responses: plain.size + withParameters.size,
      bytes: plain.calculatedSize + withParameters.calculatedSize,
    }),
  };
}

export type ResponseCache = ReturnType<typeof createResponseCache>;
