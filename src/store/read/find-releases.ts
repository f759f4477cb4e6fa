// Published versions as releases: slices of the list, and single ones by label or number (R57).
import type { VisibleRows } from '../../domain/access/visibility.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { PublicationState, Visibility } from '../../domain/model.ts';
import { releaseNumber } from '../../domain/release-number.ts';
import { otherLabel } from '../../domain/version-names.ts';
import type { Reader } from '../engine/engine.ts';
import { findNamed, labelledId, type NamedPath, prepareDetail } from './find-version.ts';
import { type ChangelogIndex, readIndexed } from './index.ts';
import {
  type Chosen,
  chosenRows,
  type PageRow,
  parseVersions,
  versionsAsJson,
  type WithChanges,
} from './pages.ts';
import {
  type AtRevision,
  type AtState,
  type HeadRow,
  lastWrite,
  mapFound,
  type ProductPath,
  prepareAt,
  type VersionDetail,
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

type StateOfHead = Readonly<{ teamVisibility: Visibility; productStatus: PublicationState }>;

export type Releases = AtState &
  Readonly<{
    head: HeadRow & StateOfHead;
    versions: readonly PageRow[];
    /** How many there are in all. */
    total: number;
    /** The offset of the first version of the slice that was not read, if it is too long for one read. */
    end: number | null;
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
    return await mapFound(readReleases(own, values, visible, { withChanges }), (head) => {
      const { versions } = parseVersions(head.rows, null);
      const end = versions.length < chosen.length ? offset + versions.length : null;
      return { head, versions, total: listed.length, end, writtenAt: head.writtenAt };
    });
  });
}

const newestOf = ({ versions }: ChangelogIndex) =>
  versions.filter(({ isPublished }) => isPublished).slice(0, RELEASES_MAX);

type FoundReleases = StateOfHead & AtState & Readonly<{ rows: string }>;

const readReleases = prepareAt<Chosen, FoundReleases, WithChanges>(
  (db, { ids }, visible, { withChanges }) => ({
    teamVisibility: 'teams.visibility',
    productStatus: 'products.status',
    writtenAt: lastWrite(db, visible),
    rows: versionsAsJson(db, chosenRows(db, ids, visible), withChanges),
  }),
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
  return readIndexed(db, { team, product }, visible, (index, own) => {
    const id = newestOf(index).find((version) => releaseNumber(version.id) === number)?.id ?? '';
    return findNamed(own, { team, product, name: id, other: '' }, visible);
  });
}
