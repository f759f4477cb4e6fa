// A product's changelog, with all its versions unless there are very many.
import { type SelectQueryBuilder, sql } from 'kysely';
import type { VisibleRows } from '../../domain/access/visibility.ts';
import { andThen, type MaybePromise } from '../../domain/maybe-promise.ts';
import { dialectOf, type Sql } from '../engine/dialect.ts';
import type { Reader } from '../engine/engine.ts';
import { prepare } from '../engine/prepared.ts';
import type { Tables } from '../engine/schema.ts';
import {
  type AtRevision,
  firstOf,
  type HeadRow,
  type ProductPath,
  SUMMARY_COLUMNS,
  selectHead,
} from './reads.ts';

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
  return andThen(selectFeed(db, path, visible), (rows) => {
    const row = firstOf(rows);
    const { revision, versions } = row;
    if (row.changelogId === null) return { revision, found: undefined };
    return { revision, found: { head: row as HeadRow, versions, isWhole: isWhole(versions) } };
  });
}

/** Counts only if the text is long enough to have more. Quotes inside values are escaped, so none is miscounted. */
function isWhole(versions: string): boolean {
  if (versions.length < FEED_VERSIONS_MAX * VERSION_CHARACTERS_MIN) return true;
  let count = 0;
  for (let at = versions.indexOf(LABEL); at !== -1; at = versions.indexOf(LABEL, at + VERSION_CHARACTERS_MIN))
    count++;
  return count <= FEED_VERSIONS_MAX;
}

const selectFeed = prepare((db, path: ProductPath, visible: VisibleRows) =>
  selectHead(db, path, visible).select((eb) => {
    const versions = eb
      .selectFrom('versions')
      .whereRef('versions.changelog_id', '=', 'changelogs.id')
      .select([...SUMMARY_COLUMNS, 'versions.change_count as changeCount'])
      // One extra row shows whether there are more.
      .limit(sql.lit(FEED_VERSIONS_MAX + 1));
    if (visible.version !== undefined) return publishedAsJson(db, versions).as('versions');
    return dialectOf(db)
      .rowsAsJson(versions.orderBy('versions.sort_key', 'desc').orderBy('versions.id'))
      .as('versions');
  }),
);

/** The published ones of some versions, newest first, from the index `versions_listed` alone if it has all of them. */
export function publishedAsJson<DB extends Pick<Tables, 'versions'>, Table extends keyof DB, T>(
  db: Reader,
  versions: SelectQueryBuilder<DB, Table | 'versions', T>,
): Sql<string> {
  const { rowsAsJson, isListed } = dialectOf(db);
  const published = versions.where(sql<boolean>`versions.status = 'published'`);
  // The index sorts by date, which every published version has.
  const inOrder = published.orderBy(sql`versions.published_at`, 'desc').orderBy(sql`versions.id`);
  if (isListed === null) return rowsAsJson(inOrder);
  const others = published
    .clearSelect()
    .clearLimit()
    .select(sql`1`.as('one'))
    .where(sql<boolean>`not (${isListed})`);
  return sql<string>`case when exists (${others}) then ${rowsAsJson(inOrder)}
    else ${rowsAsJson(inOrder.where(isListed))} end`;
}
