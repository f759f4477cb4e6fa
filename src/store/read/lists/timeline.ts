// The timeline of a team: the versions of all its products in one list (R64).
import { type Selectable, sql } from 'kysely';
import type { VisibleRows } from '../../../domain/access/visibility.ts';
import {
  type FeedPosition,
  hasWords,
  type LimitedQuery,
  type SearchWords,
} from '../../../domain/feed-query.ts';
import { isPrereleaseOrder, versionOrder } from '../../../domain/version-order.ts';
import { yieldToEventLoop } from '../../../event-loop.ts';
import { dialectOf, type Sql } from '../../engine/dialect.ts';
import type { Reader } from '../../engine/engine.ts';
import { prepare, sharedShape } from '../../engine/prepared.ts';
import type { Tables } from '../../engine/schema.ts';
import { changeBits } from '../choose.ts';
import { inOrderAfter, ofState, orderColumn } from '../index.ts';
import { boundsOf, type PageRow, parseVersions, versionsAsJson } from '../pages.ts';
import { type AtRevision, firstOf, HEAD_COLUMNS, type HeadRow, SUMMARY_COLUMNS } from '../reads.ts';
import { readTexts } from '../search.ts';
import { type FoundTeam, selectOfTeam, TEAM_ID } from './listing.ts';

/** Versions of a product share one object. */
export type TimelineRow = PageRow & Readonly<{ head: HeadRow }>;

export type Timeline = Readonly<{
  teamId: number;
  team: Readonly<{ slug: string; name: string }>;
  /** In the order of a changelog (R12): drafts that were never published, then by date, newest first. */
  versions: readonly TimelineRow[];
  /** The end of this page; null for the last one. */
  end: FeedPosition | null;
  /** When one of the versions up to the limit last changed, also of those that this page is too long for. */
  updatedAt: string | null;
  /** The revision of the last visible write to the team. Pages with the same value show the same state. */
  writtenAt: number;
  /** The key that signs cursors. */
  cursorKey: string;
}>;

/** Versions that one request looks through at most. */
const SCANNED_MAX = 4_000;
/** Those whose texts are compared with words. */
const COMPARED_MAX = 2_000;
const CHUNK_VERSIONS = 500;
const TRIES_MAX = 5;

/**
 * A page. Found on the public surface if the team has a public product, otherwise if the team exists. `products` are the
 * slugs of those that a key may read; null for all. Where few versions pass the filters, a page may have fewer than the
 * limit before its `end`.
 */
export async function findTimeline(
  db: Reader,
  team: string,
  visible: VisibleRows,
  query: LimitedQuery,
  products: readonly string[] | null,
): Promise<AtRevision<Timeline>> {
  for (let tries = 1; ; tries++) {
    const { revision, found: chosen } = await choosePage(db, team, visible, query, products);
    if (chosen === undefined) return { revision, found: undefined };
    const ids = JSON.stringify(chosen.versions.map(({ id }) => id));
    const shape = sharedShape({ visible, withChanges: query.withChanges });
    const row = firstOf(await selectRows(db, { team, ids }, shape));
    // A team that is written to all the time is shown as it was a moment ago.
    if (row.lastWrite === chosen.lastWrite || tries === TRIES_MAX)
      return { revision, found: parseTimeline(row, chosen, query.limit) };
  }
}

type Chosen = Readonly<{
  versions: readonly TimelineVersion[];
  /** Where a search ended that found too few. */
  end: FeedPosition | null;
  lastWrite: number | null;
}>;

type TimelineVersion = FeedPosition & Readonly<{ label: string }>;

