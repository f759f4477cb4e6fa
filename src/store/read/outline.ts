// What the page of a changelog offers to choose from: filters with their counts, and a menu of versions.
import type { VisibleRows } from '../../domain/access/visibility.ts';
import { CHANGE_TYPES, type ChangeType, changeBit } from '../../domain/model.ts';
import { majorOf } from '../../domain/version-order.ts';
import type { Reader } from '../engine/engine.ts';
import { type ChangelogIndex, type IndexedVersion, readFromIndex } from './index.ts';
import type { ProductPath } from './reads.ts';

/** How many published versions there are; `mark` limits them to those with a change of a type, or a breaking one. */
export type Facet = Readonly<{
  /** In UTC, with four digits; empty for all years. */
  year: string;
  mark: '' | ChangeType | 'breaking';
  versions: number;
}>;

/** `major` is the first number of the version; null for a label that is not one. */
export type MenuVersion = Readonly<{ id: string; label: string; major: string | null }>;

export type Outline = Readonly<{
  /** All years first, then the newest year; without those that no version has. */
  facets: readonly Facet[];
  /** All published versions. */
  versionCount: number;
  /** The newest published versions, then the newest one of each older major version, the highest first. */
  menu: readonly MenuVersion[];
}>;

/** The newest ones have facets of their own. */
export const YEARS_MAX = 100;
export const MENU_VERSIONS_MAX = 100;
export const OLDER_MAJORS_MAX = 50;

export const findOutline = (db: Reader, path: ProductPath, visible: VisibleRows) =>
  readFromIndex(db, path, visible, outlineOf);

const outlines = new WeakMap<ChangelogIndex, Outline>();

export function outlineOf(index: ChangelogIndex): Outline {
  const known = outlines.get(index);
  if (known !== undefined) return known;
  const published = index.versions.filter(({ isPublished }) => isPublished);
  const newest = published.slice(0, MENU_VERSIONS_MAX).map(toMenuVersion);
  const majors = new Set(newest.map(({ major }) => major));
  const outline = {
    facets: facetsOf(published),
    versionCount: published.length,
    menu: [...newest, ...olderMajorsOf(published.slice(MENU_VERSIONS_MAX), majors)],
  };
  outlines.set(index, outline);
  return outline;
}

const MARKS = [
  { mark: '', has: () => true },
  ...CHANGE_TYPES.map((mark) => ({
    mark,
    has: ({ types }: IndexedVersion) => (types & changeBit(mark)) !== 0,
  })),
  { mark: 'breaking', has: ({ breaking }: IndexedVersion) => breaking !== 0 },
] as const;

function facetsOf(published: readonly IndexedVersion[]): Facet[] {
  const byYear = Map.groupBy(published, ({ sortKey }) => sortKey.slice(0, 4));
  const years = [...byYear.keys()].sort().reverse().slice(0, YEARS_MAX);
  const facets = ['', ...years].flatMap((year) =>
    MARKS.map(({ mark, has }) => {
      const versions = year === '' ? published : (byYear.get(year) ?? []);
      return { year, mark, versions: versions.filter(has).length };
    }),
  );
  return facets.filter(({ versions }) => versions > 0);
}

/** The newest version of each, in the order of the changelog, is the first one. */
function olderMajorsOf(older: readonly IndexedVersion[], inMenu: ReadonlySet<string | null>): MenuVersion[] {
  const newest = new Map<string, MenuVersion>();
  for (const version of older.map(toMenuVersion)) {
    const { major } = version;
    if (major !== null && !inMenu.has(major) && !newest.has(major)) newest.set(major, version);
  }
  return [...newest.values()]
    .sort((one, other) => Number(other.major) - Number(one.major))
    .slice(0, OLDER_MAJORS_MAX);
}

function toMenuVersion({ id, label, rank }: IndexedVersion): MenuVersion {
  return { id, label, major: rank === -1 ? null : majorOf(label) };
}
