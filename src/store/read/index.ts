// The versions of a changelog as filters, order and counts need them, in memory: nothing that is shown. There is one for
// each changelog and surface; the public one comes from public rows alone (R9). It tells which versions a read is about.
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { VisibleRows } from '../../domain/access/visibility.ts';
import {
  type ChangeFilter,
  type FeedFilter,
  type FeedPosition,
  isOfChanges,
} from '../../domain/feed-query.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import { CHANGE_TYPES, type ChangeType, changeBit } from '../../domain/model.ts';
import { isPrereleaseOrder, majorOf, versionOrder } from '../../domain/version-order.ts';
import { yieldToEventLoop } from '../../event-loop.ts';
import { dialectOf, type Sql } from '../engine/dialect.ts';
import type { Reader } from '../engine/engine.ts';
import { runLimited } from '../engine/prepared.ts';
import { affects, type Touch, touchesOn } from '../engine/touches.ts';
import {
  type AtRevision,
  type AtState,
  type ChangeRow,
  type FullColumns,
  type HeadRow,
  lastWrite,
  mapFound,
  ofState,
  type ProductPath,
  prepareAt,
  type VersionRow,
} from './reads.ts';

export type IndexedVersion = Readonly<{
  id: string;
  label: string;
  /** When it was published. Drafts that never were sort above every date. */
  sortKey: string;
  isPublished: boolean;
  isYanked: boolean;
  isPrerelease: boolean;
  /** Its place in `ordered`; -1 for a label that is not a version number. */
  rank: number;
  /** A bit for each type of its changes, and for each type of its breaking ones. */
  types: number;
  breaking: number;
  changeCount: number;
  updatedAt: string;
}>;

export type ChangelogIndex = AtState &
  Readonly<{
    head: HeadRow;
    /** Whether published texts are in the full-text index: whatever is public. */
    isSearchable: boolean;
    /** In the order of the changelog (R12). */
    versions: readonly IndexedVersion[];
    /** Those with a version number, the highest last; of equal ones, the newest last. */
    ordered: readonly IndexedVersion[];
  }>;

/** Read at a time: other requests are served in between. */
const SLICE_VERSIONS = 4_000;
/** For each version: about 260 bytes, and 190 for its id in the results of two searches, measured with 20,000 versions. */
const VERSION_BYTES = 450;
const INDEX_BYTES = 2_000;
const BYTES_MAX = 32 * 1024 * 1024;

/** The indexes of databases with the same content. The least recently used ones are forgotten first. */
export class Indexes {
  readonly #kept: LRUCache<string, ChangelogIndex>;
  readonly #building = new Map<string, Promise<AtRevision<ChangelogIndex>>>();
  /** Slices of indexes and searches that have arrived so far: while there are more and more, the database responds. */
  slices = 0;

