// Access paths to the versions of a team that pass a filter: which one to use, and its SQL.
import { sql } from 'kysely';
import { type FeedQuery, isOfChanges } from '../../../domain/feed-query.ts';
import { dialectOf, type Sql } from '../../engine/dialect.ts';
import type { Reader } from '../../engine/engine.ts';
import {
  type AccessPath,
  allOf,
  boundOf,
  filterConditions,
  IN_ORDER,
  keyConditions,
  pathSql,
  type QueryShape,
  type QueryValues,
  searchOf,
} from '../page-plans.ts';
import { TEAM_ID } from './listing.ts';

export type TimelineValues = QueryValues & Readonly<{ products: string }>;
/** `isOfSome`: only of the changelogs of `products`. */
export type TimelineShape = QueryShape & Readonly<{ isOfSome: boolean }>;

/** Matches of other teams are read too: fewer of them than of versions in order. */
const MATCH_BOUND_DIVISOR = 4;
/** Above this many changelogs, the timeline of the team likely has some of them near its top. */
const FEW_CHANGELOGS = 50;

/**
 * The access paths to try, in order. `bounded` is the last one for text without an index: a page then ends where the scan
 * does, full or not.
 */
export function timelinePathsFor(
  query: FeedQuery,
  products: readonly string[] | null,
): readonly [AccessPath, ...AccessPath[]] {
  const { from, to, words } = query;
  const isOfFew = products !== null && products.length <= FEW_CHANGELOGS;
  if (isOfChanges(query) || (words?.phrases ?? []).length > 0)
    return isOfFew ? ['search'] : ['bounded', 'search'];
  if ((words?.within ?? []).length > 0) return ['bounded'];
  if (from !== null || to !== null) return isOfFew ? ['majors'] : ['bounded', 'majors'];
  return products === null || isOfFew ? ['order'] : ['bounded', 'order'];
}

/** Tables that a query computes once, in this order. */
type Tables = Readonly<Record<string, Sql>>;

/**
 * The page's rows, `chosen`: `version_id`, `sort_key` and `changelog_id`. A bounded scan also has `scanned`: the last row
 * that it read, if there may be more.
 */
export function timelineTables(db: Reader, values: TimelineValues, shape: TimelineShape): Tables {
  const rows = rowsBy(db, values, shape);
  return shape.isOfSome ? { readable: selectReadable(db, values), ...rows } : rows;
}

function rowsBy(db: Reader, values: TimelineValues, shape: TimelineShape): Tables {
  const limit = sql`${values.limit}`;
  const { newestMatches, selectMatches } = dialectOf(db).search;
  switch (shape.path) {
    case 'bounded': {
      if (!shape.has.match || newestMatches === null) return bounded(db, values, shape);
      const bound = sql.lit(Math.ceil(shape.boundVersions / MATCH_BOUND_DIVISOR));
      const search = searchOf(values, shape, { changelogs: null, conditions: [], limit: bound });
      return amongMatches(db, values, shape, newestMatches(search), bound);
    }
    case 'search': {
      const changelogs = selectChangelogs(values, shape);
      const conditions = [...keyConditions(values, shape), ...filterConditions(db, values, shape)];
      if (shape.visible.version) conditions.push(sql`f.status = ${sql.lit(shape.visible.version)}`);
      return { chosen: selectMatches(searchOf(values, shape, { changelogs, conditions, limit })) };
    }
    case 'order':
      if (!shape.isOfSome) return { chosen: inOrder(partsOf(values, shape, limit), limit) };
  }
  return { chosen: ofEachChangelog(db, values, shape) };
}

const inOrder = (parts: readonly Sql[], limit: Sql) =>
  sql`select * from (${sql.join(
    parts.map((part) => sql`select * from (${part}) f`),
    sql` union all `,
  )}) f ${IN_ORDER} limit ${limit}`;

/** The first rows of each part of `timeline`: public and hidden ones are apart there, and so are prereleases. */
function partsOf(values: TimelineValues, shape: TimelineShape, limit: Sql, more = sql``): Sql[] {
  const conditions = keyConditions(values, shape);
  if (shape.matchesNothing) conditions.push(sql`1 = 0`);
  return (shape.visible.version ? [1] : [1, 0]).flatMap((isPublic) =>
    (shape.isStable ? [0] : [0, 1]).map((isPrerelease) => {
      const part = sql<boolean>`f.team_id = ${TEAM_ID} and f.is_public = ${sql.lit(isPublic)}
        and f.is_prerelease = ${sql.lit(isPrerelease)}`;
      return sql`select f.version_id, f.sort_key, f.changelog_id from timeline f
        where ${allOf([part, ...conditions])} ${IN_ORDER} limit ${limit} ${more}`;
    }),
  );
}

