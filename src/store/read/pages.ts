// Filtered parts of a changelog, a page at a time (R32, R33).
import { sql } from 'kysely';
import type { VisibleRows } from '../../domain/access/visibility.ts';
import { type FeedPosition, type FeedQuery, isOfChanges } from '../../domain/feed-query.ts';
import { dialectOf, type Sql } from '../engine/dialect.ts';
import type { Reader } from '../engine/engine.ts';
import { prepare, sharedShape } from '../engine/prepared.ts';
import { chooseVersions } from './choose.ts';
import {
  ABOVE_ALL,
  type ChangelogIndex,
  type IndexedVersion,
  inOrderAfter,
  ofState,
  orderColumn,
  readIndexed,
  requireSameState,
} from './index.ts';
import {
  type AtRevision,
  type ChangeRow,
  FULL_COLUMNS,
  type FullColumns,
  firstOf,
  type HeadRow,
  type ProductPath,
  SUMMARY_COLUMNS,
  selectHead,
  type VersionRow,
  writtenAt,
} from './reads.ts';
import { searchVersions } from './search.ts';

/** Full columns and changes only for queries with changes. */
export type PageRow = VersionRow & FullColumns & Readonly<{ sortKey: string; changes: readonly ChangeRow[] }>;

/** `changes` is null for a version that no longer fits the page. */
type FoundRow = Omit<PageRow, 'changes'> & Readonly<{ changes?: string | readonly ChangeRow[] | null }>;

export type FullVersion = Omit<PageRow, 'sortKey' | 'changeCount'>;

export type Page = Readonly<{
  head: HeadRow;
  /** The changelog's own, only for queries with changes. */
  description: string | null;
  versions: readonly PageRow[];
  /** The end of this page; null for the last one. */
  end: FeedPosition | null;
  /** When one of the versions up to the limit last changed, also of those that this page is too long for. */
  updatedAt: string | null;
  /** The revision of the last visible write to the product. Pages with the same value show the same state. */
  writtenAt: number;
  /** The key that signs cursors. */
  cursorKey: string;
}>;

/** A page of the versions that pass all filters, in the order of the changelog. */
export async function findPage(
  db: Reader,
  path: ProductPath,
  visible: VisibleRows,
  query: FeedQuery,
): Promise<AtRevision<Page>> {
  const { limit, withChanges } = query;
  if (isPlain(query)) {
    const shape = sharedShape({ visible, withChanges, ...shapeOf(query) });
    const { team, product } = path;
    // One extra row shows whether there are more.
    const values = { team, product, ...boundsOf(query), limit: (limit ?? 0) + 1 };
    const { revision, ...row } = firstOf(await selectPage(db, values, shape));
    return { revision, found: row.changelogId === null ? undefined : parsePage(row, limit) };
  }
  return readIndexed(db, path, visible, async (index, own) => {
    // One extra version shows whether there are more.
    const versions = await findMatching(own, path, visible, index, query, limit === null ? null : limit + 1);
    const ids = JSON.stringify(versions.map(({ id }) => id));
    const { team, product } = path;
    const rows = await selectChosen(own, { team, product, ids }, sharedShape({ visible, withChanges }));
    const { revision, ...row } = firstOf(rows);
    if (row.changelogId === null) return { revision, found: undefined };
    requireSameState(index, row.writtenAt);
    return { revision, found: parsePage(row, limit) };
  });
}

async function findMatching(
  db: Reader,
  path: ProductPath,
  visible: VisibleRows,
  index: ChangelogIndex,
  query: FeedQuery,
  limit: number | null,
): Promise<readonly IndexedVersion[]> {
  const max = limit ?? index.versions.length;
  if (query.words === null) return chooseVersions(index, query, max);
  const candidates = chooseVersions(index, query);
  const options = { limit: max };
  return (await searchVersions(db, path, visible, index, query.words, candidates, options)).versions;
}

/** Whether only dates restrict it: the database finds these versions as fast, however many there are. */
const isPlain = (query: FeedQuery) =>
  query.words === null &&
  query.from === null &&
  query.to === null &&
  query.withPrereleases &&
  !isOfChanges(query);

type PageParts = Awaited<ReturnType<typeof selectChosen>>[number];

function parsePage(
  { cursorKey, writtenAt: lastWrite, rows, changelogDescription, ...head }: Omit<PageParts, 'revision'>,
  limit: number | null,
): Page {
  const { versions, isCut, updatedAt } = parseVersions(rows, limit);
  const last = isCut ? versions.at(-1) : undefined;
  return {
    head: head as HeadRow,
    description: changelogDescription ?? null,
    versions,
    end: last === undefined ? null : { sortKey: last.sortKey, id: last.id },
    updatedAt,
    cursorKey,
    writtenAt: lastWrite ?? 0,
  };
}

/** The versions up to a limit; `isCut` if there are more in the text. */
export function parseVersions(
  rows: string,
  limit: number | null,
): { versions: PageRow[]; isCut: boolean; updatedAt: string | null } {
  const found = (JSON.parse(rows) as FoundRow[]).sort(inOrder);
  const first = found.findIndex(({ changes }) => changes === null);
  const lengthMax = Math.min(limit ?? found.length, first === -1 ? found.length : first);
  return {
    versions: found.slice(0, lengthMax).map(withParsedChanges),
    isCut: found.length > lengthMax,
    updatedAt: lastUpdateOf(found.slice(0, limit ?? found.length)),
  };
}

