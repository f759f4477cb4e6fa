// What is new since a version (R55).
import { sql } from 'kysely';
import type { VisibleRows } from '../../domain/access/visibility.ts';
import type { FeedPosition } from '../../domain/feed-query.ts';
import { changeBit } from '../../domain/model.ts';
import { otherLabel } from '../../domain/version-names.ts';
import { versionOrder } from '../../domain/version-order.ts';
import type { Reader } from '../engine/engine.ts';
import type { Bit } from '../engine/schema.ts';
import { labelledId } from './find-version.ts';
import {
  type ChangelogIndex,
  type IndexedVersion,
  latestOf,
  orderOf,
  placeAfter,
  rankAbove,
  readIndexed,
} from './index.ts';
import {
  type AtRevision,
  type AtState,
  type HeadRow,
  joinVersion,
  type LatestVersionRow,
  lastWrite,
  mapFound,
  type ProductPath,
  prepareAt,
  SUMMARY,
} from './reads.ts';

/** `from` is a label, as the client gave it. */
export type UpdateQuery = Readonly<{ from: string | null; withPrereleases: boolean }>;

/** The counts are those of the versions after `from`, up to and including `latest`. */
export type UpdateRow = AtState &
  Readonly<{
    head: HeadRow;
    from: Readonly<{ version: string; known: boolean; yanked: boolean; isOrderable: boolean }> | null;
    latest: LatestVersionRow | null;
    versionCount: number;
    changeCount: number;
    hasSecurity: boolean;
    hasBreaking: boolean;
  }>;

export function findUpdate(
  db: Reader,
  { team, product }: ProductPath,
  { from, withPrereleases }: UpdateQuery,
  visible: VisibleRows,
): Promise<AtRevision<UpdateRow>> {
  return readIndexed(db, { team, product }, visible, (index, own) => {
    const latest = latestOf(index, withPrereleases);
    const values = { team, product, id: latest?.id ?? '', from: from ?? '', other: otherLabel(from ?? '') };
    return mapFound(readUpdate(own, values, visible), (row) => {
      const order = from === null ? null : versionOrder(from);
      const since = row.knownId === null ? null : { id: row.knownId, sortKey: row.knownKey };
      const known = { known: since !== null, yanked: row.knownYanked === 1, isOrderable: order !== null };
      const isCounted = latest !== undefined && from !== null;
      const counted = isCounted ? countUpTo(index, latest, { order, since, withPrereleases }) : NOTHING;
      return {
        head: row,
        from: from === null ? null : { version: from, ...known },
        latest: row.id === null ? null : row,
        versionCount: counted.versionCount,
        changeCount: counted.changeCount,
        hasSecurity: (counted.types & SECURITY) !== 0,
        hasBreaking: counted.breaking !== 0,
        writtenAt: row.writtenAt,
      };
    });
  });
}

const NOTHING = { versionCount: 0, changeCount: 0, types: 0, breaking: 0 };
const SECURITY = changeBit('security');

type Start = Readonly<{ order: string | null; since: FeedPosition | null; withPrereleases: boolean }>;

/**
 * Counts the versions after one, up to and including the latest: by their numbers if both have one, otherwise by their dates
 * if the changelog has the first one.
 */
function countUpTo(index: ChangelogIndex, latest: IndexedVersion, { order, since, withPrereleases }: Start) {
  const counts = { ...NOTHING };
  const placeOf = (version: FeedPosition) => placeAfter(index.versions, version) - 1;
  const byNumber = order !== null && latest.rank !== -1;
  const [first, end] = byNumber
    ? [rankAbove(index, order), rankAbove(index, orderOf(latest))]
    : [placeOf(latest), since === null ? 0 : placeOf(since)];
  const versions = byNumber ? index.ordered : index.versions;
  for (let place = first; place < end; place++) {
    const version = versions[place] as IndexedVersion;
    if (version.isPrerelease && !withPrereleases && !latest.isPrerelease) continue;
    counts.versionCount++;
    counts.changeCount += version.changeCount;
    counts.types |= version.types;
    counts.breaking |= version.breaking;
  }
  return counts;
}

type UpdateValues = ProductPath & Readonly<{ id: string; from: string; other: string }>;
type FoundUpdate = LatestVersionRow &
  AtState &
  Readonly<{ knownId: string | null; knownKey: string; knownYanked: Bit | null }>;

/** `versions` is the latest version, `known` the one with the label `from`. */
const readUpdate = prepareAt<UpdateValues, FoundUpdate>(
  (db, _, visible) => ({
    ...SUMMARY,
    yanked: sql.ref('versions.yanked'),
    knownId: 'known.id',
    knownKey: 'known.sort_key',
    knownYanked: sql.ref('known.yanked'),
    writtenAt: lastWrite(db, visible),
  }),
  ({ id, from, other }, visible) => sql`${joinVersion(sql`${id}`, visible)}
    left join versions known on known.id = ${labelledId(from, other, visible)}`,
);
