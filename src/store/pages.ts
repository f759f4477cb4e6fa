// Parts of a changelog: what passes a filter, a page at a time (R32, R33). What is asked for differs in form as well as
// in values, and each form is compiled once.
import { sql } from 'kysely';
import type { FeedPosition, FeedQuery } from '../domain/feed-query.ts';
import { majorOf } from '../domain/version-order.ts';
import type { VisibleRows } from '../domain/visibility.ts';
import type { Reader } from './engine.ts';
import {
  BOUND_VERSIONS,
  blocksOf,
  type Form,
  formOf,
  type Values,
  type Way,
  waysFor,
  writeWay,
} from './page-ways.ts';
import { prepare } from './prepared.ts';
import {
  type ChangeRow,
  firstOf,
  type HeadRow,
  type ProductPath,
  type Seen,
  selectHead,
  type VersionRow,
} from './reads.ts';
import type { Bit } from './schema.ts';
import { rowsAsJson, searchDialectOf } from './schema-dialect.ts';

/** The last three only if changes were asked for. */
export type PageRow = VersionRow &
  Readonly<{ sortKey: string; description: string | null; yanked: Bit; changes: readonly ChangeRow[] }>;

/** What an author has written of a version. */
export type FullVersion = Omit<PageRow, 'sortKey' | 'changeCount'>;

export type Page = Readonly<{
  head: HeadRow;
  versions: readonly PageRow[];
  /** Where this page ends, if there are more. */
  end: FeedPosition | null;
  /** What cursors are sealed with. */
  cursorKey: string;
}>;

export async function findPage(
  db: Reader,
  path: ProductPath,
  visible: VisibleRows,
  query: FeedQuery,
  boundVersions = BOUND_VERSIONS,
): Promise<Seen<Page>> {
  const { isInOrder, writeMatch } = searchDialectOf(db);
  const values: Values = {
    ...path,
    since: query.since,
    until: query.until,
    from: query.from,
    to: query.to,
    fromMajor: query.from === null ? null : majorOf(query.from),
    toMajor: query.to === null ? null : majorOf(query.to),
    match: writeMatch({
      types: query.types,
      phrases: query.words?.phrases ?? [],
      blocks: blocksOf(query),
    }),
    texts: JSON.stringify(query.words?.within ?? []),
    afterKey: query.after?.sortKey ?? null,
    newest: nearer(query.after?.sortKey ?? null, query.until),
    afterId: query.after?.id ?? null,
    // One more tells whether there are more.
    limit: query.limit === null ? null : query.limit + 1,
  };
  const [first, ...others] = waysFor(query, isInOrder);
  const findByWay = (way: Way) => findBy(db, values, formOf(visible, query, way, boundVersions), query.limit);
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
  values: Values,
  form: Form,
  limit: number | null,
): Promise<Seen<Page> & { isWhole: boolean }> {
  const { revision, cursorKey, goesOn, rows, ...head } = firstOf(await selectPage(db, values, form));
  if (head.changelogId === null) return { revision, found: undefined, isWhole: true };
  const versions = (JSON.parse(rows) as PageRow[]).map(withParsedChanges);
  const page = limit === null ? versions : versions.slice(0, limit);
  const last = versions.length > page.length ? page.at(-1) : undefined;
  const end = last === undefined ? null : { sortKey: last.sortKey, id: last.id };
  return {
    revision,
    found: { head: head as HeadRow, versions: page, end, cursorKey },
    // What is bounded in order is whole once there is enough of it; bounded otherwise, only if nothing is left out.
    isWhole: goesOn === null || (end !== null && form.way === 'bounded'),
  };
}

/** A list within a list is the text of it on SQLite. */
function withParsedChanges(row: PageRow): PageRow {
  return typeof row.changes === 'string' ? { ...row, changes: JSON.parse(row.changes) } : row;
}

const selectPage = prepare((db, values: Values, form: Form) => {
  const { rows, goesOn } = writeWay(db, values, form);
  return selectHead(db, values, form.visible)
    .select('revision.cursor_key as cursorKey')
    .select((goesOn ?? sql<null>`null`).as('goesOn'))
    .select((eb) =>
      rowsAsJson(
        db,
        eb
          .selectFrom(sql<{ version_id: string; sort_key: string }>`(${rows})`.as('page'))
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
              .select(['versions.description', 'versions.yanked'])
              .select((inner) =>
                rowsAsJson(
                  db,
                  inner
                    .selectFrom('changes')
                    .whereRef('changes.version_id', '=', 'versions.id')
                    .select(['changes.id', 'changes.type', 'changes.text', 'changes.breaking'])
                    .orderBy('changes.position'),
                ).as('changes'),
              ),
          )
          .orderBy('page.sort_key', 'desc')
          .orderBy('page.version_id'),
      ).as('rows'),
    );
});
