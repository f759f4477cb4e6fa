// Access paths to the versions that pass a filter: which one to use, and its SQL.
import { sql } from 'kysely';
import type { VisibleRows } from '../../domain/access/visibility.ts';
import { changeMarks, type FeedQuery, isOfChanges } from '../../domain/feed-query.ts';
import { VERSION_STATES } from '../../domain/model.ts';
import { blocksBetween, majorOf, type VersionBlock } from '../../domain/version-order.ts';
import { dialectOf, type Search, type Sql } from '../engine/dialect.ts';
import type { Reader } from '../engine/engine.ts';
import { sharedShape } from '../engine/prepared.ts';
import { isVisible } from './find-version.ts';
import type { ProductPath } from './reads.ts';

/**
 * `order`: scan in feed order. `bounded`: the same, up to a bound. `version`: all versions in a range, up to a bound.
 * `majors`: the first ones of each major version in a range. `search`: by the full-text index.
 */
export type AccessPath = 'order' | 'bounded' | 'version' | 'majors' | 'search';

/** Most matches are near the top, where a scan finds them. An index finds rarer ones faster. */
export const BOUND_VERSIONS = 2_000;
/** Results of an unordered full-text index must be sorted, so a longer scan without it pays off. */
const MATCH_BOUND_FACTOR = 3;
/** More than any changelog has. */
const VERSIONS_MAX = 2_147_483_647;
/** A range with more blocks than this does not narrow a full-text search. */
const BLOCKS_MAX = 100;
/** The condition of the index `version_facts_in_order`; queries must repeat it to use the index. */
export const OF_ANY_STATE = `changelog_id <> ''`;

/** The access paths to try, in order. Each gives a complete page or none; none continues an earlier one. */
export function accessPathsFor(query: FeedQuery, isInOrder: boolean): readonly [AccessPath, ...AccessPath[]] {
  const { from, to, words, limit } = query;
  const isBounded = limit !== null;
  if (isOfChanges(query) || (words !== null && words.phrases.length > 0))
    return isBounded && !isInOrder ? ['bounded', 'search'] : ['search'];
  if (from !== null || to !== null) return isBounded ? ['bounded', 'version', 'majors'] : ['version'];
  return ['order'];
}

/** Blocks that cover a range of versions, for the full-text index. */
function versionBlocks({ from, to }: FeedQuery): VersionBlock[] | null {
  return to === null ? null : blocksBetween(from, to, BLOCKS_MAX);
}

export type QueryValues = ProductPath &
  Readonly<{
    since: string | null;
    from: string | null;
    to: string | null;
    match: string;
    /** The same for the full-text index. */
    keys: string;
    texts: string;
    /** The major versions of `from` and `to`. */
    fromMajor: string | null;
    toMajor: string | null;
    afterKey: string | null;
    /** The lower of `afterKey` and `until`. */
    newest: string | null;
    afterId: string | null;
    limit: number | null;
  }>;

export function valuesOf(db: Reader, path: ProductPath, query: FeedQuery): QueryValues {
  const { formatMatch, formatKeys } = dialectOf(db).search;
  const wanted = {
    marks: changeMarks(query),
    phrases: query.words?.phrases ?? [],
    blocks: versionBlocks(query),
  };
  return {
    ...path,
    since: query.since,
    from: query.from,
    to: query.to,
    fromMajor: query.from === null ? null : majorOf(query.from),
    toMajor: query.to === null ? null : majorOf(query.to),
    match: formatMatch(wanted),
    keys: formatKeys(wanted),
    texts: JSON.stringify(query.words?.within ?? []),
    afterKey: query.after?.sortKey ?? null,
    newest: later(query.after?.sortKey ?? null, query.until),
    afterId: query.after?.id ?? null,
    // One extra row shows whether there are more.
    limit: query.limit === null ? null : query.limit + 1,
  };
}

/** The sort key that comes later in descending order. */
function later(one: string | null, other: string | null): string | null {
  return one === null || other === null ? (one ?? other) : one < other ? one : other;
}

/** Which values a query has, and how it uses them. */
export type QueryShape = Readonly<{
  visible: VisibleRows;
  path: AccessPath;
  has: Readonly<
    Record<'since' | 'from' | 'to' | 'match' | 'texts' | 'afterKey' | 'newest' | 'limit', boolean>
  >;
  isStable: boolean;
  matchesNothing: boolean;
  withChanges: boolean;
  boundVersions: number;
}>;

