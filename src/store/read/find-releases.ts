// Published versions as releases: slices of the list, and single ones by label or number (R57).

import { sql } from 'kysely';
import type { VisibleRows } from '../../domain/access/visibility.ts';
import { andThen, type MaybePromise } from '../../domain/maybe-promise.ts';
import type { PublicationState, Visibility } from '../../domain/model.ts';
import { randomIdEnd, releaseNumber } from '../../domain/release-number.ts';
import { otherLabel } from '../../domain/version-names.ts';
import { dialectOf } from '../engine/dialect.ts';
import type { Reader } from '../engine/engine.ts';
import { prepare, sharedShape } from '../engine/prepared.ts';
import { IN_ORDER, IS_YANKED, labelledId, type NamedPath, PUBLISHED } from './find-version.ts';
import { type PageRow, parseVersions, versionsAsJson } from './pages.ts';
import {
  type AtRevision,
  firstOf,
  type HeadRow,
  type ProductPath,
  prepareDetail,
  selectHead,
  type VersionDetail,
  writtenAt,
} from './reads.ts';

/** Only the newest ones count, which bounds how many rows of an index a read visits. */
export const RELEASES_MAX = 10_000;

/** `isPrerelease`: only prereleases and yanked versions, only others, or both if null. */
export type ReleasesQuery = Readonly<{
  offset: number;
  limit: number;
  isPrerelease: boolean | null;
  withChanges: boolean;
}>;

export type Releases = Readonly<{
  head: HeadRow & Readonly<{ teamVisibility: Visibility; productStatus: PublicationState }>;
  versions: readonly PageRow[];
  /** How many there are in all. */
  total: number;
  /** The offset of the first version of the slice that was not read, if it is too long for one read. */
  end: number | null;
  /** The revision of the last visible write to the product. Reads with the same value show the same state. */
  writtenAt: number;
}>;

/** A slice of the published versions, newest first. */
export function findReleases(
  db: Reader,
  path: ProductPath,
  { offset, limit, isPrerelease, withChanges }: ReleasesQuery,
  visible: VisibleRows,
): MaybePromise<AtRevision<Releases>> {
  const length = Math.max(0, Math.min(limit, RELEASES_MAX - offset));
  const shape = sharedShape({ visible, isFiltered: isPrerelease !== null, withChanges });
  const values = { ...path, offset, length, isPrerelease: Number(isPrerelease) };
  return andThen(selectReleases(db, values, shape), (rows) => {
    const { revision, rows: text, total, writtenAt: lastWrite, ...row } = firstOf(rows);
    if (row.changelogId === null) return { revision, found: undefined };
    const { versions, isCut } = parseVersions(text, length);
    const end = isCut ? offset + versions.length : null;
    const head = row as Releases['head'];
    return { revision, found: { head, versions, total: Number(total), end, writtenAt: lastWrite ?? 0 } };
  });
}

type ReleasesValues = ProductPath & Readonly<{ offset: number; length: number; isPrerelease: number }>;
type ReleasesShape = Readonly<{ visible: VisibleRows; isFiltered: boolean; withChanges: boolean }>;

const selectReleases = prepare((db, values: ReleasesValues, shape: ReleasesShape) => {
  const { visible, isFiltered, withChanges } = shape;
  const max = sql.lit(RELEASES_MAX);
  // Otherwise few matches among very many versions would be looked for in all of them.
  const oldest = sql`coalesce((select f.sort_key ${PUBLISHED} ${IN_ORDER} limit 1 offset ${max} - 1), '')`;
  const listed = isFiltered
    ? sql`${PUBLISHED} and f.sort_key >= ${oldest}
        and case when f.is_prerelease = 1 or ${IS_YANKED} then 1 else 0 end = ${values.isPrerelease}`
    : PUBLISHED;
  const rows = sql`select f.version_id, f.sort_key ${listed} ${IN_ORDER} limit ${values.length} offset ${values.offset}`;
  return selectHead(db, values, visible).select([
    'teams.visibility as teamVisibility',
    'products.status as productStatus',
    writtenAt(visible),
    sql<number>`(select count(*) from (select 1 ${listed} limit ${max}) f)`.as('total'),
    versionsAsJson(db, rows, withChanges).as('rows'),
  ]);
});

/** A published version by its label, exactly or with or without a leading `v`. */
export function findReleaseByLabel(
  db: Reader,
  path: ProductPath,
  label: string,
  visible: VisibleRows,
): MaybePromise<AtRevision<VersionDetail>> {
  return findLabelled(db, { ...path, name: label, other: otherLabel(label) }, visible);
}

const findLabelled = prepareDetail(({ name, other }: NamedPath) =>
  labelledId(name, other, { version: 'published' }),
);

/** A published version, one of the newest, by its `releaseNumber`. */
export function findReleaseByNumber(
  db: Reader,
  path: ProductPath,
  number: number,
  visible: VisibleRows,
): MaybePromise<AtRevision<VersionDetail>> {
  const end = randomIdEnd(number);
  const shape = sharedShape({ visible, isRandom: end !== null });
  return andThen(selectIds(db, { ...path, end: end ?? '' }, shape), (rows) => {
    const { revision, ids } = firstOf(rows);
    const found = (JSON.parse(ids) as Id[]).find(({ id }) => releaseNumber(id) === number);
    if (found === undefined) return { revision, found };
    return findIdentified(db, { ...path, id: found.id }, visible);
  });
}

type IdsShape = Readonly<{ visible: VisibleRows; isRandom: boolean }>;

/** Ids of the newest versions that may have a number: with these last digits, or not random. */
const selectIds = prepare(
  (db, values: ProductPath & Readonly<{ end: string }>, { visible, isRandom }: IdsShape) => {
    const newest = sql<Id>`(select f.version_id as id ${PUBLISHED} ${IN_ORDER} limit ${sql.lit(RELEASES_MAX)})`;
    const isPossible = isRandom
      ? sql<boolean>`substr(id, 24) = ${values.end}`
      : sql<boolean>`length(id) <> 36 or ltrim(substr(id, 5), '0123456789abcdef') <> ''`;
    const ids = db.selectFrom(newest.as('f')).select('f.id').where(isPossible);
    return selectHead(db, values, visible).select(dialectOf(db).rowsAsJson(ids).as('ids'));
  },
);

type Id = Readonly<{ id: string }>;

/** A range with an order, as in `find-version.ts`: it keeps the engines from finding hidden versions first. */
const findIdentified = prepareDetail(
  ({ id }: ProductPath & Id) =>
    sql<string>`(select v.id from versions v where v.changelog_id = changelogs.id and v.status = 'published'
        and v.id >= ${id} and v.id <= ${id} order by v.id limit 1)`,
);
