import type { VisibleRows } from '../../domain/access/visibility.ts';
import type { FeedQuery } from '../../domain/feed-query.ts';
import { countMatches, type Matches } from '../../store/read/count-matches.ts';
import type { ProductPath } from '../../store/read/reads.ts';
import { ContentChanged, type ReadMore } from '../cache/body.ts';

type Search = Readonly<{ path: ProductPath; visible: VisibleRows; query: FeedQuery }>;

/** How many versions have the words of a search, in the state that `writtenAt` names; null without a search. */
export async function matchesOf(
  read: ReadMore,
  { path, visible, query }: Search,
  writtenAt: number,
): Promise<Matches['matches']> {
  if (query.words === null) return null;
  const { found } = await read((db) => countMatches(db, path, visible, query));
  if (found?.writtenAt !== writtenAt) throw new ContentChanged();
  return found.matches;
}