/** The order of a changelog (R12). */
function inOrder(one: FeedPosition, other: FeedPosition): number {
  if (one.sortKey !== other.sortKey) return one.sortKey < other.sortKey ? 1 : -1;
  return one.id < other.id ? -1 : 1;
}

function lastUpdateOf(rows: readonly FoundRow[]): string | null {
  return rows.reduce<string | null>(
    (last, { updatedAt = null }) =>
      last === null || (updatedAt !== null && updatedAt > last) ? updatedAt : last,
    null,
  );
}

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

/** A page's versions with running totals. Lengths are known without reading the texts. */
const withTotals = (rows: Sql) => sql<SizedRow>`(select page.version_id, page.sort_key,
    row_number() over so_far as position, sum(sized.change_count) over so_far as changes,
    sum(octet_length(coalesce(sized.description, '')) + octet_length(coalesce(sized.image, '')) + coalesce(
      (select sum(octet_length(c.text)) from changes c where c.version_id = sized.id), 0)) over so_far as bytes
  from (${rows}) page cross join versions sized where sized.id = page.version_id
  window so_far as (order by page.sort_key desc, page.version_id))`;

type SizedRow = { version_id: string; sort_key: string };

type PlainValues = ProductPath & ReturnType<typeof boundsOf> & Readonly<{ limit: number }>;
type PageShape = Readonly<{ visible: VisibleRows; withChanges: boolean }>;
type PlainShape = PageShape & ReturnType<typeof shapeOf>;

const shapeOf = ({ since, until, limit }: FeedQuery) => ({
  isDated: since !== null || until !== null,
  isLimited: limit !== null,
});

/** Drafts that were never published sort above every date. */
export const boundsOf = ({ since, until, after }: FeedQuery) => ({
  sortKey: after?.sortKey ?? ABOVE_ALL,
  id: after?.id ?? '',
  since: since ?? '',
  newest: until ?? '~',
});

const selectPage = prepare((db, values: PlainValues, { visible, withChanges, ...shape }: PlainShape) => {
  const key = orderColumn(visible);
  const dated = shape.isDated ? sql`and ${key} >= ${values.since} and ${key} <= ${values.newest}` : sql``;
  const limited = shape.isLimited ? sql`limit ${values.limit}` : sql``;
  const rows = sql`select versions.id as version_id, versions.sort_key from versions where ${inOrderAfter(visible, values)} ${dated} order by ${key} desc, versions.id ${limited}`;
  return pageOf(db, values, rows, { visible, withChanges });
});

const selectChosen = prepare(
  (db, values: ProductPath & Readonly<{ ids: string }>, { visible, withChanges }: PageShape) =>
    pageOf(db, values, chosenRows(db, values.ids, visible), { visible, withChanges }),
);

/** The versions of `changelogs.id` whose ids are in a JSON array. */
export const chosenRows = (
  db: Reader,
  ids: string,
  visible: VisibleRows,
) => sql`select v.id as version_id, v.sort_key
    from ${dialectOf(db).textsOf(sql`${ids}`)} chosen cross join versions v
  where v.id = chosen.value and v.changelog_id = changelogs.id ${ofState(visible)}`;

function pageOf(db: Reader, path: ProductPath, rows: Sql, { visible, withChanges }: PageShape) {
  return selectHead(db, path, visible).select([
    'revision.cursor_key as cursorKey',
    writtenAt(db, visible),
    (withChanges ? sql<string | null>`changelogs.description` : sql<null>`null`).as('changelogDescription'),
    versionsAsJson(db, rows, withChanges).as('rows'),
  ]);
}

/**
 * For `parseVersions`: the versions whose `version_id` and `sort_key` a query selects. JavaScript sorts them:
 * the database would carry all texts through its sort.
 */
export function versionsAsJson(
  db: Reader,
  rows: Sql,
  withChanges: boolean,
  columns: readonly (
    | (typeof SUMMARY_COLUMNS)[number]
    | 'versions.changelog_id as changelogId'
  )[] = SUMMARY_COLUMNS,
): Sql<string> {
  const { rowsAsJson } = dialectOf(db);
  return rowsAsJson(
    db
      .selectFrom((withChanges ? withTotals(rows) : sql<SizedRow>`(${rows})`).as('page'))
      // SQLite would read all versions if it took the page for longer than it is.
      .crossJoin('versions')
      .whereRef('versions.id', '=', 'page.version_id')
      .select([...columns, 'versions.change_count as changeCount', 'page.sort_key as sortKey'])
      .$if(withChanges, (query) =>
        query.select(FULL_COLUMNS).select((inner) => {
          const changes = rowsAsJson(
            inner
              .selectFrom('changes')
              .whereRef('changes.version_id', '=', 'versions.id')
              .select(['changes.id', 'changes.type', 'changes.text', 'changes.breaking'])
              .orderBy('changes.position'),
          );
          return sql`case when page.position = 1 or (page.changes <= ${sql.lit(PAGE_CHANGES_MAX)}
            and page.bytes <= ${sql.lit(PAGE_TEXT_BYTES_MAX)}) then ${changes} end`.as('changes');
        }),
      ),
  );
}
