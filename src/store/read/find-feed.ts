// A product's changelog, with all its versions unless there are very many.
import { sql } from 'kysely';
import type { VisibleRows } from '../../domain/access/visibility.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import { dialectOf } from '../engine/dialect.ts';
import type { Reader } from '../engine/engine.ts';
import { inOrder } from './index.ts';
import { type AtRevision, type HeadRow, mapFound, type ProductPath, prepareAt, SUMMARY } from './reads.ts';

/** Its versions are a JSON array of `VersionRow`: parsing and rewriting them would take longer than reading them. */
export type FeedText = Readonly<{
  head: HeadRow;
  versions: string;
  /** False if there are more versions than one read returns. */
  isWhole: boolean;
}>;

/** Small enough that a synchronous SQLite read does not hold up other requests. */
export const FEED_VERSIONS_MAX = 2_500;
/** Occurs once per version, and each version has at least this many characters. */
const LABEL = ',"label":';
const VERSION_CHARACTERS_MIN = 80;

/** A visible changelog with its versions, in the API's order. */
export function findFeed(
  db: Reader,
  path: ProductPath,
  visible: VisibleRows,
): MaybePromise<AtRevision<FeedText>> {
  return mapFound(readFeed(db, path, visible), (head) => {
    const { versions } = head;
    return { head, versions, isWhole: isWhole(versions) };
  });
}

/** Counts only if the text is long enough to have more. Quotes inside values are escaped, so none is miscounted. */
const isWhole = (versions: string): boolean =>
  versions.length < FEED_VERSIONS_MAX * VERSION_CHARACTERS_MIN ||
  versions.split(LABEL).length - 1 <= FEED_VERSIONS_MAX;

/** One extra version shows whether there are more. */
const readFeed = prepareAt<ProductPath, Pick<FeedText, 'versions'>>((db, _, visible) => {
  const newest = sql`from versions ${inOrder(visible)} limit ${sql.lit(FEED_VERSIONS_MAX + 1)}`;
  return { versions: dialectOf(db).rowsAsJson(SUMMARY, newest) };
});
