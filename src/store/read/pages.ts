// Parts of a changelog: what passes a filter, a page at a time (R32, R33). What is asked for differs in form as well as
// in values, and each form is compiled once.
import { sql } from 'kysely';
import type { VisibleRows } from '../../domain/access/visibility.ts';
import type { FeedPosition, FeedQuery } from '../../domain/feed-query.ts';
import { majorOf } from '../../domain/version-order.ts';
import type { Reader } from '../engine/engine.ts';
import { prepare } from '../engine/prepared.ts';
import type { Bit } from '../engine/schema.ts';
import { rowsAsJson, searchDialectOf } from '../engine/schema-dialect.ts';
import type { Sql } from '../engine/search-dialect.ts';
import {
  type AccessPath,
  accessPathsFor,
  BOUND_VERSIONS,
  pathSql,
  type QueryShape,
  type QueryValues,
  shapeOf,
  versionBlocks,
} from './page-plans.ts';
import {
  type AtRevision,
  type ChangeRow,
  firstOf,
  type HeadRow,
  type ProductPath,
  selectHead,
  type VersionRow,
  writtenAt,
} from './reads.ts';

/** The last three only if changes were asked for. */
export type PageRow = VersionRow &
  Readonly<{ sortKey: string; description: string | null; yanked: Bit; changes: readonly ChangeRow[] }>;

/** Null stands for the changes of a version that the page has no room for. */
type FoundRow = Omit<PageRow, 'changes'> &
  Readonly<{ place?: number; changes?: string | readonly ChangeRow[] | null }>;

/** What an author has written of a version. */
export type FullVersion = Omit<PageRow, 'sortKey' | 'changeCount'>;

export type Page = Readonly<{
  head: HeadRow;
  versions: readonly PageRow[];
  /** Where this page ends, if there are more. */
  end: FeedPosition | null;
  /** The revision of the last write to the product that the surface shows: pages that share it show one state of it. */
  writtenAt: number;
  /** What cursors are sealed with. */
  cursorKey: string;
}>;

export async function findPage(
  db: Reader,
  path: ProductPath,
  visible: VisibleRows,
  query: FeedQuery,
  boundVersions = BOUND_VERSIONS,
): Promise<AtRevision<Page>> {
  const { isInOrder, writeMatch, writeKeys } = searchDialectOf(db);
  const wanted = { types: query.types, phrases: query.words?.phrases ?? [], blocks: versionBlocks(query) };
  const values: QueryValues = {
    ...path,
    since: query.since,
    until: query.until,
    from: query.from,
    to: query.to,
    fromMajor: query.from === null ? null : majorOf(query.from),
    toMajor: query.to === null ? null : majorOf(query.to),
    match: writeMatch(wanted),
    keys: writeKeys(wanted),
    texts: JSON.stringify(query.words?.within ?? []),
    afterKey: query.after?.sortKey ?? null,
    newest: nearer(query.after?.sortKey ?? null, query.until),
    afterId: query.after?.id ?? null,
    // One more tells whether there are more.
    limit: query.limit === null ? null : query.limit + 1,
  };
  const [first, ...others] = accessPathsFor(query, isInOrder);
  const findByWay = (way: AccessPath) =>
    findBy(db, values, shapeOf(visible, query, way, boundVersions), query.limit);
  let seen = await findByWay(first);
  for (const way of others) {
    if (seen.isWhole) break;
    seen = await findByWay(way);
  }
  return seen;
}

/** Of two places in the order, the one that comes later in it. */
function nearer(one: string | null, other: string | null): string | null {
  return one === null || other === null ? (one ?? other) : one < other ? one : other;
}

