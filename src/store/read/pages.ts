// Filtered parts of a changelog, one page per query (R32, R33). Queries differ in shape as well as in values; each
// shape is compiled once.
import { sql } from 'kysely';
import type { VisibleRows } from '../../domain/access/visibility.ts';
import type { FeedPosition, FeedQuery } from '../../domain/feed-query.ts';
import { dialectOf, type Sql } from '../engine/dialect.ts';
import type { Reader } from '../engine/engine.ts';
import { prepare } from '../engine/prepared.ts';
import {
  type AccessPath,
  accessPathsFor,
  BOUND_VERSIONS,
  pathSql,
  type QueryShape,
  type QueryValues,
  shapeOf,
  valuesOf,
} from './page-plans.ts';
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

/** Full columns and changes only for queries with changes. */
export type PageRow = VersionRow & FullColumns & Readonly<{ sortKey: string; changes: readonly ChangeRow[] }>;

/** `changes` is null for a version that no longer fits the page. */
type FoundRow = Omit<PageRow, 'changes'> &
  Readonly<{ position?: number; changes?: string | readonly ChangeRow[] | null }>;

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

export async function findPage(
  db: Reader,
  path: ProductPath,
  visible: VisibleRows,
  query: FeedQuery,
  boundVersions = BOUND_VERSIONS,
): Promise<AtRevision<Page>> {
  const values = valuesOf(db, path, query);
  const [first, ...others] = accessPathsFor(query, dialectOf(db).search.hasMatch === null);
  const findByPath = (accessPath: AccessPath) =>
    findBy(db, values, shapeOf(visible, query, accessPath, boundVersions), query.limit);
  let page = await findByPath(first);
  for (const accessPath of others) {
    if (page.isComplete) break;
    page = await findByPath(accessPath);
  }
  return page;
}

async function findBy(
  db: Reader,
  values: QueryValues,
  shape: QueryShape,
  limit: number | null,
): Promise<AtRevision<Page> & { isComplete: boolean }> {
  const {
    revision,
    cursorKey,
    writtenAt: lastWrite,
    hasMore,
    rows,
    changelogDescription: description = null,
    ...head
  } = firstOf(await selectPage(db, values, shape));
  if (head.changelogId === null) return { revision, found: undefined, isComplete: true };
  const { versions, isCut, updatedAt } = parseVersions(rows, limit);
  const last = isCut ? versions.at(-1) : undefined;
  const end = last === undefined ? null : { sortKey: last.sortKey, id: last.id };
  return {
    revision,
    found: {
      head: head as HeadRow,
      description,
      versions,
      end,
      updatedAt,
      cursorKey,
      writtenAt: lastWrite ?? 0,
    },
    // A bounded scan in order is complete once the page is full; any other only if it reached the end.
    isComplete: hasMore === null || (end !== null && shape.path === 'bounded'),
  };
}

/** The versions up to a limit; `isCut` if there are more in the text. */
export function parseVersions(
  rows: string,
  limit: number | null,
): { versions: PageRow[]; isCut: boolean; updatedAt: string | null } {
  const found = JSON.parse(rows) as FoundRow[];
  if (found[0]?.position !== undefined)
    found.sort((one, other) => Number(one.position) - Number(other.position));
  const first = found.findIndex(({ changes }) => changes === null);
  const lengthMax = Math.min(limit ?? found.length, first === -1 ? found.length : first);
  return {
    versions: found.slice(0, lengthMax).map(withParsedChanges),
    isCut: found.length > lengthMax,
    updatedAt: lastUpdateOf(found.slice(0, limit ?? found.length)),
  };
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

/**
 * A page's versions with position and running totals. Lengths are known without reading the texts. JavaScript sorts the
 * rows by position afterwards: the database would carry all texts through its sort.
 */
const withTotals = (rows: Sql) => sql<SizedRow>`(select page.version_id, page.sort_key,
    row_number() over so_far as position,
    sum(sized.change_count) over so_far as changes,
    sum(octet_length(coalesce(sized.description, '')) + octet_length(coalesce(sized.image, '')) + coalesce(
      (select sum(octet_length(c.text)) from changes c where c.version_id = sized.id), 0)) over so_far as bytes
  from (${rows}) page cross join versions sized where sized.id = page.version_id
  window so_far as (order by page.sort_key desc, page.version_id))`;

type SizedRow = { version_id: string; sort_key: string };

const selectPage = prepare((db, values: QueryValues, shape: QueryShape) => {
  const { rows, hasMore } = pathSql(db, values, shape);
  return selectHead(db, values, shape.visible)
    .select('revision.cursor_key as cursorKey')
    .select(writtenAt(shape.visible))
    .select((hasMore ?? sql<null>`null`).as('hasMore'))
    .$if(shape.withChanges, (query) => query.select('changelogs.description as changelogDescription'))
    .select(versionsAsJson(db, rows, shape.withChanges).as('rows'));
});

/** For `parseVersions`: the versions whose `version_id` and `sort_key` a query selects. */
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
        query.select([...FULL_COLUMNS, sql<number>`page.position`.as('position')]).select((inner) => {
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
      )
      .$if(!withChanges, (query) => query.orderBy('page.sort_key', 'desc').orderBy('page.version_id')),
  );
}
