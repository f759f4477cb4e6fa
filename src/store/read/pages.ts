// Filtered parts of a changelog, a page at a time (R32, R33), and how many versions a search finds.
import { sql } from 'kysely';
import type { VisibleRows } from '../../domain/access/visibility.ts';
import { byPosition, type FeedPosition, type FeedQuery, isOfChanges } from '../../domain/feed-query.ts';
import { dialectOf, type Fields, type Sql } from '../engine/dialect.ts';
import type { Reader } from '../engine/engine.ts';
import {
  ABOVE_ALL,
  type ChangelogIndex,
  chooseVersions,
  inOrder,
  orderColumn,
  readIndexed,
} from './index.ts';
import {
  type AtRevision,
  type AtState,
  type ChangeRow,
  FULL,
  type FullColumns,
  type HeadRow,
  lastWrite,
  mapFound,
  ofState,
  type ProductPath,
  prepareAt,
  SUMMARY,
  type VersionRow,
} from './reads.ts';
import { searchVersions } from './search.ts';

/** Full columns and changes only for queries with changes. */
export type PageRow = VersionRow & FullColumns & Readonly<{ sortKey: string; changes: readonly ChangeRow[] }>;

/** `changes` is null for a version that no longer fits the page. */
type FoundRow = Omit<PageRow, 'changes'> & Readonly<{ changes?: string | readonly ChangeRow[] | null }>;

export type FullVersion = Omit<PageRow, 'sortKey' | 'changeCount'>;

export type Page = AtState &
  Readonly<{
    head: HeadRow;
    /** The changelog's own, only for queries with changes. */
    description: string | null;
    versions: readonly PageRow[];
    /** The end of this page; null for the last one. */
    end: FeedPosition | null;
    /** When one of the versions up to the limit last changed, also of those that this page is too long for. */
    updatedAt: string | null;
    /** The key that signs cursors. */
    cursorKey: string;
  }>;

/** A page of the versions that pass all filters, in the order of the changelog. */
export async function findPage(
  db: Reader,
  { team, product }: ProductPath,
  visible: VisibleRows,
  query: FeedQuery,
): Promise<AtRevision<Page>> {
  if (!isPlain(query)) return await findIndexedPage(db, { team, product }, visible, query);
  const { limit, withChanges, since, until } = query;
  const options = { withChanges, isDated: since !== null || until !== null, isLimited: limit !== null };
  const values = { team, product, ...boundsOf(query), limit: limit === null ? null : limit + 1 };
  return await mapFound(readPage(db, values, visible, options), (row) => parsePage(row, limit));
}

/** With the index of the same state, which tells what the page links to. */
export type IndexedPage = Page &
  Readonly<{
    index: ChangelogIndex;
    /** How many versions pass the filters. Null if that was not asked, or if there are too many texts to compare. */
    matches: Readonly<{ count: number; isMore: boolean }> | null;
  }>;

/** Counted up to so many with words, whose texts are compared one by one where they are not in the full-text index. */
type CountLimits = Readonly<{ countedMax?: number; comparedMax?: number }>;

/** The same by the index alone; with limits, also counts all versions that pass the filters, on whatever page. */
export function findIndexedPage(
  db: Reader,
  { team, product }: ProductPath,
  visible: VisibleRows,
  query: FeedQuery,
  limits: CountLimits | null = null,
): Promise<AtRevision<IndexedPage>> {
  const { limit, withChanges } = query;
  const path = { team, product };
  return readIndexed(db, path, visible, async (index, own) => {
    const search = ({ words, ...asked }: FeedQuery, options: Parameters<typeof searchVersions>[5]) =>
      words === null
        ? { versions: chooseVersions(index, asked, options), isComplete: true }
        : searchVersions(own, path, visible, index, { ...asked, words }, options);
    // One extra version shows whether there are more.
    const { versions } = await search(query, {
      limit: limit === null ? Number.POSITIVE_INFINITY : limit + 1,
    });
    let matches: IndexedPage['matches'] = null;
    if (limits !== null) {
      const { countedMax = MATCHES_COUNTED_MAX, comparedMax = COMPARED_MAX } = limits;
      const max = query.words === null ? index.versions.length : countedMax;
      const all = await search({ ...query, after: null }, { limit: max + 1, comparedMax });
      const { length } = all.versions;
      if (all.isComplete) matches = { count: Math.min(length, max), isMore: length > max };
    }
    const ids = JSON.stringify(versions.map(({ id }) => id));
    return await mapFound(readChosen(own, { ...path, ids }, visible, { withChanges }), (row) => ({
      ...parsePage(row, limit),
      matches,
      index,
    }));
  });
}

const MATCHES_COUNTED_MAX = 1_000;
const COMPARED_MAX = 2_000;

/** Whether only dates restrict it: the database finds these versions as fast, however many there are. */
const isPlain = (query: FeedQuery) =>
  query.words === null &&
  query.from === null &&
  query.to === null &&
  query.withPrereleases &&
  !isOfChanges(query);

type FoundPage = HeadRow &
  AtState &
  Readonly<{ cursorKey: string; changelogDescription: string | null; rows: string }>;

function parsePage(found: FoundPage, limit: number | null): Page {
  const { cursorKey, changelogDescription: description, writtenAt, rows, ...head } = found;
  const { versions, isCut, updatedAt } = parseVersions(rows, limit);
  const last = isCut ? versions.at(-1) : undefined;
  const end = last === undefined ? null : { sortKey: last.sortKey, id: last.id };
  return { head, description, versions, end, updatedAt, cursorKey, writtenAt };
}

