// Which versions a static site compares: each with the one before it, and the newest of each major version with the newest
// of all.
import { majorOf } from '../domain/version-order.ts';
import type { ChangelogIndex, IndexedVersion } from '../store/read/index.ts';
import { orderOf, previousOf, rankAbove } from '../store/read/index.ts';

/** The versions after `from`, up to and including `to`, in the order of the changelog. `to` is null for the newest one. */
export type Comparison = Readonly<{
  from: IndexedVersion;
  to: IndexedVersion | null;
  versions: readonly IndexedVersion[];
}>;

/** Those with the newest version repeat each other: all of a long changelog would be most of the site. */
const AFTER_CHANGES = 500;

export function comparisonsOf(index: ChangelogIndex): Comparison[] {
  const { versions, ordered } = index;
  const places = new Map(versions.map(({ id }, place) => [id, place]));
  const placeOf = ({ id }: IndexedVersion) => places.get(id) as number;
  const between = (from: IndexedVersion, end: number) =>
    ordered.slice(rankAbove(index, orderOf(from)), end).sort((one, other) => placeOf(one) - placeOf(other));
  const withPrevious = versions.flatMap((to): Comparison[] => {
    const from = previousOf(index, to.label);
    return from === undefined ? [] : [{ from, to, versions: between(from, rankAbove(index, orderOf(to))) }];
  });
  const withNewest = newestOfMajors(index)
    .map((from): Comparison => ({ from, to: null, versions: between(from, ordered.length) }))
    .filter((comparison) => comparison.versions.length > 0);
  const whole = versions.reduce((sum, { changeCount }) => sum + changeCount, 0);
  let left = Math.max(AFTER_CHANGES, whole);
  const short = withNewest.filter((comparison) => {
    left -= comparison.versions.reduce((sum, { changeCount }) => sum + changeCount, 0);
    return left >= 0;
  });
  return [...withPrevious, ...short];
}

/** The highest one first: one that is not a prerelease, if there is any. */
function newestOfMajors({ ordered }: ChangelogIndex): IndexedVersion[] {
  const newest = new Map<string, IndexedVersion>();
  for (const version of ordered) {
    const major = majorOf(version.label);
    if (!version.isPrerelease || newest.get(major)?.isPrerelease !== false) newest.set(major, version);
  }
  return [...newest.values()].reverse();
}