  constructor(bytesMax = BYTES_MAX) {
    this.#kept = new LRUCache({
      maxSize: bytesMax,
      // One that is too large takes all of it, rather than being built for every request.
      sizeCalculation: ({ versions }) => Math.min(bytesMax, INDEX_BYTES + VERSION_BYTES * versions.length),
    });
  }

  /** It may be out of date. */
  get(key: string): ChangelogIndex | undefined {
    return this.#kept.get(key);
  }

  /** Unless another read has built it again meanwhile. */
  forget(key: string, outdated: ChangelogIndex | undefined): void {
    if (this.#kept.peek(key) === outdated) this.#kept.delete(key);
  }

  /** Builds it once, however many wait for it. */
  build(key: string, build: () => Promise<AtRevision<ChangelogIndex>>): Promise<AtRevision<ChangelogIndex>> {
    let building = this.#building.get(key);
    if (building === undefined) {
      building = build()
        .then((built) => {
          this.#kept.set(key, built.found);
          return built;
        })
        .finally(() => this.#building.delete(key));
      this.#building.set(key, building);
    }
    return building;
  }

  /** Frees the memory of what a write made out of date. */
  onTouched(touches: readonly Touch[]): void {
    const onPublic = touchesOn('public', touches);
    for (const [key, { head }] of this.#kept.entries()) {
      const seen = key.startsWith(PUBLIC) ? onPublic : touches;
      if (seen.some((touch) => affects(touch, head))) this.#kept.delete(key);
    }
  }
}

/** Those that a database uses. */
export const indexesOf = new WeakMap<Reader, Indexes>();

const PUBLIC = 'public ';

/** What was read shows a later state than the index. */
class Outdated extends Error {}

export function requireSameState<T extends AtState>(before: AtState, read: T | undefined): T {
  if (read?.writtenAt !== before.writtenAt) throw new Outdated('the changelog was written to');
  return read;
}

const TRIES_MAX = 3;

type ReadByIndex<T> = (index: ChangelogIndex, db: Reader) => MaybePromise<AtRevision<T>>;

/**
 * Reads something by the index of a visible changelog. If it was written to since the index was built, builds another and
 * reads again: at last both in one transaction, of one state.
 */
export async function readIndexed<T extends AtState>(
  db: Reader,
  { team, product }: ProductPath,
  visible: VisibleRows,
  read: ReadByIndex<T>,
): Promise<AtRevision<T>> {
  const indexes = indexesOf.get(db) ?? new Indexes();
  indexesOf.set(db, indexes);
  const path = { team, product };
  const key = `${visible.version ? PUBLIC : ''}${team}/${product}`;
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    let index = indexes.get(key);
    try {
      if (index === undefined) {
        // Others may wait for it longer than this read.
        const build = () => runLimited(undefined, () => buildIndex(db, path, visible));
        const built = await indexes.build(key, build);
        if (built.found === undefined) return { revision: built.revision, found: undefined };
        index = built.found;
      }
      const result = await read(index, db);
      const { found: state } = result.found === undefined ? await readState(db, path, visible) : result;
      if (state !== undefined) requireSameState(index, state);
      return result;
    } catch (error) {
      if (!(error instanceof Outdated)) throw error;
      indexes.forget(key, index);
    }
  }
  return await db.transaction().execute(async (snapshot) => {
    const { revision, found } = await buildIndex(snapshot, path, visible);
    return found === undefined ? { revision, found } : await read(found, snapshot);
  });
}

/** The same for what the index alone tells, or searches that start in it. */
export function readFromIndex<T>(
  db: Reader,
  path: ProductPath,
  visible: VisibleRows,
  read: (index: ChangelogIndex, db: Reader) => MaybePromise<T>,
): Promise<AtRevision<T & AtState>> {
  return readIndexed(db, path, visible, async (index, own) => {
    const told = await read(index, own);
    // Last, so that all that was read before shows this state.
    return await mapFound(readState(own, path, visible), (state) => ({
      ...told,
      writtenAt: state.writtenAt,
    }));
  });
}

/** All visible versions, in the order of the changelog. */
export const findVersions = (db: Reader, path: ProductPath, visible: VisibleRows) =>
  readFromIndex(db, path, visible, ({ versions }) => ({ versions }));

const readState = prepareAt<ProductPath, AtState>((db, _, visible) => ({
  writtenAt: lastWrite(db, visible),
}));

async function buildIndex(
  db: Reader,
  path: ProductPath,
  visible: VisibleRows,
): Promise<AtRevision<ChangelogIndex>> {
  const indexes = indexesOf.get(db);
  const versions: Unranked[] = [];
  const orders: [Unranked, string][] = [];
  for (let first: AtState | null = null; ; ) {
    const { sortKey, id } = versions.at(-1) ?? { sortKey: ABOVE_ALL, id: '' };
    const { revision, found } = await readSlice(db, { ...path, sortKey, id }, visible);
    if (indexes !== undefined) indexes.slices++;
    if (found === undefined) return { revision, found };
    const { versions: text, isSearchable, writtenAt, ...head } = found;
    first ??= found;
    requireSameState(first, found);
    const rows = JSON.parse(text) as SliceRow[];
    for (const row of rows) {
      const order = versionOrder(row[1]);
      const version = toUnranked(row, order);
      versions.push(version);
      if (order !== null) orders.push([version, order]);
    }
    if (rows.length < SLICE_VERSIONS) {
      const ordered = rankVersions(orders);
      const index = { head, isSearchable: Boolean(isSearchable), versions, ordered, writtenAt };
      return { revision, found: index };
    }
    await yieldToEventLoop();
  }
}

/** Of a changelog that no database has: its published versions with all their changes, in the order of the changelog. */
export function indexOf(head: HeadRow, rows: readonly IndexableVersion[]): ChangelogIndex {
  const bitsOf = (some: IndexableVersion['changes']) =>
    some.reduce((bits, { type }) => bits | changeBit(type), 0);
  const orders: [Unranked, string][] = [];
  const versions = rows.map(({ id, label, sortKey, yanked, changes, changeCount, updatedAt }) => {
    const order = versionOrder(label);
    const breaking = bitsOf(changes.filter((change) => change.breaking === 1));
    const bits = 1 | (yanked << 1) | (bitsOf(changes) << 2) | (breaking << (2 + CHANGE_TYPES.length));
    const version = toUnranked([id, label, sortKey, bits, changeCount, updatedAt], order);
    if (order !== null) orders.push([version, order]);
    return version;
  });
  return { head, isSearchable: false, versions, ordered: rankVersions(orders), writtenAt: 0 };
}

