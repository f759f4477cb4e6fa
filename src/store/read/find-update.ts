// What is new since a version (R55).

import { sql } from 'kysely';
import type { VisibleRows } from '../../domain/access/visibility.ts';
import { andThen, type MaybePromise } from '../../domain/maybe-promise.ts';
import { VERSION_STATES } from '../../domain/model.ts';
import { otherLabel } from '../../domain/version-names.ts';
import { versionOrder } from '../../domain/version-order.ts';
import { dialectOf, type Sql } from '../engine/dialect.ts';
import type { Reader } from '../engine/engine.ts';
import { prepare, sharedShape } from '../engine/prepared.ts';
import type { Tables } from '../engine/schema.ts';
import { labelledId, latestId } from './find-version.ts';
import {
  type AtRevision,
  firstOf,
  type HeadRow,
  joinVersion,
  type LatestVersionRow,
  type ProductPath,
  SUMMARY_COLUMNS,
} from './reads.ts';

/** `from` is a label, as the client gave it. */
export type UpdateQuery = Readonly<{ from: string | null; withPrereleases: boolean }>;

/** The counts are those of the versions after `from`, up to and including `latest`. */
export type UpdateRow = Readonly<{
  head: HeadRow;
  from: Readonly<{ version: string; known: boolean; yanked: boolean; isOrderable: boolean }> | null;
  latest: LatestVersionRow | null;
  versionCount: number;
  changeCount: number;
  hasSecurity: boolean;
  hasBreaking: boolean;
}>;

type Counted = Readonly<Record<'versions' | 'changes' | 'security' | 'breaking', number | null>>;

export function findUpdate(
  db: Reader,
  path: ProductPath,
  { from, withPrereleases }: UpdateQuery,
  visible: VisibleRows,
): MaybePromise<AtRevision<UpdateRow>> {
  const order = from === null ? null : versionOrder(from);
  const start = from === null ? 'none' : order === null ? 'date' : 'order';
  const values = { ...path, label: from ?? '', other: otherLabel(from ?? ''), order };
  const shape: UpdateShape = sharedShape({ visible, start, withPrereleases });
  return andThen(selectUpdate(db, values, shape), (rows) => {
    const { revision, counted, knownYanked, ...row } = firstOf(rows);
    if (row.changelogId === null) return { revision, found: undefined };
    const known = { known: knownYanked !== null, yanked: knownYanked === 1, isOrderable: order !== null };
    const [count] = JSON.parse(counted ?? '[]') as Counted[];
    return {
      revision,
      found: {
        head: row as HeadRow,
        from: from === null ? null : { version: from, ...known },
        latest: row.id === null ? null : (row as LatestVersionRow),
        versionCount: count?.versions ?? 0,
        changeCount: count?.changes ?? 0,
        hasSecurity: Boolean(count?.security),
        hasBreaking: Boolean(count?.breaking),
      },
    };
  });
}

type UpdateValues = ProductPath & Readonly<{ label: string; other: string; order: string | null }>;
/** `order`: the label is a version number. `date`: only its date may tell what came after it. */
type UpdateShape = Readonly<{
  visible: VisibleRows;
  start: 'none' | 'order' | 'date';
  withPrereleases: boolean;
}>;

/** `versions` and `last` are the latest version, `known` is the version with the label. */
const selectUpdate = prepare((db, values: UpdateValues, shape: UpdateShape) => {
  const { visible, start } = shape;
  const knownId = start === 'none' ? sql<string>`null` : labelledId(values.label, values.other, visible);
  const byDate = sql`case when exists (${numberedOf(shape)}) then ${dialectOf(db).rowsAsJson(countByDate(db, shape))}
    else ${dialectOf(db).rowsAsJson(sumsOf(db, rangesByDate(shape)))} end`;
  const counted: Record<UpdateShape['start'], Sql<string | null>> = {
    none: sql`null`,
    date: sql`case when known.id is not null then ${byDate} end`,
    order: sql`case when last.version_order is not null
      then ${dialectOf(db).rowsAsJson(sumsOf(db, rangesByOrder(values, shape)))}
      when known.id is not null then ${byDate} end`,
  };
  return joinVersion(db, values, visible, latestId(shape.withPrereleases))
    .leftJoin('version_facts as last', 'last.version_id', 'versions.id')
    .leftJoin('versions as known', (join) => join.on('known.id', '=', knownId))
    .select([
      ...SUMMARY_COLUMNS,
      'versions.change_count as changeCount',
      'versions.yanked',
      'known.yanked as knownYanked',
      counted[start].as('counted'),
    ]);
});

/** The kinds of `version_counts`: version numbers, those of prereleases, and all other labels. */
const [STABLE, PRERELEASE, UNNUMBERED] = [0, 1, 2].map((kind) => sql.lit(kind));
const statesOf = ({ visible }: UpdateShape) =>
  (visible.version ? [visible.version] : VERSION_STATES).map((state) => sql.lit(state));
