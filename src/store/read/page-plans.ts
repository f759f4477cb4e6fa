// The ways to the versions that pass a filter: which one is taken, and its SQL.
import { sql } from 'kysely';
import type { VisibleRows } from '../../domain/access/visibility.ts';
import type { FeedQuery } from '../../domain/feed-query.ts';
import { VERSION_STATES } from '../../domain/model.ts';
import { blocksBetween, type VersionBlock } from '../../domain/version-order.ts';
import type { Reader } from '../engine/engine.ts';
import { searchDialectOf } from '../engine/schema-dialect.ts';
import type { Sql } from '../engine/search-dialect.ts';
import { OF_ANY_STATE } from '../migrate/facts-migration.ts';
import type { ProductPath } from './reads.ts';

/**
 * In order, until there are enough; the same, but no further than a bound; everything between two versions, up to a
 * bound; the first ones of each major version between two; by the index over words.
 */
export type AccessPath = 'order' | 'bounded' | 'version' | 'majors' | 'search';

/** Most of what is asked for is near the top, and found so. Whatever is rarer is better found by what it has. */
export const BOUND_VERSIONS = 2_000;
/** Where the index over words is not in order, all that it finds is put in order: it pays to go further without it. */
const MATCH_BOUND_FACTOR = 3;
/** More than any changelog has. */
const VERSIONS_MAX = 2_147_483_647;
/** With more blocks than this between two versions, they are no help to the index over words. */
const BLOCKS_MAX = 100;

/** Each way alone gives a whole answer of one moment, or none: a second question does not continue a first. */
export function accessPathsFor(
  { from, to, types, words, limit }: FeedQuery,
  isInOrder: boolean,
): readonly [AccessPath, ...AccessPath[]] {
  const isBounded = limit !== null;
  if (types.length > 0 || (words !== null && words.phrases.length > 0))
    return isBounded && !isInOrder ? ['bounded', 'search'] : ['search'];
  if (from !== null || to !== null) return isBounded ? ['bounded', 'version', 'majors'] : ['version'];
  return ['order'];
}

/** What holds everything between two versions, for the index over words. */
export function versionBlocks({ from, to }: FeedQuery): VersionBlock[] | null {
  return to === null ? null : blocksBetween(from, to, BLOCKS_MAX);
}

export type QueryValues = ProductPath &
  Readonly<{
    since: string | null;
    until: string | null;
    from: string | null;
    to: string | null;
    match: string;
    /** The same for the index over words. */
    keys: string;
    texts: string;
    /** The first numbers of `from` and `to`. */
    fromMajor: string | null;
    toMajor: string | null;
    afterKey: string | null;
    /** The nearer of `afterKey` and `until`. */
    newest: string | null;
    afterId: string | null;
    limit: number | null;
  }>;

/** Which of the values there are, and what is done with them. */
export type QueryShape = Readonly<{
  visible: VisibleRows;
  way: AccessPath;
  has: Readonly<Record<Exclude<keyof QueryValues, keyof ProductPath>, boolean>>;
  isStable: boolean;
  isNothing: boolean;
  withChanges: boolean;
  boundVersions: number;
}>;

/** Forms are told apart by identity. */
const forms = new Map<string, QueryShape>();

export function shapeOf(
  visible: VisibleRows,
  query: FeedQuery,
  way: AccessPath,
  boundVersions: number,
): QueryShape {
  const { words, types, after, limit } = query;
  const form: QueryShape = {
    visible,
    way,
    has: {
      since: query.since !== null,
      until: query.until !== null,
      from: query.from !== null,
      to: query.to !== null,
      fromMajor: query.from !== null,
      toMajor: query.to !== null,
      match: types.length > 0 || (words?.phrases ?? []).length > 0,
      keys: types.length > 0 || (words?.phrases ?? []).length > 0,
      texts: (words?.within ?? []).length > 0,
      afterKey: after !== null,
      newest: after !== null || query.until !== null,
      afterId: after !== null,
      limit: limit !== null,
    },
    isStable: !query.withPrereleases,
    isNothing: words !== null && words.phrases.length + words.within.length === 0,
    withChanges: query.withChanges,
    boundVersions,
  };
  const key = JSON.stringify(form);
  const known = forms.get(key) ?? form;
  forms.set(key, known);
  return known;
}

const IN_ORDER = sql`order by f.sort_key desc, f.version_id`;
const allOf = (conditions: readonly Sql<boolean>[]) => sql<boolean>`${sql.join([...conditions], sql` and `)}`;

