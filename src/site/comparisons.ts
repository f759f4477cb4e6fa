// Which versions a static site compares: each with the one before it, and with the newest.
import { isPrerelease, versionOrder } from '../domain/version-order.ts';

type Comparable = Readonly<{ label: string; changeCount: number }>;

/** The versions after `from`, up to and including `to`, in the given order. `to` is null for the newest one. */
export type Comparison<V> = Readonly<{ from: V; to: V | null; versions: readonly V[] }>;

/** Comparisons with the newest version repeat each other: with a server's limits, they would be most of the site. */
const VERSIONS_MAX = 500;
const CHANGES_MAX = 1_000;

/** Of versions in the order of the changelog. Longer ranges are left out. */
export function* comparisonsOf<V extends Comparable>(all: readonly V[]): Generator<Comparison<V>> {
  const ranks = rank(all);
  const places = new Map(all.map((version, place) => [version, place]));
  const placeOf = (version: V) => places.get(version) as number;
  const between = (after: number, last: number) => {
    const versions = ranks.slice(after + 1, last + 1).flat();
    const changes = versions.reduce((sum, { changeCount }) => sum + changeCount, 0);
    return versions.length <= VERSIONS_MAX && changes <= CHANGES_MAX
      ? versions.sort((one, other) => placeOf(one) - placeOf(other))
      : null;
  };
  let [before, stable] = [-1, -1];
  for (const [place, same] of ranks.entries()) {
    const isStable = same.some(({ label }) => !isPrerelease(label));
    // What is new in 2.0.0 includes what was new in its prereleases.
    const start = isStable && stable !== -1 ? stable : before;
    const from = ranks[start]?.[0];
    const versions = from === undefined ? null : between(start, place);
    if (from !== undefined && versions !== null) for (const to of same) yield { from, to, versions };
    before = place;
    if (isStable) stable = place;
  }
  for (let place = ranks.length - 2; place >= 0; place -= 1) {
    const versions = between(place, ranks.length - 1);
    // Those before it have even longer ranges.
    if (versions === null) return;
    for (const from of ranks[place] ?? []) yield { from, to: null, versions };
  }
}

/** From the lowest to the highest; labels of the same order, such as 1.0.0 and 1.0.0+2, are together. */
function rank<V extends Comparable>(all: readonly V[]): V[][] {
  const byOrder = Map.groupBy(all, ({ label }) => versionOrder(label));
  byOrder.delete(null);
  return [...byOrder.entries()]
    .sort(([one], [other]) => ((one as string) < (other as string) ? -1 : 1))
    .map(([, versions]) => versions);
}
