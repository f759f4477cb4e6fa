// The versions of a changelog as filters, order and counts need them, in memory: nothing that is shown. There is one for
// each changelog and surface; the public one comes from public rows alone (R9).
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { VisibleRows } from '../../domain/access/visibility.ts';
import type { FeedPosition } from '../../domain/feed-query.ts';
import { CHANGE_TYPES } from '../../domain/model.ts';
import { isPrereleaseOrder, versionOrder } from '../../domain/version-order.ts';
import { yieldToEventLoop } from '../../event-loop.ts';
import { dialectOf } from '../engine/dialect.ts';
import type { Reader } from '../engine/engine.ts';
import { prepare } from '../engine/prepared.ts';
import { affects, type Touch, touchesOn } from '../engine/touches.ts';
import { type AtRevision, firstOf, type HeadRow, type ProductPath, selectHead, writtenAt } from './reads.ts';

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

export type ChangelogIndex = Readonly<{
  head: HeadRow;
  /** Whether published texts are in the full-text index: whatever is public. */
  isSearchable: boolean;
  /** In the order of the changelog (R12). */
  versions: readonly IndexedVersion[];
  /** Those with a version number, the highest last; of equal ones, the newest last. */
  ordered: readonly IndexedVersion[];
  /** The revision of the last visible write to the product: reads with the same value show the same state. */
  writtenAt: number;
}>;

/** Read at a time: other requests are served in between. */
const SLICE_VERSIONS = 4_000;
/** A changelog that is written to meanwhile is read again, at last in one piece. */
const SLICED_TRIES_MAX = 3;
const ALL_VERSIONS = 2_147_483_647;
/** Of a version: its texts, what the engine needs for an object, and its id in what searches have found. */
const VERSION_BYTES = 600;
const INDEX_BYTES = 2_000;
const BYTES_MAX = 32 * 1024 * 1024;

/** The indexes of databases with the same content. The least recently used ones are forgotten first. */
export class Indexes {
  readonly #kept: LRUCache<string, ChangelogIndex>;
  readonly #building = new Map<string, Promise<AtRevision<ChangelogIndex>>>();

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

const indexesOf = new WeakMap<Reader, Indexes>();

export function useIndexes(db: Reader, indexes: Indexes): void {
  indexesOf.set(db, indexes);
}

function indexesFor(db: Reader): Indexes {
  const indexes = indexesOf.get(db) ?? new Indexes();
  indexesOf.set(db, indexes);
  return indexes;
}

const PUBLIC = 'public ';

/** What was read shows a later state than the index. */
class Outdated extends Error {}

export function requireSameState(index: ChangelogIndex, lastWrite: number): void {
  if (index.writtenAt !== lastWrite) throw new Outdated('the index is out of date');
}

const TRIES_MAX = 3;

type ReadByIndex<T> = (index: ChangelogIndex, db: Reader) => Promise<AtRevision<T>> | AtRevision<T>;

/**
 * Reads something by the index of a visible changelog. If it was written to since the index was built, which `read` finds
 * out with `requireSameState`, builds another and reads again: at last both in one transaction, of one state.
 */
export async function readIndexed<T>(
  db: Reader,
  { team, product }: ProductPath,
  visible: VisibleRows,
  read: ReadByIndex<T>,
): Promise<AtRevision<T>> {
  const indexes = indexesFor(db);
  const path = { team, product };
  const key = `${visible.version ? PUBLIC : ''}${team}/${product}`;
  let index = indexes.get(key);
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    if (index === undefined) {
      const built = await indexes.build(key, () => buildIndex(db, path, visible));
      if (built.found === undefined) return { revision: built.revision, found: undefined };
      index = built.found;
    }
    try {
      return await read(index, db);
    } catch (error) {
      if (!(error instanceof Outdated)) throw error;
      // Another read may have built it meanwhile.
      const latest = indexes.get(key);
      index = latest === index ? undefined : latest;
    }
  }
  return await db.transaction().execute(async (snapshot) => {
    const { revision, found } = await buildIndex(snapshot, path, visible);
    return found === undefined ? { revision, found } : await read(found, snapshot);
  });
}