/** Selects `version_id` and `sort_key` of the page, and whether there is more behind a bound. */
export function pathSql(db: Reader, values: QueryValues, form: QueryShape): { rows: Sql; goesOn?: Sql } {
  const { has, visible } = form;
  const placed = writePlaced(values, form);
  const chosen = writeChosen(db, values, form);
  const limit = has.limit ? sql`${values.limit}` : null;
  const limited = limit === null ? sql`` : sql`limit ${limit}`;
  const bound = sql.lit(form.boundVersions * (has.match ? MATCH_BOUND_FACTOR : 1));
  const among = (rows: Sql, conditions: readonly Sql<boolean>[]) => ({
    rows: sql`select f.version_id, f.sort_key from ${rows} f where ${allOf(conditions)} ${IN_ORDER} ${limited}`,
  });
  switch (form.way) {
    case 'order':
      return among(sql`version_facts`, [...placed, ...chosen]);
    case 'bounded': {
      const columns =
        has.match || has.texts ? sql`f.*` : sql`f.version_id, f.sort_key, f.version_order, f.is_prerelease`;
      const below = has.to ? writePlaced(values, form, writeNewest(db, values, form)) : placed;
      const all = sql`from version_facts f where ${allOf(below)} ${IN_ORDER}`;
      return {
        ...among(sql`(select ${columns} ${all} limit ${bound})`, chosen),
        goesOn: sql`(select 1 ${all} limit 1 offset ${bound})`,
      };
    }
    case 'version': {
      const all = sql`from version_facts f where ${allOf([...placed, isOfState(visible), ...writeRange(values, form)])}`;
      // With a limit, if only for form's sake, no engine takes the way in order for the better one.
      if (limit === null) return among(sql`(select f.* ${all} limit ${sql.lit(VERSIONS_MAX)})`, chosen);
      return {
        ...among(sql`(select f.* ${all} limit ${bound})`, chosen),
        goesOn: sql`(select 1 ${all} limit 1 offset ${bound})`,
      };
    }
    case 'majors':
      return {
        rows: sql`${selectOfMajors(db, values, form, allOf([...placed, ...chosen]), limited)} ${IN_ORDER} ${limited}`,
      };
    case 'search':
      return {
        rows: searchDialectOf(db).selectMatches({
          match: sql`${values.match}`,
          keys: sql`${values.keys}`,
          isPublished: visible.version !== undefined,
          conditions: [...placed, ...chosen],
          newest: has.newest ? sql<string>`${values.newest}` : null,
          oldest: has.since ? sql<string>`${values.since}` : null,
          limit,
        }),
      };
  }
}

/** Where in the order the newest version between two stands: what is above it need not be gone through. */
function writeNewest(db: Reader, values: QueryValues, form: QueryShape): Sql<string> {
  const conditions = allOf([...writePlaced(values, form), ...writeRange(values, form)]);
  return sql`(select max(f.sort_key) from (${selectOfMajors(db, values, form, conditions, sql`limit 1`)}) f)`;
}

/** The first versions of each major one between two. */
function selectOfMajors(
  db: Reader,
  values: QueryValues,
  form: QueryShape,
  conditions: Sql<boolean>,
  limited: Sql,
): Sql {
  return searchDialectOf(db).selectOfEach(
    writeMajors(values, form),
    sql`where f.status = each.status and f.major = each.major and ${conditions} ${IN_ORDER} ${limited}`,
  );
}

/**
 * Where in the order versions may stand. Those that never were published stand above every date. A place that is known
 * to be below everything else that keeps versions out above stands for all of it: engines heed one such bound.
 */
function writePlaced(
  values: QueryValues,
  { visible, has }: QueryShape,
  newest?: Sql<string>,
): Sql<boolean>[] {
  const placed = [sql<boolean>`f.changelog_id = changelogs.id`];
  placed.push(visible.version ? sql`f.status = ${sql.lit(visible.version)}` : sql.raw(`f.${OF_ANY_STATE}`));
  if (has.since) placed.push(sql`f.sort_key >= ${values.since} and f.sort_key < '~'`);
  if (newest !== undefined) placed.push(sql`f.sort_key <= ${newest}`);
  else if (has.newest) placed.push(sql`f.sort_key <= ${values.newest}`);
  if (has.afterKey) placed.push(sql`(f.sort_key < ${values.afterKey} or f.version_id > ${values.afterId})`);
  return placed;
}

/** For an index that has the state in front. */
const isOfState = ({ version }: VisibleRows) =>
  version ? sql<boolean>`f.status = ${sql.lit(version)}` : sql<boolean>`f.status in ('draft', 'published')`;

/** Each major version that there is between two, found from the one before it, in each state. */
function writeMajors(values: QueryValues, { visible, has }: QueryShape): Sql {
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

/** What they must be besides. */
function writeChosen(db: Reader, values: QueryValues, form: QueryShape): Sql<boolean>[] {
  const { has, way, isStable, isNothing } = form;
  const { hasMatch, holdsAll } = searchDialectOf(db);
  const chosen = [isNothing ? sql<boolean>`1 = 0` : sql<boolean>`1 = 1`, ...writeRange(values, form)];
  if (isStable) chosen.push(sql`f.is_prerelease = 0`);
  if (has.match && way !== 'search') chosen.push(hasMatch(sql`${values.match}`));
  if (has.texts) chosen.push(holdsAll(sql`${values.texts}`));
  return chosen;
}

/** A label that is no version has no place in their order. */
function writeRange(values: QueryValues, { has }: QueryShape): Sql<boolean>[] {
  return [
    ...(has.from ? [sql<boolean>`f.version_order > ${values.from}`] : []),
    ...(has.to ? [sql<boolean>`f.version_order <= ${values.to}`] : []),
  ];
}