/** The versions of a page, and one extra version if there are more. */
async function choosePage(
  db: Reader,
  team: string,
  visible: VisibleRows,
  query: LimitedQuery,
  products: readonly string[] | null,
): Promise<AtRevision<Chosen>> {
  const wanted = query.limit + 1;
  const passes = filterOf(query);
  const scannedMax = query.words === null ? SCANNED_MAX : COMPARED_MAX;
  const limit = passes === null ? wanted : CHUNK_VERSIONS;
  const shape = sharedShape({
    visible,
    isOfSome: products !== null,
    isDated: query.since !== null || query.until !== null,
    bits: changeBits(query),
  });
  const versions: TimelineVersion[] = [];
  let after = query.after;
  let first: { revision: number; lastWrite: number | null } | null = null;
  for (let scanned = 0; ; ) {
    const values = {
      team,
      products: JSON.stringify(products ?? []),
      ...boundsOf({ ...query, after }),
      limit,
    };
    const row = firstOf(await selectChunk(db, values, shape));
    first ??= { revision: row.revision, lastWrite: row.lastWrite };
    const { revision, lastWrite } = first;
    if (row.team === '[]') return { revision, found: undefined };
    const chunk = JSON.parse(row.versions) as TimelineVersion[];
    scanned += chunk.length;
    const passing = passes === null ? chunk : chunk.filter(passes);
    versions.push(...(query.words === null ? passing : await withWords(db, passing, query.words)));
    const last = chunk.at(-1);
    const isEnd = chunk.length < limit || last === undefined;
    if (isEnd || versions.length >= wanted)
      return { revision, found: { versions: versions.slice(0, wanted), end: null, lastWrite } };
    after = { sortKey: last.sortKey, id: last.id };
    if (scanned >= scannedMax) return { revision, found: { versions, end: after, lastWrite } };
    await yieldToEventLoop();
  }
}

/** What the database does not filter; null if it filters everything. */
function filterOf({ from, to, withPrereleases, words }: LimitedQuery) {
  if (from === null && to === null && withPrereleases && words === null) return null;
  const isOfRange = from !== null || to !== null;
  return ({ label }: TimelineVersion): boolean => {
    const order = versionOrder(label);
    if (order === null) return !isOfRange;
    return (
      (withPrereleases || !isPrereleaseOrder(order)) &&
      (from === null || order > from) &&
      (to === null || order <= to)
    );
  };
}

async function withWords(
  db: Reader,
  versions: readonly TimelineVersion[],
  words: SearchWords,
): Promise<TimelineVersion[]> {
  const texts = await readTexts(
    db,
    versions.map(({ id }) => id),
  );
  return versions.filter(({ id }) => hasWords(texts.get(id) ?? [], words));
}

type FoundRow = Awaited<ReturnType<typeof selectRows>>[number];

function parseTimeline(row: FoundRow, { end, lastWrite }: Chosen, limit: number): Timeline {
  const [{ id: teamId, slug, name }] = JSON.parse(row.team) as [FoundTeam];
  const page = parseVersions(row.versions, limit);
  const last = page.isCut ? page.versions.at(-1) : undefined;
  return {
    teamId,
    team: { slug, name },
    versions: withHeads(page.versions as FoundVersion[], JSON.parse(row.heads)),
    end: last === undefined ? end : { sortKey: last.sortKey, id: last.id },
    updatedAt: page.updatedAt,
    writtenAt: lastWrite ?? 0,
    cursorKey: row.cursorKey,
  };
}

type FoundVersion = PageRow & Readonly<{ changelogId: string }>;

/** A version of a changelog that is hidden has no head. */
function withHeads(versions: readonly FoundVersion[], heads: readonly HeadRow[]): TimelineRow[] {
  const headOf = new Map(heads.map((head) => [head.changelogId, head]));
  return versions.flatMap(({ changelogId, ...version }) => {
    const head = headOf.get(changelogId);
    return head === undefined ? [] : [{ ...version, head }];
  });
}

type ChunkValues = FeedPosition &
  Readonly<{ team: string; products: string; since: string; newest: string; limit: number }>;
type ChunkShape = Readonly<{
  visible: VisibleRows;
  /** Only of the changelogs of `products`. */
  isOfSome: boolean;
  isDated: boolean;
  bits: ReturnType<typeof changeBits>;
}>;

