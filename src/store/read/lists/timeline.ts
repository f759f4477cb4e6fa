// The timeline of a team: the versions of all its products in one list (R64).
import { sql } from 'kysely';
import type { VisibleRows } from '../../../domain/access/visibility.ts';
import type { FeedPosition, LimitedQuery } from '../../../domain/feed-query.ts';
import { isPrereleaseOrder, versionOrder } from '../../../domain/version-order.ts';
import { yieldToEventLoop } from '../../../event-loop.ts';
import { dialectOf, type Sql } from '../../engine/dialect.ts';
import type { Reader } from '../../engine/engine.ts';
import { prepare } from '../../engine/prepared.ts';
import { firstOf } from '../../engine/revisions.ts';
import { changeBits, inOrder } from '../index.ts';
import {
  type Bounds,
  boundsOf,
  isDatedWithin,
  onPage,
  type PageRow,
  parseVersions,
  versionsAsJson,
  type WithChanges,
} from '../pages.ts';
import { type AtRevision, HEAD, type HeadRow, ofState } from '../reads.ts';
import { withWords } from '../search.ts';
import { selectOfTeam, TEAM_ID } from './listing.ts';

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
    const { withChanges } = query;
    const row = firstOf(await selectRows(db, { team, ids }, visible, { withChanges }));
    // A team that is written to all the time is shown as it was a moment ago.
    if (row.writtenAt === chosen.writtenAt || tries === TRIES_MAX)
      return { revision, found: parseTimeline(row, chosen, query.limit) };
  }
}

type Chosen = Readonly<{
  versions: readonly TimelineVersion[];
  /** Where a search ended that found too few. */
  end: FeedPosition | null;
  writtenAt: number;
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
  const { from, to, withPrereleases, words } = query;
  const scannedMax = words === null ? SCANNED_MAX : COMPARED_MAX;
  // What the database does not filter.
  const isFiltered = from !== null || to !== null || !withPrereleases || words !== null;
  const limit = isFiltered ? CHUNK_VERSIONS : wanted;
  const options = {
    isOfSome: products !== null,
    isDated: query.since !== null || query.until !== null,
    bits: changeBits(query),
  };
  const some = JSON.stringify(products ?? []);
  const versions: TimelineVersion[] = [];
  let after = query.after;
  let first: { revision: number; writtenAt: number } | null = null;
  for (let scanned = 0; ; ) {
    const values = { team, products: some, ...boundsOf({ ...query, after }), limit };
    const row = firstOf(await selectChunk(db, values, visible, options));
    first ??= row;
    const { revision, writtenAt } = first;
    if (row.teamId === null) return { revision, found: undefined };
    const chunk = JSON.parse(row.versions) as TimelineVersion[];
    scanned += chunk.length;
    const passing = chunk.filter(({ label }) => isInRange(label, query));
    versions.push(...(words === null ? passing : await withWords(db, passing, words)));
    const last = chunk.at(-1);
    const isEnd = chunk.length < limit || last === undefined;
    if (isEnd || versions.length >= wanted)
      return { revision, found: { versions: versions.slice(0, wanted), end: null, writtenAt } };
    after = { sortKey: last.sortKey, id: last.id };
    if (scanned >= scannedMax) return { revision, found: { versions, end: after, writtenAt } };
    await yieldToEventLoop();
  }
}

function isInRange(label: string, { from, to, withPrereleases }: LimitedQuery): boolean {
  const order = versionOrder(label);
  if (order === null) return from === null && to === null;
  const isAfter = from === null || order > from;
  return isAfter && (to === null || order <= to) && (withPrereleases || !isPrereleaseOrder(order));
}

type FoundRow = Awaited<ReturnType<typeof selectRows>>[number];

