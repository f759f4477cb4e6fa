// API keys that were recognised, by their hashes. What a key may read is still decided at every request, from its row.
import type { Touch } from '../../store/engine/touches.ts';
import { findKey, type KeyRow } from '../../store/read/reads.ts';
import type { Source } from '../../store/source/source.ts';

/** Beyond this many the one that was recognised first is asked for anew. */
const KEYS_MAX = 10_000;

export type FindKey = (hash: string) => KeyRow | undefined | Promise<KeyRow | undefined>;

/**
 * A key from what is held where that still stands, and else from the database (R29). Keys that nobody has are not held:
 * anybody can make them up. While the database is away, no key is known (R30).
 */
export function createKeyCache(source: Source, keysMax = KEYS_MAX): FindKey {
  const keys = new Map<string, KeyRow>();
  source.onTouched(invalidate);

  /** A key depends on its row, its team and the products it names: any touch of its team may concern it. */
  function invalidate(touches: readonly Touch[]): void {
    const teams = new Set(touches.map((touch) => (touch.kind === 'everything' ? 'every' : touch.teamId)));
    for (const [hash, { teamId }] of keys) if (teams.has('every') || teams.has(teamId)) keys.delete(hash);
  }

  async function read(hash: string): Promise<KeyRow | undefined> {
    const { revision, found } = await source.read((db) => findKey(db, hash));
    if (found !== undefined && revision >= source.revision()) keep(hash, found);
    return found;
  }

  function keep(hash: string, key: KeyRow): void {
    keys.set(hash, key);
    if (keys.size > keysMax) keys.delete(keys.keys().next().value as string);
  }

  function find(hash: string, isConfirmed: boolean): ReturnType<FindKey> {
    const key = isConfirmed ? keys.get(hash) : undefined;
    return key ?? read(hash);
  }

  return (hash) => {
    const isConfirmed = source.isConfirmed();
    return typeof isConfirmed === 'boolean'
      ? find(hash, isConfirmed)
      : isConfirmed.then((confirmed) => find(hash, confirmed));
  };
}
