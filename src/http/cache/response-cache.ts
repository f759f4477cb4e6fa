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

/** What an entry costs besides its bytes, roughly. */
const OVERHEAD_BYTES = 1_500;
/** Cached 404s. Anybody can make up more paths, so these are few, and evict no responses. */
const NOT_FOUND_MAX = 2_000;

const SURFACES: readonly Surface[] = ['public', 'team'];
/** Every path that needs a key begins with this. */
const TEAM_PREFIX = '/api/v1/teams/';

/** The surface of a response, by its cache key. */
export function surfaceOf(key: string): Surface {
  return key.startsWith(TEAM_PREFIX) ? 'team' : 'public';
}

/** Entries form a list in the order of use: moving one in a list costs less than in a map. */
type Entry = {
  readonly key: string;
  readonly surface: Surface;
  readonly response: CachedResponse;
  readonly origin: Origin;
  bytes: number;
  older: Entry | null;
  newer: Entry | null;
};

/** Entries with one origin: the id of a product, or the name of a list. */
type Group = number | string;

function groupOf({ teamId, productId }: Origin): Group {
  return productId ?? `team ${teamId ?? 'any'}`;
}

/** The groups that a write to a product affects: its own, and the lists that contain it. */
function groupsOf(product: ProductOrigin): Group[] {
  return [product, { ...product, productId: null }, ALL_TEAMS].map(groupOf);
}

/** Responses in memory. When the cache is full, the least recently used are evicted. */
export function createResponseCache(bytesMax: number, notFoundMax = NOT_FOUND_MAX) {
  const entries = new Map<string, Entry>();
  // Separate for each surface: a hidden write must not cost the public one even a search (R9).
  const groups = { public: new Map<Group, Set<Entry>>(), team: new Map<Group, Set<Entry>>() };
  const notFound = { public: new Set<string>(), team: new Set<string>() };
  let oldest: Entry | null = null;
  let newest: Entry | null = null;
  let bytesUsed = 0;

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

  function remove(entry: Entry): void {
    entries.delete(entry.key);
    unlink(entry);
    bytesUsed -= entry.bytes;
    const group = groupOf(entry.origin);
    const siblings = groups[entry.surface].get(group);
    siblings?.delete(entry);
    if (siblings?.size === 0) groups[entry.surface].delete(group);
  }

  function removeKey(key: string): void {
    const entry = entries.get(key);
    if (entry !== undefined) remove(entry);
  }

  function removeAffected(surface: Surface, touch: Touch): void {
    // No response is made from a key: searching all of them would find nothing.
    if (touch.kind === 'keys') return;
    const bySurface = groups[surface];
    const candidates =
      touch.kind === 'product'
        ? groupsOf(touch).map((group) => bySurface.get(group) ?? [])
        : bySurface.values();
    for (const siblings of candidates)
      for (const entry of siblings) if (affects(touch, entry.origin)) remove(entry);
  }

  function evict(): void {
    while (bytesUsed > bytesMax && oldest !== null) remove(oldest);
  }

  return {
    /** Null for a cached 404. */
    find: (key: string): CachedResponse | null | undefined => {
      const entry = entries.get(key);
      if (entry === undefined) return notFound[surfaceOf(key)].has(key) ? null : undefined;
      if (entry !== newest) {
        unlink(entry);
        linkAsNewest(entry);
      }
      return entry.response;
    },
    put: (key: string, response: CachedResponse, origin: Origin): void => {
      const surface = surfaceOf(key);
      removeKey(key);
      notFound[surface].delete(key);
      const bytes = sizeOf(key, response);
      if (bytes > bytesMax) return;
      // Only the ids: what was passed may be the whole row that the response was made from.
      const { teamId, productId } = origin;
      const ids = { teamId, productId } as Origin;
      const entry: Entry = { key, surface, response, origin: ids, bytes, older: null, newer: null };
      entries.set(key, entry);
      linkAsNewest(entry);
      bytesUsed += bytes;
      const group = groupOf(origin);
      groups[surface].set(group, (groups[surface].get(group) ?? new Set()).add(entry));
      evict();
    },
    /** A response has grown by another encoding. */
    resize: (key: string, response: CachedResponse): void => {
      const entry = entries.get(key);
      if (entry?.response !== response) return;
      const bytes = sizeOf(key, response);
      bytesUsed += bytes - entry.bytes;
      entry.bytes = bytes;
      evict();
    },
    putNotFound: (key: string): void => {
      if (bytesMax === 0) return;
      const known = notFound[surfaceOf(key)];
      known.add(key);
      if (known.size > notFoundMax) known.delete(known.values().next().value as string);
    },
    delete: removeKey,
    /** Removes the responses that a write affects, and all cached 404s: it may have created what was not found. */
    invalidate: (touches: readonly Touch[]): void => {
      for (const surface of SURFACES) {
        const visible = touchesOn(surface, touches);
        for (const touch of visible) removeAffected(surface, touch);
        if (visible.length > 0) notFound[surface].clear();
      }
    },
    size: () => ({ responses: entries.size, bytes: bytesUsed }),
  };
}

function sizeOf(key: string, { bytes }: CachedResponse): number {
  return bytes + key.length + OVERHEAD_BYTES;
}

export type ResponseCache = ReturnType<typeof createResponseCache>;