function parseTimeline(row: FoundRow, { end, writtenAt }: Chosen, limit: number): Timeline {
  const page = parseVersions(row.versions, limit);
  const last = page.isCut ? page.versions.at(-1) : undefined;
  return {
    teamId: row.teamId,
    team: { slug: row.slug, name: row.name },
    versions: withHeads(page.versions as FoundVersion[], JSON.parse(row.heads)),
    end: last === undefined ? end : { sortKey: last.sortKey, id: last.id },
    updatedAt: page.updatedAt,
    writtenAt,
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

type ChunkValues = Bounds & Readonly<{ team: string; products: string; limit: number }>;
type ChunkOptions = Readonly<{
  /** Only of the changelogs of `products`. */
  isOfSome: boolean;
  isDated: boolean;
  bits: ReturnType<typeof changeBits>;
}>;

/** The newest versions of all changelogs: only those with the newest ones can have any. */
const selectChunk = prepare((db, values: ChunkValues, visible, options: ChunkOptions) => {
  const { newestOfEach, rowsAsJson } = dialectOf(db);
  const { isDated, bits } = options;
  const conditions = sql`${isDated ? isDatedWithin(values, visible) : sql``}
    ${bits === null ? sql`` : sql`and ${sql.ref(`versions.${bits.column}`)} & ${sql.lit(bits.wanted)} <> 0`}`;
  const each = inOrder(visible, { after: values, changelogId: 'each.id', conditions });
  const newest = (changelogs: string, limit: Sql) =>
    newestOfEach(sql.ref(changelogs), sql`${each} limit ${limit}`);
  const newestFirst = sql`order by versions.sort_key desc, versions.id limit ${values.limit}`;
  const tables = {
    readable: selectReadable(db, values, visible, options),
    firsts: sql`select versions.changelog_id as id from (${newest('readable', sql.lit(1))}) versions ${newestFirst}`,
    chosen: sql`select * from (${newest('firsts', sql`${values.limit}`)}) versions ${newestFirst}`,
  };
  const versions = rowsAsJson({ id: 'id', label: 'label', sortKey: 'sort_key' }, sql`from chosen`);
  return selectOfTeam<{ versions: string }>(values.team, visible, { versions }, tables);
});

/** The changelogs of the team that may be read. */
function selectReadable(
  db: Reader,
  { team, products }: ChunkValues,
  { version }: VisibleRows,
  { isOfSome }: ChunkOptions,
): Sql {
  if (version) return sql`select p.changelog_id as id from public_changelogs p where p.team_slug = ${team}`;
  const some = isOfSome
    ? sql`and p.slug in (select value from ${dialectOf(db).textsOf(sql`${products}`)} wanted)`
    : sql``;
  return sql`select c.id from products p cross join changelogs c
    where p.team_id = ${TEAM_ID} and c.product_id = p.id ${some}`;
}

type RowsValues = Readonly<{ team: string; ids: string }>;

const selectRows = prepare((db, { team, ids }: RowsValues, visible, { withChanges }: WithChanges) => {
  const { textsOf, rowsAsJson } = dialectOf(db);
  const chosen = sql`select ${onPage(visible)}, changelog_id from ${textsOf(sql`${ids}`)} wanted cross join versions
    where versions.id = wanted.value ${ofState(visible, sql`versions.status`)}`;
  const rows = sql`select * from chosen`;
  const fields = {
    versions: versionsAsJson(db, rows, withChanges, { changelogId: 'versions.changelog_id' }),
    heads: rowsAsJson(HEAD, selectHeads(visible)),
  };
  return selectOfTeam<Record<keyof typeof fields, string>>(team, visible, fields, { chosen });
});

/** Of the versions of a page. States are checked: a stale row in a table that triggers maintain must not reveal anything. */
const selectHeads = ({
  version,
}: VisibleRows) => sql`from (select distinct changelog_id as id from chosen) of_page
    cross join changelogs cross join products cross join teams
  where changelogs.id = of_page.id and products.id = changelogs.product_id and teams.id = products.team_id
    and teams.id = ${TEAM_ID} ${version ? HAS_PUBLIC_STATE : sql``}`;
const HAS_PUBLIC_STATE = sql`and teams.visibility = 'public' and products.status = 'published'
  and changelogs.status = 'published'`;