const allOf = (selects: readonly Sql[]) => sql`${sql.join([...selects], sql` union all `)}`;

/** Selects the ranges to sum up: the list, the first place, and the place after the last one. */
function rangesByOrder({ order }: UpdateValues, shape: UpdateShape): Sql {
  const after = sql`cast(${order} as text) || '!'`;
  const ofKind = (state: Sql, kind: Sql | undefined, condition: Sql) =>
    sql`select ${state} as status, ${kind} as kind, ${after} as first, last.version_order || '!' as last ${condition}`;
  const isCounted = shape.withPrereleases ? sql`` : sql`where last.is_prerelease = 1`;
  return allOf(
    statesOf(shape).flatMap((state) => [ofKind(state, STABLE, sql``), ofKind(state, PRERELEASE, isCounted)]),
  );
}

/** The same for a changelog without version numbers. In the order of the feed, a lower id is newer. */
function rangesByDate(shape: UpdateShape): Sql {
  const from = (state: Sql, first: Sql, last: Sql, condition: Sql) =>
    sql`select ${state} as status, ${UNNUMBERED} as kind, ${first} as first, ${last} as last where ${condition}`;
  const [isBefore, knownPlace, lastPlace] = [
    sql`known.sort_key < last.sort_key`,
    sql`known.sort_key || ' ' || known.id`,
    sql`last.sort_key || ' ' || last.version_id`,
  ];
  return allOf(
    statesOf(shape).flatMap((state) => [
      from(state, sql`known.sort_key || ' '`, knownPlace, isBefore),
      from(state, sql`known.sort_key || '!'`, sql`last.sort_key || ' '`, isBefore),
      from(state, lastPlace, sql`last.sort_key || '!'`, isBefore),
      from(state, lastPlace, knownPlace, sql`known.sort_key = last.sort_key`),
    ]),
  );
}

/**
 * Sums whole groups of `version_counts`, and single versions only at both ends of a range: about as many rows, however many
 * versions there are.
 */
function sumsOf(db: Reader, ranges: Sql) {
  const inList = (level: number) => sql`from version_counts c where c.changelog_id = changelogs.id
    and c.status = r.status and c.kind = r.kind and c.level = ${sql.lit(level)}`;
  const edgesOf = (level: number) =>
    sql`(select min(c.place) ${inList(level)} and c.place >= r.first) as ${sql.ref(`first${level}`)},
      (select max(c.place) ${inList(level)} and c.place < r.last) as ${sql.ref(`last${level}`)}`;
  const parts = sql<Tables['version_counts'] & { first: string; last: string }>`(
    with edges as (select r.*, ${edgesOf(1)}, ${edgesOf(2)} from (${ranges}) r)
    select status, kind, 2 as level, first2 as first, last2 as last from edges where first2 < last2
    union all select status, kind, 1, first1, case when first2 < last2 then first2 else last1 end
      from edges where first1 < last1
    union all select status, kind, 1, last2, last1 from edges where first2 < last2
    union all select status, kind, 0, first, case when first1 < last1 then first1 else last end from edges
    union all select status, kind, 0, last1, last from edges where first1 < last1)`;
  return db
    .selectFrom(parts.as('part'))
    .crossJoin('version_counts as c')
    .where(sql<boolean>`c.changelog_id = changelogs.id and c.status = part.status and c.kind = part.kind
      and c.level = part.level and c.place >= part.first and c.place < part.last`)
    .select(COUNTED);
}

/** Whether a changelog has versions with a number: among others, these are not in the order of dates. */
const numberedOf = (shape: UpdateShape) => sql`select 1 from version_counts c
  where c.changelog_id = changelogs.id and c.status in (${sql.join(statesOf(shape))}) and c.kind < ${UNNUMBERED}`;

/** Counts one by one: few changelogs have labels of both kinds. */
function countByDate(db: Reader, shape: UpdateShape) {
  const isCounted = shape.withPrereleases ? sql`` : sql`and f.is_prerelease <= last.is_prerelease`;
  return db
    .selectFrom('version_facts as f')
    .crossJoin('version_counts as c')
    .where(sql<boolean>`f.changelog_id = changelogs.id and f.status in (${sql.join(statesOf(shape))}) ${isCounted}
      and (f.sort_key > known.sort_key or f.sort_key = known.sort_key and f.version_id < known.id)
      and (f.sort_key < last.sort_key or f.sort_key = last.sort_key and f.version_id >= last.version_id)
      and c.changelog_id = f.changelog_id and c.status = f.status and c.level = 0
      and c.kind = case when f.version_order is null then 2 else f.is_prerelease end
      and c.place = coalesce(f.version_order, f.sort_key) || ' ' || f.version_id`)
    .select(COUNTED);
}

const COUNTED = (['versions', 'changes', 'security', 'breaking'] as const).map((name) =>
  sql<number | null>`sum(${sql.ref(`c.${name}`)})`.as(name),
);
