// How many versions a search found (R32).
import type { VisibleRows } from '../../domain/access/visibility.ts';
import type { FeedQuery } from '../../domain/feed-query.ts';
import type { Reader } from '../engine/engine.ts';
import { chooseVersions } from './choose.ts';
import { readFromIndex } from './index.ts';
import type { AtRevision, ProductPath } from './reads.ts';
import { searchVersions } from './search.ts';

/** More of them are not counted. */
export const MATCHES_COUNTED_MAX = 1_000;
/** Texts that are not in the full-text index are compared one by one. */
const COMPARED_MAX = 2_000;

export type Matches = Readonly<{
  /** The same on every page of a search. Null if there are too many texts to compare. */
  matches: Readonly<{ count: number; isMore: boolean }> | null;
  /** As of a `Page`. */
  writtenAt: number;
}>;

/** Counts the versions that pass all filters, up to a limit, and whatever the position in the list. */
export async function countMatches(
  db: Reader,
  path: ProductPath,
  visible: VisibleRows,
  query: FeedQuery,
  { countedMax = MATCHES_COUNTED_MAX, comparedMax = COMPARED_MAX } = {},
): Promise<AtRevision<Matches>> {
  const { words } = query;
  const all = { ...query, after: null };
  const limit = countedMax + 1;
  const toMatches = (count: number) => ({ count: Math.min(count, countedMax), isMore: count > countedMax });
  return readFromIndex(db, path, visible, async (index, own) => {
    const { writtenAt } = index;
    const candidates = chooseVersions(index, all, words === null ? limit : undefined);
    if (words === null) return { matches: toMatches(candidates.length), writtenAt };
    const options = { limit, comparedMax };
    const found = await searchVersions(own, path, visible, index, words, candidates, options);
    return { matches: found.isComplete ? toMatches(found.versions.length) : null, writtenAt };
  });
}
