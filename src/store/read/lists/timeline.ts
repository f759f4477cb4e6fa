// The timeline of a team: the versions of all its products in one list (R64).
import { sql } from 'kysely';
import type { VisibleRows } from '../../../domain/access/visibility.ts';
import type { FeedPosition, LimitedQuery } from '../../../domain/feed-query.ts';
import { dialectOf } from '../../engine/dialect.ts';
import type { Reader } from '../../engine/engine.ts';
import { prepare, sharedShape } from '../../engine/prepared.ts';
import { type AccessPath, BOUND_VERSIONS, shapeOf, valuesOf } from '../page-plans.ts';
import { type PageRow, parseVersions, versionsAsJson } from '../pages.ts';
import { type AtRevision, firstOf, HEAD_COLUMNS, type HeadRow, SUMMARY_COLUMNS } from '../reads.ts';
import { type FoundTeam, selectOfTeam, TEAM_ID } from './listing.ts';
import {
  type TimelineShape,
  type TimelineValues,
  timelinePathsFor,
  timelineTables,
} from './timeline-plans.ts';

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

/**
 * A page. Found on the public surface if the team has a public product, otherwise if the team exists. `products` are the
 * slugs of those that a key may read; null for all. Where no index finds what is asked for, a page may have fewer versions
 * than the limit before its `end`.
 */
export async function findTimeline(
  db: Reader,
  team: string,
  visible: VisibleRows,
  query: LimitedQuery,
  products: readonly string[] | null,
  boundVersions = BOUND_VERSIONS,
): Promise<AtRevision<Timeline>> {
  const values = { ...valuesOf(db, { team, product: '' }, query), products: JSON.stringify(products ?? []) };
  const isOfSome = products !== null;
  const [first, ...others] = timelinePathsFor(query, products);
  const findBy = async (path: AccessPath) => {
    const shape = sharedShape({ ...shapeOf(visible, query, path, boundVersions), isOfSome });
    return parseTimeline(firstOf(await selectTimeline(db, values, shape)), query.limit);
  };
  let page = await findBy(first);
  for (const path of others) {
    if (page.isComplete) break;
    page = await findBy(path);
  }
  const { revision, found } = page;
  return { revision, found };
}

type FoundRow = Awaited<ReturnType<typeof selectTimeline>>[number];

function parseTimeline(row: FoundRow, limit: number): AtRevision<Timeline> & { isComplete: boolean } {
  const { revision, cursorKey } = row;
  const [found] = JSON.parse(row.team) as FoundTeam[];
  if (found === undefined) return { revision, found: undefined, isComplete: true };
  const { id: teamId, slug, name } = found;
  const page = parseVersions(row.versions, limit);
  const last = page.isCut ? page.versions.at(-1) : undefined;
  const end = last === undefined ? parsePosition(row.end) : { sortKey: last.sortKey, id: last.id };
  return {
    revision,
    found: {
      teamId,
      team: { slug, name },
      versions: withHeads(page.versions as FoundVersion[], JSON.parse(row.heads)),
      end,
      updatedAt: page.updatedAt,
      writtenAt: row.lastWrite ?? 0,
      cursorKey,
    },
    isComplete: row.end === null || last !== undefined,
  };
}

function parsePosition(text: string | null): FeedPosition | null {
  if (text === null) return null;
  const at = text.indexOf(' ');
  return { sortKey: text.slice(0, at), id: text.slice(at + 1) };
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

const selectTimeline = prepare((db, values: TimelineValues, shape: TimelineShape) => {
  const { visible, withChanges } = shape;
  const tables = timelineTables(db, values, shape);
  const columns = [...SUMMARY_COLUMNS, 'versions.changelog_id as changelogId'] as const;
  const end = 'scanned' in tables ? sql`(select sort_key || ' ' || version_id from scanned)` : sql`null`;
  return selectOfTeam(db, values.team, visible, tables).select([
    sql<string | null>`${end}`.as('end'),
    versionsAsJson(db, sql`select version_id, sort_key from chosen`, withChanges, columns).as('versions'),
    dialectOf(db).rowsAsJson(selectHeads(db, visible)).as('heads'),
  ]);
});

/** Of the versions of a page. States are checked: a stale row in a table that triggers maintain must not reveal anything. */
function selectHeads(db: Reader, { team, product, changelog }: VisibleRows) {
  const hasState = (column: string, state: string | undefined) =>
    state === undefined ? sql<boolean>`1 = 1` : sql<boolean>`${sql.ref(column)} = ${sql.lit(state)}`;
  return db
    .selectFrom(sql<{ id: string }>`(select distinct changelog_id as id from chosen)`.as('of'))
    .crossJoin('changelogs')
    .crossJoin('products')
    .crossJoin('teams')
    .whereRef('changelogs.id', '=', 'of.id')
    .whereRef('products.id', '=', 'changelogs.product_id')
    .whereRef('teams.id', '=', 'products.team_id')
    .where('teams.id', '=', TEAM_ID)
    .where(hasState('teams.visibility', team))
    .where(hasState('products.status', product))
    .where(hasState('changelogs.status', changelog))
    .select(HEAD_COLUMNS);
}
