// What is new since a version (R55).
import { sql } from 'kysely';
import type { VisibleRows } from '../../domain/access/visibility.ts';
import type { FeedPosition } from '../../domain/feed-query.ts';
import { changeBit } from '../../domain/model.ts';
import { otherLabel } from '../../domain/version-names.ts';
import { versionOrder } from '../../domain/version-order.ts';
import type { Reader } from '../engine/engine.ts';
import { prepare } from '../engine/prepared.ts';
import { latestOf, orderOf, placeAfter, rankAbove } from './choose.ts';
import { labelledId } from './find-version.ts';
import { type ChangelogIndex, type IndexedVersion, readIndexed, requireSameState } from './index.ts';
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

export function findUpdate(
  db: Reader,
  { team, product }: ProductPath,
  { from, withPrereleases }: UpdateQuery,
  visible: VisibleRows,
): Promise<AtRevision<UpdateRow>> {
  return readIndexed(db, { team, product }, visible, async (index, own) => {
    const latest = latestOf(index, withPrereleases);
    const values = { team, product, id: latest?.id ?? '', label: from ?? '', other: otherLabel(from ?? '') };
    const { revision, knownId, knownKey, knownYanked, writtenAt, ...row } = firstOf(
      await selectUpdate(own, values, visible),
    );
    if (row.changelogId === null) return { revision, found: undefined };
    requireSameState(index, writtenAt);
    const order = from === null ? null : versionOrder(from);
    const isKnown = from !== null && knownId !== null;
    const since = isKnown ? { id: knownId, sortKey: knownKey as string } : null;
    const start = { order, since, withPrereleases };
    const counted = latest && from !== null ? countUpTo(index, latest, start) : null;
    const known = { known: isKnown, yanked: isKnown && knownYanked === 1, isOrderable: order !== null };
    return {
      revision,
      found: {
        head: row as HeadRow,
        from: from === null ? null : { version: from, ...known },
        latest: row.id === null ? null : (row as LatestVersionRow),
        versionCount: counted?.versionCount ?? 0,
        changeCount: counted?.changeCount ?? 0,
        hasSecurity: ((counted?.types ?? 0) & SECURITY) !== 0,
        hasBreaking: (counted?.breaking ?? 0) !== 0,
      },
    };
  });
}

const SECURITY = changeBit('security');

type Start = Readonly<{ order: string | null; since: FeedPosition | null; withPrereleases: boolean }>;

/**
 * Counts the versions after one, up to and including the latest: by their numbers if both have one, otherwise by their dates
 * if the changelog has the first one.
 */
function countUpTo(index: ChangelogIndex, latest: IndexedVersion, start: Start) {
  const counts = { versionCount: 0, changeCount: 0, types: 0, breaking: 0 };
  const withPrereleases = start.withPrereleases || latest.isPrerelease;
  const count = (versions: readonly IndexedVersion[], first: number, end: number) => {
    for (let place = first; place < end; place++) {
      const version = versions[place] as IndexedVersion;
      if (version.isPrerelease && !withPrereleases) continue;
      counts.versionCount++;
      counts.changeCount += version.changeCount;
      counts.types |= version.types;
      counts.breaking |= version.breaking;
    }
  };
  const placeOf = (version: FeedPosition) => placeAfter(index.versions, version) - 1;
  if (start.order !== null && latest.rank !== -1)
    count(index.ordered, rankAbove(index, start.order), rankAbove(index, orderOf(latest)));
  else if (start.since !== null) count(index.versions, placeOf(latest), placeOf(start.since));
  return counts;
}

type UpdateValues = ProductPath & Readonly<{ id: string; label: string; other: string }>;

/** `versions` is the latest version, `known` the one with the label. */
const selectUpdate = prepare((db, values: UpdateValues, visible: VisibleRows) =>
  joinVersion(db, values, visible, sql<string>`${values.id}`)
    .leftJoin('versions as known', (join) =>
      join.on('known.id', '=', labelledId(values.label, values.other, visible)),
    )
    .select([
      ...SUMMARY_COLUMNS,
      'versions.change_count as changeCount',
      'versions.yanked',
      'known.id as knownId',
      'known.sort_key as knownKey',
      'known.yanked as knownYanked',
    ]),
);
