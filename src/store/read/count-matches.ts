// How many versions a search found (R32).
import { sql } from 'kysely';
import type { VisibleRows } from '../../domain/access/visibility.ts';
import { type FeedQuery, isOfChanges } from '../../domain/feed-query.ts';
import { dialectOf } from '../engine/dialect.ts';
import type { Reader } from '../engine/engine.ts';
import { prepare } from '../engine/prepared.ts';
import {
  type AccessPath,
  BOUND_VERSIONS,
  pathSql,
  type QueryShape,
  type QueryValues,
  shapeOf,
  valuesOf,
} from './page-plans.ts';
import { type AtRevision, firstOf, type ProductPath, selectHead, writtenAt } from './reads.ts';

/** Counting more of them would take longer than reading a page. */
export const MATCHES_COUNTED_MAX = 1_000;
/** Matches that are rarer than this among the newest versions are counted by the index, if there is one. */
const FEW_MATCHES = 20;

export type Matches = Readonly<{
  /** The same on every page of a search. Null if matches are too rare to count without an index. */
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
  { boundVersions = BOUND_VERSIONS, countedMax = MATCHES_COUNTED_MAX } = {},
): Promise<AtRevision<Matches>> {
  const all = { ...query, after: null, limit: countedMax, withChanges: false };
  const values = valuesOf(db, path, all);
  const countBy = async (accessPath: AccessPath) =>
    firstOf(await selectCount(db, values, shapeOf(visible, all, accessPath, boundVersions)));
  const hasIndex = isOfChanges(query) || (query.words?.phrases ?? []).length > 0;
  let counted = await countBy(hasIndex && dialectOf(db).search.hasMatch === null ? 'search' : 'bounded');
  const isSparse = counted.hasMore !== null && Number(counted.count) <= FEW_MATCHES;
  if (isSparse && hasIndex) counted = await countBy('search');
  const { revision, changelogId, hasMore, writtenAt: lastWrite } = counted;
  if (changelogId === null) return { revision, found: undefined };
  const count = Math.min(Number(counted.count), countedMax);
  const isMore = hasMore !== null || Number(counted.count) > count;
  const matches = isSparse && !hasIndex ? null : { count, isMore };
  return { revision, found: { matches, writtenAt: lastWrite ?? 0 } };
}

const selectCount = prepare((db, values: QueryValues, shape: QueryShape) => {
  const { rows, hasMore } = pathSql(db, values, shape);
  return selectHead(db, values, shape.visible)
    .select(writtenAt(shape.visible))
    .select((hasMore ?? sql<null>`null`).as('hasMore'))
    .select(sql<number | string>`(select count(*) from (${rows}) page)`.as('count'));
});