export function shapeOf(
  visible: VisibleRows,
  query: FeedQuery,
  path: AccessPath,
  boundVersions: number,
): QueryShape {
  const { words, after, limit } = query;
  return sharedShape({
    visible,
    path,
    has: {
      since: query.since !== null,
      from: query.from !== null,
      to: query.to !== null,
      match: isOfChanges(query) || (words?.phrases ?? []).length > 0,
      texts: (words?.within ?? []).length > 0,
      afterKey: after !== null,
      newest: after !== null || query.until !== null,
      limit: limit !== null,
    },
    isStable: !query.withPrereleases,
    matchesNothing: words !== null && words.phrases.length + words.within.length === 0,
    withChanges: query.withChanges,
    boundVersions,
  });
}

export const IN_ORDER = sql`order by f.sort_key desc, f.version_id`;
export const allOf = (conditions: readonly Sql<boolean>[]) =>
  sql<boolean>`${sql.join([...conditions], sql` and `)}`;

/** How many versions a scan reads at most. */
export const boundOf = ({ boundVersions, has }: QueryShape) =>
  boundVersions * (has.match ? MATCH_BOUND_FACTOR : 1);

/** Selects the page's `version_id` and `sort_key`, and whether there are more rows beyond a bound. */
export function pathSql(
  db: Reader,
  values: QueryValues,
  shape: QueryShape,
  limit: Sql | null = shape.has.limit ? sql`${values.limit}` : null,
): { rows: Sql; hasMore?: Sql } {
  const { has, visible } = shape;
  const positioned = positionConditions(values, shape);
  const filters = filterConditions(db, values, shape);
  const limited = limit === null ? sql`` : sql`limit ${limit}`;
  const bound = sql.lit(boundOf(shape));
  const among = (rows: Sql, conditions: readonly Sql<boolean>[]) => ({
    rows: sql`select f.version_id, f.sort_key from ${rows} f where ${allOf(conditions)} ${IN_ORDER} ${limited}`,
  });
  switch (shape.path) {
    case 'order':
      return among(sql`version_facts`, [...positioned, ...filters]);
    case 'bounded': {
      const columns =
        has.match || has.texts ? sql`f.*` : sql`f.version_id, f.sort_key, f.version_order, f.is_prerelease`;
      const below = has.to ? positionConditions(values, shape, newestSql(db, values, shape)) : positioned;
      const all = sql`from version_facts f where ${allOf(below)} ${IN_ORDER}`;
      return {
        ...among(sql`(select ${columns} ${all} limit ${bound})`, filters),
        hasMore: sql`(select 1 ${all} limit 1 offset ${bound})`,
      };
    }
    case 'version': {
      const all = sql`from version_facts f where ${allOf([...positioned, sql<boolean>`f.status ${isVisible(visible)}`, ...rangeConditions(values, shape)])}`;
      // The limit, though never reached, keeps both engines from scanning in order.
      if (limit === null) return among(sql`(select f.* ${all} limit ${sql.lit(VERSIONS_MAX)})`, filters);
      return {
        ...among(sql`(select f.* ${all} limit ${bound})`, filters),
        hasMore: sql`(select 1 ${all} limit 1 offset ${bound})`,
      };
    }
    case 'majors':
      return {
        rows: sql`${selectMajors(db, values, shape, allOf([...positioned, ...filters]), limited)} ${IN_ORDER} ${limited}`,
      };
    case 'search':
      return {
        rows: dialectOf(db).search.selectMatches(
          searchOf(values, shape, { changelogs: null, conditions: [...positioned, ...filters], limit }),
        ),
      };
  }
}

export function searchOf(
  values: QueryValues,
  { visible, has }: QueryShape,
  where: Pick<Search, 'changelogs' | 'conditions' | 'limit'>,
): Search {
  return {
    match: sql`${values.match}`,
    keys: sql`${values.keys}`,
    isPublished: visible.version !== undefined,
    newest: has.newest ? sql<string>`${values.newest}` : null,
    oldest: has.since ? sql<string>`${values.since}` : null,
    ...where,
  };
}