type IndexableVersion = FeedPosition &
  Pick<VersionRow & FullColumns, 'label' | 'changeCount' | 'yanked' | 'updatedAt'> &
  Readonly<{ changes: readonly ChangeRow[] }>;

/** Greater than every sort key. */
export const ABOVE_ALL = '~~';

/** `updatedAt` is null if it is the sort key. */
type SliceRow = readonly [
  id: string,
  label: string,
  sortKey: string,
  bits: number,
  changeCount: number,
  updatedAt: string | null,
];

function rankVersions(orders: [Unranked, string][]): IndexedVersion[] {
  // Backwards: most changelogs are in this order already, which takes little to sort. Of equal ones, the newest is last.
  const ordered = [...orders]
    .reverse()
    .sort(([, one], [, other]) => (one < other ? -1 : one > other ? 1 : 0));
  return ordered.map(([version], rank) => {
    version.rank = rank;
    return version;
  });
}

type Unranked = { -readonly [Field in keyof IndexedVersion]: IndexedVersion[Field] };

function toUnranked(row: SliceRow, order: string | null): Unranked {
  const [id, label, sortKey, bits, changeCount, updatedAt] = row;
  return {
    id,
    label,
    sortKey,
    isPublished: (bits & 1) !== 0,
    isYanked: (bits & 2) !== 0,
    isPrerelease: order !== null && isPrereleaseOrder(order),
    rank: -1,
    types: (bits >> 2) & TYPE_BITS,
    breaking: bits >> (2 + CHANGE_TYPES.length),
    changeCount,
    updatedAt: updatedAt ?? sortKey,
  };
}

const TYPE_BITS = (1 << CHANGE_TYPES.length) - 1;

type Slice = AtState & Readonly<{ isSearchable: number | boolean; versions: string }>;

const readSlice = prepareAt<ProductPath & FeedPosition, Slice>((db, values, visible) => {
  const rows = sql`select versions.id, versions.label, ${orderColumn(visible)} as sort_key, versions.status,
      versions.yanked, versions.types, versions.breaking, versions.change_count, versions.updated_at
    from versions ${inOrder(visible, { after: values })} limit ${sql.lit(SLICE_VERSIONS)}`;
  // One number for the small ones, which takes less time to write and to read.
  const bits = sql`case status when 'published' then 1 else 0 end | (yanked << 1) | (types << 2)
    | (breaking << ${sql.lit(2 + CHANGE_TYPES.length)})`;
  const columns = sql`id, label, sort_key, ${bits}, change_count, updated_at`;
  return {
    isSearchable: sql`exists (select 1 from public_changelogs p where p.changelog_id = changelogs.id)`,
    versions: dialectOf(db).tuplesAsJson(columns, rows),
    writtenAt: lastWrite(db, visible),
  };
});

/** Every published version has a date, and an index by dates has the published ones alone (R9). */
export const orderColumn = ({ version }: VisibleRows) =>
  sql.ref(version ? 'versions.published_at' : 'versions.sort_key');

type InOrder = Readonly<{ after?: FeedPosition; changelogId?: string; conditions?: Sql }>;

/** The visible versions of a changelog, in its order (R12), for a query from `versions`. */
export function inOrder(
  visible: VisibleRows,
  { after, changelogId = 'changelogs.id', conditions = sql`` }: InOrder = {},
) {
  const key = orderColumn(visible);
  const isAfter =
    after && sql`and ${key} <= ${after.sortKey} and (${key} < ${after.sortKey} or versions.id > ${after.id})`;
  return sql`where versions.changelog_id = ${sql.ref(changelogId)} ${ofState(visible, sql`versions.status`)}
    ${isAfter ?? sql``} ${conditions} order by ${key} desc, versions.id`;
}

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

/** The order of the highest published version; null without one. */
export function highestOrder({ ordered }: ChangelogIndex): string | null {
  const highest = ordered.findLast(({ isPublished }) => isPublished);
  return highest === undefined ? null : orderOf(highest);
}

// What the page of a changelog offers to choose from: filters with their counts, and a menu of versions.
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
