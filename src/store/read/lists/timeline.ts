// The timeline of a team: the versions of all its products in one list (R64).
import { sql } from 'kysely';
import type { VisibleRows } from '../../../domain/access/visibility.ts';
import { type FeedPosition, type FeedQuery, isOfChanges } from '../../../domain/feed-query.ts';
import { dialectOf, type Sql } from '../../engine/dialect.ts';
import type { Reader } from '../../engine/engine.ts';
import { prepare, sharedShape } from '../../engine/prepared.ts';
import {
  BOUND_VERSIONS,
  pathSql,
  type QueryShape,
  type QueryValues,
  shapeOf,
  valuesOf,
} from '../page-plans.ts';
import { type PageRow, parseVersions, versionsAsJson } from '../pages.ts';
import {
  type AtRevision,
  firstOf,
  HEAD_COLUMNS,
  type HeadRow,
  lastPublicWrite,
  lastWrite,
  SUMMARY_COLUMNS,
  selectRevision,
} from '../reads.ts';
import { type FoundTeam, teamAsJson } from './listing.ts';

/** Versions of a product share one object. */
export type TimelineRow = PageRow & Readonly<{ head: HeadRow }>;

export type Timeline = Readonly<{
  teamId: number;
  team: Readonly<{ slug: string; name: string }>;
  /** In the order of a changelog (R12): drafts that were never published, then by date, newest first. */
  versions: readonly TimelineRow[];
  /** The end of this page; null for the last one. */
  end: FeedPosition | null;
  /** When one of the versions up to the limit last changed, also of those that this page is too long for. */
  updatedAt: string | null;
  /** The revision of the last visible write to the team. Pages with the same value show the same state. */
  writtenAt: number;
  /** The key that signs cursors. */
  cursorKey: string;
}>;

/** A timeline has no end in sight: without a limit, a page has this many. */
export const TIMELINE_VERSIONS_DEFAULT = 100;

/**
 * A page. Found on the public surface if the team has a public product, otherwise if the team exists. `products` are the
 * slugs of those that a key may read; null for all.
 */
export async function findTimeline(
  db: Reader,
  team: string,
  visible: VisibleRows,
  query: FeedQuery,
  products: readonly string[] | null,
  boundVersions = BOUND_VERSIONS,
): Promise<AtRevision<Timeline>> {
  const limit = query.limit ?? TIMELINE_VERSIONS_DEFAULT;
  const limited = { ...query, limit };
  const values = {
    ...valuesOf(db, { team, product: '' }, limited),
    products: JSON.stringify(products ?? []),
  };
  const path = isOfChanges(query) || (query.words?.phrases ?? []).length > 0 ? 'search' : 'order';
  const shape = sharedShape({
    ...shapeOf(visible, limited, path, boundVersions),
    isOfSome: products !== null,
  });
  const row = firstOf(await selectTimeline(db, values, shape));
  const { revision, cursorKey } = row;
  const [found] = JSON.parse(row.team) as FoundTeam[];
  if (found === undefined) return { revision, found: undefined };
  const { id: teamId, slug, name } = found;
  const page = parseVersions(row.versions, limit);
  const last = page.isCut ? page.versions.at(-1) : undefined;
  return {
    revision,
    found: {
      teamId,
      team: { slug, name },
      versions: withHeads(page.versions as FoundVersion[], JSON.parse(row.heads)),
      end: last === undefined ? null : { sortKey: last.sortKey, id: last.id },
      updatedAt: page.updatedAt,
      writtenAt: row.lastWrite ?? 0,
      cursorKey,
    },
  };
}

type FoundVersion = PageRow & Readonly<{ changelogId: string }>;

/** A version of a changelog that is hidden has no head. */
function withHeads(versions: readonly FoundVersion[], heads: readonly HeadRow[]): TimelineRow[] {
  const headOf = new Map(heads.map((head) => [head.changelogId, head]));
  return versions.flatMap(({ changelogId, ...version }) => {
    const head = headOf.get(changelogId);
    return head === undefined ? [] : [{ ...version, head }];
  });
}

type TimelineValues = QueryValues & Readonly<{ products: string }>;
type TimelineShape = QueryShape & Readonly<{ isOfSome: boolean }>;

const selectTimeline = prepare((db, values: TimelineValues, shape: TimelineShape) => {
  const { rowsAsJson } = dialectOf(db);
  const { visible, withChanges } = shape;
  const columns = [...SUMMARY_COLUMNS, 'versions.changelog_id as changelogId'] as const;
  return selectRevision(
    db.with(
      (cte) => cte('chosen').materialized(),
      () => rowsSql(db, values, shape),
    ) as never,
  )
    .select('revision.cursor_key as cursorKey')
    .select(visible.team ? lastPublicWrite : lastWrite)
    .select([
      teamAsJson(db, values.team, visible).as('team'),
      versionsAsJson(db, sql`select version_id, sort_key from chosen`, withChanges, columns).as('versions'),
      rowsAsJson(selectHeads(db, visible)).as('heads'),
    ]);
});

/** Of the versions of a page. */
function selectHeads(db: Reader, { team, product, changelog }: VisibleRows) {
  return db
    .selectFrom(sql<{ id: string }>`(select distinct changelog_id as id from chosen)`.as('of'))
    .crossJoin('changelogs')
    .crossJoin('products')
    .crossJoin('teams')
    .whereRef('changelogs.id', '=', 'of.id')
    .whereRef('products.id', '=', 'changelogs.product_id')
    .whereRef('teams.id', '=', 'products.team_id')
    .$if(team !== undefined, (query) => query.where('teams.visibility', '=', sql.lit(team as 'public')))
    .$if(product !== undefined, (query) =>
      query.where('products.status', '=', sql.lit(product as 'published')),
    )
    .$if(changelog !== undefined, (query) =>
      query.where('changelogs.status', '=', sql.lit(changelog as 'published')),
    )
    .select(HEAD_COLUMNS);
}

/** The page's versions, of one changelog after the other. */
function rowsSql(db: Reader, values: TimelineValues, shape: TimelineShape): Sql<never> {
  const { rows } = pathSql(db, values, shape);
  return sql`(select * from (${dialectOf(db).search.selectOfChangelogs(changelogsSql(db, values, shape), rows)}) f
    order by f.sort_key desc, f.version_id limit ${values.limit})`;
}

function changelogsSql(
  db: Reader,
  { team, products }: TimelineValues,
  { visible, isOfSome }: TimelineShape,
): Sql {
  if (visible.team)
    return sql`(select p.changelog_id as id from public_changelogs p where p.team_slug = ${team})`;
  const some = isOfSome ? sql`and p.slug in ${dialectOf(db).textsOf(sql`${products}`)}` : sql``;
  return sql`(select c.id from teams t join products p on p.team_id = t.id join changelogs c on c.product_id = p.id
    where t.slug = ${team} ${some})`;
}
