// Which versions of a changelog a read is about, by its index alone.
import {
  type ChangeFilter,
  type FeedFilter,
  type FeedPosition,
  isOfChanges,
} from '../../domain/feed-query.ts';
import { CHANGE_TYPES, changeBit } from '../../domain/model.ts';
import { isPrereleaseOrder, versionOrder } from '../../domain/version-order.ts';
import type { ChangelogIndex, IndexedVersion } from './index.ts';

export type IndexFilter = Omit<FeedFilter, 'words'> & Readonly<{ after: FeedPosition | null }>;

type ChooseOptions = Readonly<{ limit?: number; mayHave?: (version: IndexedVersion) => boolean }>;

/** The versions that pass all filters, without those for words, in the order of the changelog. */
export function chooseVersions(
  index: ChangelogIndex,
  { since, until, after, from, to, withPrereleases, ...changes }: IndexFilter,
  { limit = Number.POSITIVE_INFINITY, mayHave = () => true }: ChooseOptions = {},
): IndexedVersion[] {
  const { versions, ordered } = index;
  // Drafts that were never published sort above every date.
  const newest = until ?? (since === null ? null : '~');
  const start = Math.max(
    newest === null ? 0 : placeAfter(versions, { sortKey: newest, id: '' }),
    after === null ? 0 : placeAfter(versions, after),
  );
  // A label that is not a version number is in no range.
  const rankMin = from === null ? (to === null ? -1 : 0) : rankAbove(index, from);
  const rankEnd = to === null ? ordered.length : rankAbove(index, to);
  const bits = changeBits(changes);
  const chosen: IndexedVersion[] = [];
  for (let place = start; place < versions.length && chosen.length < limit; place++) {
    const version = versions[place] as IndexedVersion;
    if (since !== null && version.sortKey < since) break;
    if (
      version.rank >= rankMin &&
      version.rank < rankEnd &&
      (withPrereleases || !version.isPrerelease) &&
      (bits === null || (version[bits.column] & bits.wanted) !== 0) &&
      mayHave(version)
    )
      chosen.push(version);
  }
  return chosen;
}

/** The place of the first version after a position; an empty id is before all others. */
export function placeAfter(versions: readonly IndexedVersion[], { sortKey, id }: FeedPosition): number {
  return firstPlace(versions.length, (place) => {
    const version = versions[place] as IndexedVersion;
    return version.sortKey < sortKey || (version.sortKey === sortKey && version.id > id);
  });
}

/** The first place, of so many, from which on a condition holds. */
function firstPlace(count: number, holds: (place: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The least rank of a version above one. */
export const rankAbove = ({ ordered }: ChangelogIndex, order: string) =>
  firstPlace(ordered.length, (place) => orderOf(ordered[place]) > order);

/** Of a version in `ordered`: those have one. */
export const orderOf = (version: IndexedVersion | undefined) => versionOrder(version?.label ?? '') ?? '';

/** A version has a wanted change if one of these bits is set in a column; null if none is wanted. */
export function changeBits({
  types,
  isBreaking,
}: ChangeFilter): Readonly<{ column: 'types' | 'breaking'; wanted: number }> | null {
  if (!isOfChanges({ types, isBreaking })) return null;
  const some = types.length === 0 ? CHANGE_TYPES : types;
  return {
    column: isBreaking ? 'breaking' : 'types',
    wanted: some.reduce((bits, type) => bits | changeBit(type), 0),
  };
}

/**
 * The highest published version that is not a prerelease, unless these count too, or else the last one published; a yanked
 * one only if all are (R31). Never a draft.
 */
export function latestOf(index: ChangelogIndex, withPrereleases = false): IndexedVersion | undefined {
  const find = (withYanked: boolean) => {
    const isListed = (version: IndexedVersion) => version.isPublished && (withYanked || !version.isYanked);
    const isCounted = (version: IndexedVersion) => withPrereleases || !version.isPrerelease;
    const highest = index.ordered.findLast((version) => isListed(version) && isCounted(version));
    return highest ?? index.versions.find(isListed);
  };
  return find(false) ?? find(true);
}

/** The published version before a label: before a prerelease any, before another version one that is not a prerelease. */
export function previousOf({ ordered }: ChangelogIndex, label: string): IndexedVersion | undefined {
  const order = versionOrder(label);
  if (order === null) return undefined;
  const withPrereleases = isPrereleaseOrder(order);
  const end = firstPlace(ordered.length, (place) => orderOf(ordered[place]) >= order);
  for (let place = end - 1; place >= 0; place--) {
    const version = ordered[place] as IndexedVersion;
    if (version.isPublished && (withPrereleases || !version.isPrerelease)) return version;
  }
  return undefined;
}