/** The same for what the index alone tells. */
export function readFromIndex<T>(
  db: Reader,
  path: ProductPath,
  visible: VisibleRows,
  read: (index: ChangelogIndex, db: Reader) => Promise<T> | T,
): Promise<AtRevision<T>> {
  return readIndexed(db, path, visible, async (index, own) => {
    const { team, product } = path;
    const now = firstOf(await selectState(own, { team, product }, visible));
    if (now.changelogId === null) return { revision: now.revision, found: undefined };
    requireSameState(index, now.writtenAt);
    return { revision: now.revision, found: await read(index, own) };
  });
}

/** All visible versions, in the order of the changelog. */
export const findVersions = (db: Reader, path: ProductPath, visible: VisibleRows) =>
  readFromIndex(db, path, visible, ({ versions, writtenAt }) => ({ versions, writtenAt }));

const selectState = prepare((db, path: ProductPath, visible: VisibleRows) =>
  selectHead(db, path, visible).select(writtenAt(db, visible)),
);

async function buildIndex(
  db: Reader,
  path: ProductPath,
  visible: VisibleRows,
): Promise<AtRevision<ChangelogIndex>> {
  for (let tries = 1; ; tries++) {
    const limit = tries > SLICED_TRIES_MAX ? ALL_VERSIONS : SLICE_VERSIONS;
    const versions: Unranked[] = [];
    const orders: [Unranked, string][] = [];
    let first: number | null = null;
    for (;;) {
      const { sortKey, id } = versions.at(-1) ?? { sortKey: ABOVE_ALL, id: '' };
      const slice = firstOf(await selectSlice(db, { ...path, sortKey, id, limit }, visible));
      const { revision, versions: text, isSearchable, writtenAt: last, ...head } = slice;
      if (head.changelogId === null) return { revision, found: undefined };
      first ??= last;
      if (first !== last) break;
      const rows = JSON.parse(text) as SliceRow[];
      for (const row of rows) {
        const order = versionOrder(row[1]);
        const version = toUnranked(row, order);
        versions.push(version);
        if (order !== null) orders.push([version, order]);
      }
      if (rows.length === limit) await yieldToEventLoop();
      else {
        const ordered = rankVersions(orders);
        const facts = { head: head as HeadRow, isSearchable: Boolean(isSearchable), writtenAt: last };
        return { revision, found: { ...facts, versions, ordered } };
      }
    }
  }
}

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

type SliceValues = ProductPath & Readonly<{ sortKey: string; id: string; limit: number }>;

const selectSlice = prepare((db, values: SliceValues, visible: VisibleRows) => {
  const key = orderColumn(visible);
  const rows = sql`select versions.id, versions.label, ${key} as sort_key, versions.status, versions.yanked,
      versions.types, versions.breaking, versions.change_count, versions.updated_at from versions
    where ${inOrderAfter(visible, values)}
    order by ${key} desc, versions.id limit ${values.limit}`;
  // One number for the small ones, which takes less time to write and to read.
  const bits = sql`case status when 'published' then 1 else 0 end | (yanked << 1) | (types << 2)
    | (breaking << ${sql.lit(2 + CHANGE_TYPES.length)})`;
  const columns = sql`id, label, sort_key, ${bits}, change_count, updated_at`;
  return selectHead(db, values, visible).select([
    writtenAt(db, visible),
    sql<number | boolean>`exists (select 1 from public_changelogs p where p.changelog_id = changelogs.id)`.as(
      'isSearchable',
    ),
    dialectOf(db).tuplesAsJson(columns, rows).as('versions'),
  ]);
});

/** Every published version has a date, and an index by dates has the published ones alone (R9). */
export const orderColumn = ({ version }: VisibleRows) =>
  sql.ref<string>(version ? 'versions.published_at' : 'versions.sort_key');

/** The visible versions of a changelog after a position in its order. */
export function inOrderAfter(
  visible: VisibleRows,
  { sortKey, id }: FeedPosition,
  changelogId = 'changelogs.id',
) {
  const key = orderColumn(visible);
  return sql<boolean>`versions.changelog_id = ${sql.ref(changelogId)} ${ofState(visible, 'versions')}
    and ${key} <= ${sortKey} and (${key} < ${sortKey} or versions.id > ${id})`;
}

/** A further condition on rows of `versions`. */
export const ofState = ({ version }: VisibleRows, table = 'v') =>
  version ? sql`and ${sql.ref(`${table}.status`)} = ${sql.lit(version)}` : sql``;