/** The versions up to a limit; `isCut` if there are more in the text. */
export function parseVersions(rows: string, limit: number | null) {
  const found = (JSON.parse(rows) as FoundRow[]).sort(byPosition);
  const first = found.findIndex(({ changes }) => changes === null);
  const lengthMax = Math.min(limit ?? found.length, first === -1 ? found.length : first);
  return {
    versions: found.slice(0, lengthMax).map(withParsedChanges),
    isCut: found.length > lengthMax,
    updatedAt: lastUpdateOf(found.slice(0, limit ?? found.length)),
  };
}

const lastUpdateOf = (rows: readonly FoundRow[]): string | null =>
  rows.reduce((last, { updatedAt = '' }) => (updatedAt > last ? updatedAt : last), '') || null;

/** SQLite returns a nested JSON list as text. */
function withParsedChanges(row: FoundRow): PageRow {
  return (typeof row.changes === 'string' ? { ...row, changes: JSON.parse(row.changes) } : row) as PageRow;
}

/**
 * Limits of a page with changes. The version that exceeds one starts the next page, unless it is the first on this one:
 * no page is empty.
 */
export const PAGE_CHANGES_MAX = 5_000;
export const PAGE_TEXT_BYTES_MAX = 2 * 1024 * 1024;

/** Lengths are known without reading the texts. */
const SIZES = sql`versions.change_count,
  coalesce(octet_length(versions.description), 0) + coalesce(octet_length(versions.image), 0) as bytes`;

/** What a page needs of `versions` to choose those that fit. */
export const onPage = (visible: VisibleRows) =>
  sql`versions.id as version_id, ${orderColumn(visible)} as sort_key, ${SIZES}`;

/** With running totals. */
const withTotals = (rows: Sql) => sql`select version_id, sort_key, row_number() over so_far as position,
    sum(change_count) over so_far as changes, sum(bytes + coalesce((select sum(octet_length(c.text)) from changes c
      where c.version_id = sized.version_id), 0)) over so_far as bytes
  from (${rows}) sized window so_far as (order by sort_key desc, version_id)`;

/** Drafts that were never published sort above every date. */
export const boundsOf = ({ since, until, after }: FeedQuery) => ({
  sortKey: after?.sortKey ?? ABOVE_ALL,
  id: after?.id ?? '',
  since: since ?? '',
  newest: until ?? '~',
});

export type Bounds = ReturnType<typeof boundsOf>;

/** A further condition on versions. */
export function isDatedWithin({ since, newest }: Bounds, visible: VisibleRows): Sql {
  const key = orderColumn(visible);
  return sql`and ${key} >= ${since} and ${key} <= ${newest}`;
}

type PlainValues = ProductPath & Bounds & Readonly<{ limit: number | null }>;
export type WithChanges = Readonly<{ withChanges: boolean }>;
type PlainOptions = WithChanges & Readonly<{ isDated: boolean; isLimited: boolean }>;

const readPage = prepareAt<PlainValues, FoundPage, PlainOptions>((db, values, visible, options) => {
  const conditions = options.isDated ? isDatedWithin(values, visible) : sql``;
  const limit = options.isLimited ? sql`limit ${values.limit}` : sql``;
  const rows = sql`select ${onPage(visible)} from versions ${inOrder(visible, { after: values, conditions })} ${limit}`;
  return pageOf(db, rows, visible, options);
});

export type Chosen = ProductPath & Readonly<{ ids: string }>;

const readChosen = prepareAt<Chosen, FoundPage, WithChanges>((db, { ids }, visible, options) =>
  pageOf(db, chosenRows(db, ids, visible), visible, options),
);

/** The versions of `changelogs.id` whose ids are in a JSON array. */
export function chosenRows(db: Reader, ids: string, visible: VisibleRows): Sql {
  const chosen = dialectOf(db).textsOf(sql`${ids}`);
  return sql`select ${onPage(visible)} from ${chosen} chosen cross join versions
    where versions.id = chosen.value and changelog_id = changelogs.id ${ofState(visible, sql`versions.status`)}`;
}

const pageOf = (db: Reader, rows: Sql, visible: VisibleRows, { withChanges }: WithChanges) => ({
  cursorKey: 'revision.cursor_key',
  changelogDescription: withChanges ? 'changelogs.description' : sql`null`,
  rows: versionsAsJson(db, rows, withChanges),
  writtenAt: lastWrite(db, visible),
});

/** For `parseVersions`, of rows from `onPage`. JavaScript sorts them: the database would carry all texts through its sort. */
export function versionsAsJson(db: Reader, rows: Sql, withChanges: boolean, more: Fields = {}): Sql<string> {
  const { rowsAsJson } = dialectOf(db);
  const changes = rowsAsJson(
    { id: 'changes.id', type: 'changes.type', text: 'changes.text', breaking: 'changes.breaking' },
    sql`from changes where changes.version_id = versions.id order by changes.position`,
  );
  const full = {
    ...FULL,
    changes: sql`case when page.position = 1 or (page.changes <= ${sql.lit(PAGE_CHANGES_MAX)}
      and page.bytes <= ${sql.lit(PAGE_TEXT_BYTES_MAX)}) then ${changes} end`,
  };
  return rowsAsJson(
    { ...SUMMARY, sortKey: 'page.sort_key', ...(withChanges && full), ...more },
    // SQLite would read all versions if it took the page for longer than it is.
    sql`from (${withChanges ? withTotals(rows) : rows}) page cross join versions where versions.id = page.version_id`,
  );
}