/** The sort key of the newest version in a range: the scan can start there. */
function newestSql(db: Reader, values: QueryValues, shape: QueryShape): Sql<string> {
  const conditions = allOf([...positionConditions(values, shape), ...rangeConditions(values, shape)]);
  return sql`(select max(f.sort_key) from (${selectMajors(db, values, shape, conditions, sql`limit 1`)}) f)`;
}

/** The first versions of each major version in a range. */
function selectMajors(
  db: Reader,
  values: QueryValues,
  shape: QueryShape,
  conditions: Sql<boolean>,
  limited: Sql,
): Sql {
  return dialectOf(db).search.selectOfEach(
    majorsSql(values, shape),
    sql`where f.status = each.status and f.major = each.major and ${conditions} ${IN_ORDER} ${limited}`,
  );
}

/** The changelog and the state, and bounds on the sort key. */
function positionConditions(values: QueryValues, shape: QueryShape, newest?: Sql<string>): Sql<boolean>[] {
  const { version } = shape.visible;
  return [
    sql<boolean>`f.changelog_id = changelogs.id`,
    version ? sql`f.status = ${sql.lit(version)}` : sql.raw(`f.${OF_ANY_STATE}`),
    ...keyConditions(values, shape, newest),
  ];
}

/**
 * Bounds on the sort key. Versions that were never published sort above every date. `newest` replaces the other upper
 * bounds, because the engines use only one.
 */
export function keyConditions(
  values: QueryValues,
  { has }: QueryShape,
  newest?: Sql<string>,
): Sql<boolean>[] {
  const positioned: Sql<boolean>[] = [];
  if (has.since) positioned.push(sql`f.sort_key >= ${values.since} and f.sort_key < '~'`);
  if (newest !== undefined) positioned.push(sql`f.sort_key <= ${newest}`);
  else if (has.newest) positioned.push(sql`f.sort_key <= ${values.newest}`);
  if (has.afterKey)
    positioned.push(sql`(f.sort_key < ${values.afterKey} or f.version_id > ${values.afterId})`);
  return positioned;
}

/** Each major version in a range, found from the one before it, per state. */
function majorsSql(values: QueryValues, { visible, has }: QueryShape): Sql {
  const states = visible.version ? [visible.version] : VERSION_STATES;
  const least = (state: Sql, conditions: readonly Sql<boolean>[]) =>
    sql`(select min(f.major) from version_facts f where ${allOf([
      sql<boolean>`f.changelog_id = changelogs.id and f.status = ${state}`,
      ...conditions,
      ...(has.to ? [sql<boolean>`f.major <= ${values.toMajor}`] : []),
    ])})`;
  const firsts = states.map((state) => {
    const from = has.from ? [sql<boolean>`f.major >= ${values.fromMajor}`] : [];
    return sql`select ${sql.lit(state)} as status, ${least(sql.lit(state), from)} as major`;
  });
  return sql`(with recursive each (status, major) as (
      select * from (${sql.join(firsts, sql` union all `)}) firsts union all
      select each.status, ${least(sql`each.status`, [sql<boolean>`f.major > each.major`])}
        from each where each.major is not null)
    select * from each where major is not null)`;
}

export function filterConditions(db: Reader, values: QueryValues, shape: QueryShape): Sql<boolean>[] {
  const { has, path, isStable, matchesNothing } = shape;
  const { hasMatch, containsAll } = dialectOf(db).search;
  const filters = [
    matchesNothing ? sql<boolean>`1 = 0` : sql<boolean>`1 = 1`,
    ...rangeConditions(values, shape),
  ];
  if (isStable) filters.push(sql`f.is_prerelease = 0`);
  if (hasMatch !== null && has.match && path !== 'search') filters.push(hasMatch(sql`${values.match}`));
  if (has.texts) filters.push(containsAll(sql`${values.texts}`));
  return filters;
}

/** A label that is not a version has no `version_order` and is in no range. */
function rangeConditions(values: QueryValues, { has }: QueryShape): Sql<boolean>[] {
  return [
    ...(has.from ? [sql<boolean>`f.version_order > ${values.from}`] : []),
    ...(has.to ? [sql<boolean>`f.version_order <= ${values.to}`] : []),
  ];
}
