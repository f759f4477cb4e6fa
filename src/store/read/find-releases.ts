// Published versions as releases: slices of the list, and single ones by label or number (R57).
import type { VisibleRows } from '../../domain/access/visibility.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { PublicationState, Visibility } from '../../domain/model.ts';
import { releaseNumber } from '../../domain/release-number.ts';
import { otherLabel } from '../../domain/version-names.ts';
import type { Reader } from '../engine/engine.ts';
import { prepare, sharedShape } from '../engine/prepared.ts';
import { findIdentified, labelledId, type NamedPath } from './find-version.ts';
import { type ChangelogIndex, readIndexed, requireSameState } from './index.ts';
import { chosenRows, type PageRow, parseVersions, versionsAsJson } from './pages.ts';
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

/** Only the newest ones count (R57). */
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
  { team, product }: ProductPath,
  { offset, limit, isPrerelease, withChanges }: ReleasesQuery,
  visible: VisibleRows,
): Promise<AtRevision<Releases>> {
  return readIndexed(db, { team, product }, visible, async (index, own) => {
    const listed = newestOf(index).filter(
      (version) => isPrerelease === null || (version.isPrerelease || version.isYanked) === isPrerelease,
    );
    const chosen = listed.slice(offset, offset + limit);
    const values = { team, product, ids: JSON.stringify(chosen.map(({ id }) => id)) };
    const rows = await selectReleases(own, values, sharedShape({ visible, withChanges }));
    const { revision, rows: text, writtenAt: lastWrite, ...row } = firstOf(rows);
    if (row.changelogId === null) return { revision, found: undefined };
    requireSameState(index, lastWrite);
    const { versions } = parseVersions(text, null);
    const end = versions.length < chosen.length ? offset + versions.length : null;
    const head = row as Releases['head'];
    return { revision, found: { head, versions, total: listed.length, end, writtenAt: lastWrite ?? 0 } };
  });
}

const newestOf = ({ versions }: ChangelogIndex) =>
  versions.filter(({ isPublished }) => isPublished).slice(0, RELEASES_MAX);

type ReleasesValues = ProductPath & Readonly<{ ids: string }>;
type ReleasesShape = Readonly<{ visible: VisibleRows; withChanges: boolean }>;

const selectReleases = prepare((db, values: ReleasesValues, { visible, withChanges }: ReleasesShape) =>
  selectHead(db, values, visible).select([
    'teams.visibility as teamVisibility',
    'products.status as productStatus',
    writtenAt(db, visible),
    versionsAsJson(db, chosenRows(db, values.ids, visible), withChanges).as('rows'),
  ]),
);

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
  { team, product }: ProductPath,
  number: number,
  visible: VisibleRows,
): Promise<AtRevision<VersionDetail>> {
  return readIndexed(db, { team, product }, visible, async (index, own) => {
    const id = newestOf(index).find((version) => releaseNumber(version.id) === number)?.id ?? '';
    const detail = await findIdentified(own, { team, product, id }, visible);
    if (detail.found !== undefined) requireSameState(index, detail.found.writtenAt);
    return detail;
  });
}
