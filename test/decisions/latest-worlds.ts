// Small changelogs of every mix of stable versions, prereleases and other labels, withdrawn or not, and which version each of
// them recommends (R31): found by comparing versions with each other, where the service filters them.

type Kind = 'stable' | 'prerelease' | 'named';

/** `day` is its date, and `number` its place in the order of versions. */
export type WorldVersion = Readonly<{
  label: string;
  kind: Kind;
  yanked: boolean;
  day: number;
  number: number;
}>;

export type LatestWorld = Readonly<{ name: string; versions: readonly WorldVersion[] }>;

const KINDS: readonly Kind[] = ['stable', 'prerelease', 'named'];
const CELLS = KINDS.flatMap((kind) => [false, true].map((yanked) => ({ kind, yanked })));
const VERSIONS_MAX = 3;

/** Every second one has its highest number on its oldest day. */
export const LATEST_WORLDS: readonly LatestWorld[] = Array.from({ length: VERSIONS_MAX }, (_, size) =>
  combinations(size + 1),
)
  .flat()
  .map((cells, index) => {
    const versions = cells.map((cell, day) => {
      const number = index % 2 === 0 ? day : cells.length - 1 - day;
      return { ...cell, day: day + 1, number, label: labelOf(cell.kind, number) };
    });
    return { name: `w${index}`, versions };
  });

function combinations(size: number): (typeof CELLS)[] {
  if (size === 0) return [[]];
  return combinations(size - 1).flatMap((cells) => CELLS.map((cell) => [...cells, cell]));
}

function labelOf(kind: Kind, number: number): string {
  if (kind === 'named') return `${'abc'[number]}-named`;
  return `${number + 1}.0.0${kind === 'stable' ? '' : '-rc.1'}`;
}

/** In this order: not withdrawn; a stable version; the higher number of two stable versions; the later date. */
export function recommended(versions: readonly WorldVersion[]): WorldVersion | undefined {
  return best(versions, ({ yanked, kind, day, number }) => [
    yanked ? 0 : 1,
    kind === 'stable' ? 1 : 0,
    kind === 'stable' ? number : day,
  ]);
}

/** The same if prereleases count: any version number in place of a stable one. */
export function recommendedWithPrereleases(versions: readonly WorldVersion[]): WorldVersion | undefined {
  return best(versions, ({ yanked, kind, day, number }) => [
    yanked ? 0 : 1,
    kind === 'named' ? 0 : 1,
    kind === 'named' ? day : number,
  ]);
}

/** The last one published, which lists of products name. */
export function newest(versions: readonly WorldVersion[]): WorldVersion | undefined {
  return best(versions, ({ yanked, day }) => [yanked ? 0 : 1, day]);
}

function best(
  versions: readonly WorldVersion[],
  rankOf: (version: WorldVersion) => readonly number[],
): WorldVersion | undefined {
  const isBetter = (one: WorldVersion, other: WorldVersion) => {
    const others = rankOf(other);
    const difference = rankOf(one).map((rank, index) => rank - (others[index] as number));
    return (difference.find((each) => each !== 0) ?? 0) > 0;
  };
  return versions.find((one) => versions.every((other) => one === other || isBetter(one, other)));
}