/** The newest versions of all changelogs: only those with the newest ones can have any. */
const selectChunk = prepare((db, values: ChunkValues, shape: ChunkShape) => {
  const { newestOfEach, rowsAsJson } = dialectOf(db);
  const { visible, bits } = shape;
  const key = orderColumn(visible);
  const conditions = sql`${inOrderAfter(visible, values, 'each.id')}
    ${shape.isDated ? sql`and ${key} >= ${values.since} and ${key} <= ${values.newest}` : sql``}
    ${bits === null ? sql`` : sql`and ${sql.ref(`versions.${bits.column}`)} & ${sql.lit(bits.wanted)} <> 0`}`;
  const newest = (each: string, limit: Sql) =>
    newestOfEach(sql.ref(each), sql`where ${conditions} order by ${key} desc, versions.id limit ${limit}`);
  const inOrder = sql`order by versions.sort_key desc, versions.id limit ${values.limit}`;
  const tables = {
    readable: selectReadable(db, values, shape),
    firsts: sql`select versions.changelog_id as id from (${newest('readable', sql.lit(1))}) versions ${inOrder}`,
    chosen: sql`select * from (${newest('firsts', sql`${values.limit}`)}) versions ${inOrder}`,
  };
  const versions = db
    .selectFrom(sql<Selectable<Tables['versions']>>`chosen`.as('versions'))
    .select(['versions.id', 'versions.label', 'versions.sort_key as sortKey']);
  return selectOfTeam(db, values.team, visible, tables).select(rowsAsJson(versions).as('versions'));
});

/** The changelogs of the team that may be read. */
function selectReadable(db: Reader, { team, products }: ChunkValues, { visible, isOfSome }: ChunkShape): Sql {
  if (visible.team)
    return sql`select p.changelog_id as id from public_changelogs p where p.team_slug = ${team}`;
  const some = isOfSome
    ? sql`and p.slug in (select value from ${dialectOf(db).textsOf(sql`${products}`)} wanted)`
    : sql``;
  return sql`select c.id from products p cross join changelogs c
    where p.team_id = ${TEAM_ID} and c.product_id = p.id ${some}`;
}

type RowsValues = Readonly<{ team: string; ids: string }>;
type RowsShape = Readonly<{ visible: VisibleRows; withChanges: boolean }>;

const selectRows = prepare((db, { team, ids }: RowsValues, { visible, withChanges }: RowsShape) => {
  const { textsOf, rowsAsJson } = dialectOf(db);
  const tables = {
    chosen: sql`select v.id as version_id, v.sort_key, v.changelog_id
      from ${textsOf(sql`${ids}`)} wanted cross join versions v where v.id = wanted.value ${ofState(visible)}`,
  };
  const columns = [...SUMMARY_COLUMNS, 'versions.changelog_id as changelogId'] as const;
  const rows = sql`select version_id, sort_key from chosen`;
  return selectOfTeam(db, team, visible, tables).select([
    versionsAsJson(db, rows, withChanges, columns).as('versions'),
    rowsAsJson(selectHeads(db, visible)).as('heads'),
  ]);
});

/** Of the versions of a page. States are checked: a stale row in a table that triggers maintain must not reveal anything. */
function selectHeads(db: Reader, { team, product, changelog }: VisibleRows) {
  const hasState = (column: string, state: string | undefined) =>
    state === undefined ? sql<boolean>`1 = 1` : sql<boolean>`${sql.ref(column)} = ${sql.lit(state)}`;
  return db
    .selectFrom(sql<{ id: string }>`(select distinct changelog_id as id from chosen)`.as('of'))
    .crossJoin('changelogs')
    .crossJoin('products')
    .crossJoin('teams')
    .whereRef('changelogs.id', '=', 'of.id')
    .whereRef('products.id', '=', 'changelogs.product_id')
    .whereRef('teams.id', '=', 'products.team_id')
    .where('teams.id', '=', TEAM_ID)
    .where(hasState('teams.visibility', team))
    .where(hasState('products.status', product))
    .where(hasState('changelogs.status', changelog))
    .select(HEAD_COLUMNS);
}
