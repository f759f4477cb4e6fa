// What is new since a version (R55).
import { sql } from 'kysely';
import type { VisibleRows } from '../../domain/access/visibility.ts';
import { andThen, type MaybePromise } from '../../domain/maybe-promise.ts';
import { versionOrder } from '../../domain/version-order.ts';
import { dialectOf, type Sql } from '../engine/dialect.ts';
import type { Reader } from '../engine/engine.ts';
import { prepare, sharedShape } from '../engine/prepared.ts';
import type { Bit } from '../engine/schema.ts';
import { labelledId, latestId, otherLabel } from './find-version.ts';
import {
  type AtRevision,
  firstOf,
  type HeadRow,
  joinVersion,
  type ProductPath,
  SUMMARY_COLUMNS,
  type VersionRow,
} from './reads.ts';

/** `from` is a label, as the client gave it. */
export type UpdateQuery = Readonly<{ from: string | null; withPrereleases: boolean }>;

/** The counts are those of the versions after `from`, up to and including `latest`. */
export type UpdateRow = Readonly<{
  head: HeadRow;
  from: Readonly<{ version: string; known: boolean; yanked: boolean; isOrderable: boolean }> | null;
  latest: VersionRow | null;
  versionCount: number;
  changeCount: number;
  hasSecurity: boolean;
  hasBreaking: boolean;
}>;

type Counted = Readonly<{
  versions: number;
  changes: number | null;
  security: Bit | null;
  breaking: Bit | null;
}>;

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
    const { revision, counted, yanked, ...row } = firstOf(rows);
    if (row.changelogId === null) return { revision, found: undefined };
    const [count] = JSON.parse(counted ?? '[]') as Counted[];
    return {
      revision,
      found: {
        head: row as HeadRow,
        from:
          from === null
            ? null
            : {
                version: from,
                known: yanked !== null,
                yanked: yanked === 1,
                isOrderable: order !== null,
              },
        latest: row.id === null ? null : (row as VersionRow),
        versionCount: count?.versions ?? 0,
        changeCount: count?.changes ?? 0,
        hasSecurity: count?.security === 1,
        hasBreaking: count?.breaking === 1,
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
const selectUpdate = prepare((db, values: UpdateValues, { visible, start, withPrereleases }: UpdateShape) => {
  const knownId = start === 'none' ? sql<string>`null` : labelledId(values.label, values.other, visible);
  const ofState = visible.version
    ? sql<boolean>`f.status = ${sql.lit(visible.version)}`
    : sql<boolean>`f.status in ('draft', 'published')`;
  const isCounted = withPrereleases ? sql`` : sql`and f.is_prerelease <= last.is_prerelease`;
  const count = (range: Sql<boolean>) =>
    dialectOf(db).rowsAsJson(
      db
        .selectFrom('version_facts as f')
        .innerJoin('versions as v', 'v.id', 'f.version_id')
        .where(sql<boolean>`f.changelog_id = changelogs.id and ${ofState} ${isCounted} and ${range}`)
        .select([
          sql<number>`count(*)`.as('versions'),
          sql<number | null>`sum(v.change_count)`.as('changes'),
          sql<Bit | null>`max(case when ${hasChange(sql`c.type = 'security'`)} then 1 else 0 end)`.as(
            'security',
          ),
          sql<Bit | null>`max(case when ${hasChange(sql`c.breaking = 1`)} then 1 else 0 end)`.as('breaking'),
        ]),
    );
  const byOrder = count(sql`f.version_order > ${values.order} and f.version_order <= last.version_order`);
  // In the order of the feed, a lower id is newer.
  const byDate =
    count(sql`(f.sort_key > known.sort_key or f.sort_key = known.sort_key and f.version_id < known.id)
    and (f.sort_key < last.sort_key or f.sort_key = last.sort_key and f.version_id >= last.version_id)`);
  const counted: Record<UpdateShape['start'], Sql<string | null>> = {
    none: sql`null`,
    date: sql`case when known.id is not null then ${byDate} end`,
    order: sql`case when last.version_order is not null then ${byOrder}
      when known.id is not null then ${byDate} end`,
  };
  return joinVersion(db, values, visible, latestId(withPrereleases))
    .leftJoin('version_facts as last', 'last.version_id', 'versions.id')
    .leftJoin('versions as known', (join) => join.on('known.id', '=', knownId))
    .select([
      ...SUMMARY_COLUMNS,
      'versions.change_count as changeCount',
      'known.yanked',
      counted[start].as('counted'),
    ]);
});

const hasChange = (condition: Sql) =>
  sql<boolean>`exists (select 1 from changes c where c.version_id = v.id and ${condition})`;