async function findBy(
  db: Reader,
  values: QueryValues,
  form: QueryShape,
  limit: number | null,
): Promise<AtRevision<Page> & { isWhole: boolean }> {
  const {
    revision,
    cursorKey,
    writtenAt: lastWrite,
    goesOn,
    rows,
    ...head
  } = firstOf(await selectPage(db, values, form));
  if (head.changelogId === null) return { revision, found: undefined, isWhole: true };
  const found = JSON.parse(rows) as FoundRow[];
  if (form.withChanges) found.sort((one, other) => Number(one.place) - Number(other.place));
  const first = found.findIndex(({ changes }) => changes === null);
  const lengthMax = Math.min(limit ?? found.length, first === -1 ? found.length : first);
  const versions = found.slice(0, lengthMax).map(withParsedChanges);
  const last = found.length > lengthMax ? versions.at(-1) : undefined;
  const end = last === undefined ? null : { sortKey: last.sortKey, id: last.id };
  return {
    revision,
    found: { head: head as HeadRow, versions, end, cursorKey, writtenAt: lastWrite ?? 0 },
    // What is bounded in order is whole once there is enough of it; bounded otherwise, only if nothing is left out.
    isWhole: goesOn === null || (end !== null && form.way === 'bounded'),
  };
}

/** A list within a list is the text of it on SQLite. */
function withParsedChanges(row: FoundRow): PageRow {
  return (typeof row.changes === 'string' ? { ...row, changes: JSON.parse(row.changes) } : row) as PageRow;
}

/**
 * How much of the changes a page takes in. The version that goes beyond it begins the next page, unless it is the first
 * of this one: no page is empty.
 */
const PAGE_CHANGES_MAX = 5_000;
const PAGE_TEXT_BYTES_MAX = 2 * 1024 * 1024;

/**
 * The versions of a page, with their place in it and what they and all before them weigh. Lengths are known without
 * reading the texts. Whoever reads the rows puts them in place: a database would carry all of their texts through a sort.
 */
const weigh = (rows: Sql) => sql<WeighedRow>`(select page.version_id, page.sort_key,
    row_number() over so_far as place,
    sum(weighed.change_count) over so_far as changes,
    sum(octet_length(coalesce(weighed.description, '')) + coalesce(
      (select sum(octet_length(c.text)) from changes c where c.version_id = weighed.id), 0)) over so_far as bytes
  from (${rows}) page join versions weighed on weighed.id = page.version_id
  window so_far as (order by page.sort_key desc, page.version_id))`;

type WeighedRow = { version_id: string; sort_key: string };

const selectPage = prepare((db, values: QueryValues, form: QueryShape) => {
  const { rows, goesOn } = pathSql(db, values, form);
  return selectHead(db, values, form.visible)
    .select('revision.cursor_key as cursorKey')
    .select(writtenAt(form.visible))
    .select((goesOn ?? sql<null>`null`).as('goesOn'))
    .select((eb) =>
      rowsAsJson(
        db,
        eb
          .selectFrom((form.withChanges ? weigh(rows) : sql<WeighedRow>`(${rows})`).as('page'))
          .innerJoin('versions', 'versions.id', 'page.version_id')
          .select([
            'versions.id',
            'versions.label',
            'versions.title',
            'versions.status',
            'versions.published_at as publishedAt',
            'versions.change_count as changeCount',
            'page.sort_key as sortKey',
          ])
          .$if(form.withChanges, (query) =>
            query
              .select(['versions.description', 'versions.yanked', sql<number>`page.place`.as('place')])
              .select((inner) => {
                const changes = rowsAsJson(
                  db,
                  inner
                    .selectFrom('changes')
                    .whereRef('changes.version_id', '=', 'versions.id')
                    .select(['changes.id', 'changes.type', 'changes.text', 'changes.breaking'])
                    .orderBy('changes.position'),
                );
                return sql`case when page.place = 1 or (page.changes <= ${sql.lit(PAGE_CHANGES_MAX)}
                  and page.bytes <= ${sql.lit(PAGE_TEXT_BYTES_MAX)}) then ${changes} end`.as('changes');
              }),
          )
          .$if(!form.withChanges, (query) =>
            query.orderBy('page.sort_key', 'desc').orderBy('page.version_id'),
          ),
      ).as('rows'),
    );
});
