// API keys by hash. What a key may read is still decided for each request.
import { LRUCache } from 'lru-cache';
import { hasExpired } from '../../domain/access/access.ts';
import { andThen, type MaybePromise } from '../../domain/maybe-promise.ts';
import { findKey, type KeyRow } from '../../store/read/reads.ts';
import type { Source } from '../../store/source/source.ts';

const KEYS_MAX = 10_000;

const clock = () => new Date().toISOString();

/** For a request that arrived at `startedAt`: time spent so far counts against its database timeout. */
export type FindKey = (hash: string, startedAt?: number) => MaybePromise<KeyRow | undefined>;

/**
 * Finds a key in the cache while that is current, otherwise in the database (R29). Unknown keys are not cached: anyone
 * can invent them. While the database is down, no key is found (R30).
 */
export function createKeyCache(source: Source, keysMax = KEYS_MAX, now = clock): FindKey {
  const keys = new LRUCache<string, KeyRow>({ max: keysMax });
  // A key depends on its own row, its team and its products, so any write to the team invalidates it.
  source.onTouched((touches) => {
    const teams = new Set(touches.map((touch) => (touch.kind === 'everything' ? 'every' : touch.teamId)));
    for (const [hash, { teamId }] of keys) if (teams.has('every') || teams.has(teamId)) keys.delete(hash);
  });

  async function read(hash: string, startedAt: number): Promise<KeyRow | undefined> {
    const { revision, found } = await source.read(
      (db) => findKey(db, hash, now()),
      performance.now() - startedAt,
    );
    if (found !== undefined && revision >= source.revision()) keys.set(hash, found);
    return found;
  }

  return (hash, startedAt = performance.now()) =>
    andThen(source.isConfirmed(), (isConfirmed) => {
      const key = isConfirmed ? keys.get(hash) : undefined;
      // An expired key is looked up again, and so takes as long as an unknown one (R5).
      return key === undefined || hasExpired(key, now) ? read(hash, startedAt) : key;
    });
}