/** Scans some rows of each part. Rows below the end of another part do not count: that one may have some above them. */
function bounded(db: Reader, values: TimelineValues, shape: TimelineShape): Tables {
  const { factsOf } = dialectOf(db).search;
  const limit = sql`${values.limit}`;
  const count = partsOf(values, shape, limit).length;
  const bound = sql.lit(Math.ceil(boundOf(shape) / count));
  const lasts = partsOf(values, shape, sql.lit(1), sql`offset ${bound} - 1`);
  const some = shape.isOfSome ? [isOfTeam(values, shape)] : [];
  const parts = partsOf(values, shape, bound).map(
    (part) => sql`${factsOf(sql`(${part})`)} where ${allOf([...filterConditions(db, values, shape), ...some])}
      order by each.sort_key desc, each.version_id limit ${limit}`,
  );
  return {
    scanned: inOrder(lasts, sql.lit(1)),
    chosen: sql`select * from (${inOrder(parts, limit)}) f where not exists (select 1 from scanned
      where f.sort_key < scanned.sort_key or f.sort_key = scanned.sort_key and f.version_id > scanned.version_id)`,
  };
}

/** Looks through the newest matches in all changelogs. The index orders them by second, so the last second does not count. */
function amongMatches(
  db: Reader,
  values: TimelineValues,
  shape: TimelineShape,
  matches: Sql,
  bound: Sql,
): Tables {
  const conditions = allOf([
    ...keyConditions(values, shape),
    ...filterConditions(db, values, shape),
    isOfTeam(values, shape),
  ]);
  return {
    matches,
    scanned: sql`select f.version_id, f.sort_key from matches f ${IN_ORDER} limit 1 offset ${bound} - 1`,
    chosen: sql`${dialectOf(db).search.factsOf(sql`matches`)} where ${conditions}
        and not exists (select 1 from scanned where f.sort_key < substr(scanned.sort_key, 1, 19) || '~')
      order by each.sort_key desc, each.version_id limit ${values.limit}`,
  };
}

/** Is the changelog of `f` one of those to read? The last form keeps PostgreSQL from comparing each with each. */
function isOfTeam({ team }: TimelineValues, { visible, isOfSome }: TimelineShape): Sql<boolean> {
  if (visible.team)
    return sql`exists (select 1 from public_changelogs p where p.changelog_id = f.changelog_id
      and p.team_slug || '' = ${team})`;
  if (!isOfSome)
    return sql`exists (select 1 from changelogs c cross join products p where c.id = f.changelog_id
      and p.id = c.product_id and p.team_id + 0 = ${TEAM_ID})`;
  return sql`coalesce(f.changelog_id in (select id from readable), false)`;
}

/** Only the changelogs with the first rows can have any of the page, and no more of them than it has rows. */
function ofEachChangelog(db: Reader, values: TimelineValues, shape: TimelineShape): Sql {
  const { selectOfChangelogs } = dialectOf(db).search;
  const limit = sql`${values.limit}`;
  const all = sql`(${selectChangelogs(values, shape)})`;
  const firsts = selectOfChangelogs(all, pathSql(db, values, shape, sql.lit(1)).rows);
  const first = sql`(select f.changelog_id as id from (${firsts}) f ${IN_ORDER} limit ${limit})`;
  return sql`select * from (${selectOfChangelogs(first, pathSql(db, values, shape).rows)}) f ${IN_ORDER} limit ${limit}`;
}

function selectChangelogs({ team }: TimelineValues, { visible, isOfSome }: TimelineShape): Sql {
  if (visible.team)
    return sql`select p.changelog_id as id from public_changelogs p where p.team_slug = ${team}`;
  if (isOfSome) return sql`select id from readable`;
  return sql`select c.id from products p cross join changelogs c where p.team_id = ${TEAM_ID} and c.product_id = p.id`;
}

const selectReadable = (db: Reader, { products }: TimelineValues) =>
  sql`select c.id from ${dialectOf(db).textsOf(sql`${products}`)} wanted cross join products p cross join changelogs c
    where p.team_id = ${TEAM_ID} and p.slug = wanted.value and c.product_id = p.id`;
