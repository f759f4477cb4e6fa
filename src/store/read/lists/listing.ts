// Lists products: the public ones of a team or of all (R40), and those that a key may read (R64). Public lists start in
// `public_changelogs`: a team without public changelogs is as absent there as one that does not exist (R9).
import { sql } from 'kysely';
import { type VisibleRows, visibleRows } from '../../../domain/access/visibility.ts';
import type { FeedPosition } from '../../../domain/feed-query.ts';
import { andThen, type MaybePromise } from '../../../domain/maybe-promise.ts';
import type { ChangeType } from '../../../domain/model.ts';
import { dialectOf, type Fields, type Sql, selected } from '../../engine/dialect.ts';
import type { Reader } from '../../engine/engine.ts';
import { prepare } from '../../engine/prepared.ts';
import { firstOf } from '../../engine/revisions.ts';
import type { WithChanges } from '../pages.ts';
import { type AtRevision, type LatestVersionRow, type ProductPath, SUMMARY } from '../reads.ts';

/** A product with its newest published version, a yanked one only if all are; null if it has none. */
export type ListedProduct = Readonly<{
  teamSlug: string;
  teamName: string;
  productSlug: string;
  productName: string;
  changelogName: string;
  logo: string | null;
  accent: string | null;
  domain: string | null;
  language: string;
  newest: LatestVersionRow | null;
  /** The first changes of that version, if asked for. Long texts are cut. */
  newestChanges?: readonly FirstChange[];
}>;

export type FirstChange = Readonly<{ type: ChangeType; text: string }>;

/** A page of a list, ordered by slug. */
export type ProductList = Readonly<{
  products: readonly ListedProduct[];
  /** The last product of this page: its team, and its slug as the id. Null for the last page. */
  end: FeedPosition | null;
  /** The revision of the last public write. Pages with the same value show the same state. */
  writtenAt: number;
  /** The key that signs cursors. */
  cursorKey: string;
}>;

export type TeamList = ProductList & Readonly<{ teamId: number; team: { slug: string; name: string } }>;

type ListQuery = Readonly<{
  /** Where the previous page ended; null for the first page. */
  after: FeedPosition | null;
  limit: number;
}>;
/** `products` are the slugs of those that a key is limited to; null for all. */
type TeamQuery = ListQuery & Readonly<{ team: string; products?: readonly string[] | null }>;

/**
 * On the public surface, found if the team has a public product, even if none follows the cursor. Otherwise if the team
 * exists: what a key may read of it are the products with a changelog, whatever their states.
 */
export async function findTeamList(
  db: Reader,
  { team, after, limit, products = null }: TeamQuery,
  visible = visibleRows('public'),
): Promise<AtRevision<TeamList>> {
  const some = JSON.stringify(products ?? []);
  const values = { team, product: after?.id ?? FIRST, limit: limit + 1, products: some };
  const rows = await selectTeamList(db, values, visible, { isOfSome: products !== null });
  const { revision, teamId, slug, name, ...list } = firstOf(rows);
  if (teamId === null) return { revision, found: undefined };
  return { revision, found: { teamId, team: { slug, name }, ...parseList(list, limit) } };
}

/** Found even if empty. */
export async function findAllList(
  db: Reader,
  { after, limit, withChanges = false }: ListQuery & Partial<WithChanges>,
): Promise<AtRevision<ProductList>> {
  const values = { team: after?.sortKey ?? FIRST, product: after?.id ?? FIRST, limit: limit + 1 };
  const row = firstOf(await selectAllList(db, values, {}, { withChanges }));
  return { revision: row.revision, found: parseList(row, limit) };
}

/** The own domain of a public product (R60). */
export type DeclaredDomain = Readonly<{ domain: string }> & ProductPath;

/** All of them. Always found. */
export function listDomains(db: Reader): MaybePromise<AtRevision<readonly DeclaredDomain[]>> {
  return andThen(selectDomains(db, {}), (rows) => {
    const { revision, domains } = firstOf(rows);
    return { revision, found: JSON.parse(domains) as DeclaredDomain[] };
  });
}

/** Less than any slug. */
const FIRST = '';

type FoundVersion = LatestVersionRow & Readonly<{ changes?: string | readonly FirstChange[] }>;
type FoundRow = Omit<ListedProduct, 'newest' | 'newestChanges'> &
  Readonly<{ newest: string | readonly FoundVersion[] }>;

type FoundList = Readonly<{ cursorKey: string; writtenAt: number; rows: string }>;

/** One extra row shows whether there are more. */
function parseList({ rows, cursorKey, writtenAt }: FoundList, limit: number): ProductList {
  const found = JSON.parse(rows) as FoundRow[];
  const products = found.slice(0, limit).map(withNewest);
  const last = found.length > limit ? products.at(-1) : undefined;
  const end = last === undefined ? null : { sortKey: last.teamSlug, id: last.productSlug };
  return { products, end, writtenAt, cursorKey };
}

/** SQLite returns a nested JSON list as text. */
function withNewest({ newest: found, ...row }: FoundRow): ListedProduct {
  const [first] = listIn(found);
  if (first === undefined) return { ...row, newest: null };
  const { changes, ...newest } = first;
  return { ...row, newest, ...(changes !== undefined && { newestChanges: listIn(changes) }) };
}

const listIn = <T>(found: string | readonly T[]): readonly T[] =>
  typeof found === 'string' ? JSON.parse(found) : found;

/** States are checked too: a stale row in `public_changelogs` must not reveal anything. */
const IS_PUBLIC = sql`teams.id = public_changelogs.team_id and teams.visibility = 'public'
  and products.id = public_changelogs.product_id and products.team_id - teams.id = 0 and products.status = 'published'
  and changelogs.id = public_changelogs.changelog_id and changelogs.product_id - products.id = 0
  and changelogs.status = 'published'`;
/** Cross joins keep this order on both engines. */
const FROM_PUBLIC = sql`from public_changelogs cross join teams cross join products cross join changelogs
  where ${IS_PUBLIC}`;

type ListValues = ProductPath & Readonly<{ limit: number }>;
type TeamValues = ListValues & Readonly<{ products: string }>;
type TeamOptions = Readonly<{ isOfSome: boolean }>;

const selectTeamList = prepare((db, values: TeamValues, visible, { isOfSome }: TeamOptions) => {
  const { team, product, limit } = values;
  const wanted = dialectOf(db).textsOf(sql`${values.products}`);
  const products = visible.team
    ? sql`${FROM_PUBLIC} and public_changelogs.team_slug = ${team} and public_changelogs.product_slug > ${product}
        order by public_changelogs.product_slug`
    : sql`from teams ${isOfSome ? sql`cross join ${wanted} wanted` : sql``} cross join products cross join changelogs
        where teams.slug = ${team} and products.team_id = teams.id and products.slug > ${product}
          ${isOfSome ? sql`and products.slug = wanted.value` : sql``} and changelogs.product_id = products.id
        order by products.slug`;
  return selectOfTeam<FoundList>(team, visible, { rows: listSql(db, sql`${products} limit ${limit}`) });
});

/** In the order of the primary key. */
const selectAllList = prepare((db, { team, product, limit }: ListValues, _, { withChanges }: WithChanges) => {
  const products = sql`${FROM_PUBLIC}
      and (public_changelogs.team_slug, public_changelogs.product_slug) > (${team}, ${product})
    order by public_changelogs.team_slug, public_changelogs.product_slug limit ${limit}`;
  return sql<FoundList & Readonly<{ revision: number }>>`select value as revision, cursor_key as "cursorKey",
      coalesce((select max(public_revision) from touches), 0) as "writtenAt",
      ${listSql(db, products, withChanges)} as rows from revision where id = 1`;
});

/** `teamId` is null if the team is not found. */
type FoundTeam = Readonly<{
  revision: number;
  cursorKey: string;
  writtenAt: number;
  teamId: number;
  slug: string;
  name: string;
}>;

/** Of a team in a query with `of_team`; null if it is not found. */
export const TEAM_ID = sql`(select id from of_team)`;

/**
 * Selects a team and further fields. The query has `of_team`, and `tables` after it, each computed once. On the public surface,
 * the team has a public changelog.
 */
export function selectOfTeam<Row>(
  team: string,
  { version }: VisibleRows,
  fields: Fields,
  tables: Readonly<Record<string, Sql>> = {},
): Sql<FoundTeam & Row> {
  const found = version
    ? sql`select teams.id, teams.slug, teams.name ${FROM_PUBLIC} and public_changelogs.team_slug = ${team}
        order by public_changelogs.product_slug limit 1`
    : sql`select id, slug, name from teams where slug = ${team}`;
  const all = Object.entries({ of_team: found, ...tables }).map(
    ([name, rows]) => sql`${sql.ref(name)} as materialized (${rows})`,
  );
  const revision = sql.ref(version ? 'public_revision' : 'revision');
  const last = (id: Sql) => sql`select max(${revision}) as value from touches where team_id = ${id}`;
  // The last write to the team that is visible on the surface.
  const writtenAt = sql`(select max(value) from (${last(sql.lit(0))} union all ${last(TEAM_ID)}) every)`;
  return sql`with ${sql.join(all)} select revision.value as revision, revision.cursor_key as "cursorKey",
      coalesce(${writtenAt}, 0) as "writtenAt",
      of_team.id as "teamId", of_team.slug, of_team.name, ${selected(fields)}
    from revision left join of_team on 1 = 1 where revision.id = 1`;
}

/** Of `changelogs.id`. A yanked version counts only if there is no other. */
const newestId = (some: Sql) => sql`(select v.id from versions v where v.changelog_id = changelogs.id
  and v.status = 'published' ${some} order by v.published_at desc, v.id limit 1)`;
const NEWEST_ID = sql`coalesce(${newestId(sql`and v.yanked = 0`)}, ${newestId(sql``)})`;

const FIRST_CHANGES = 3;
const FIRST_CHARACTERS = 300;

/** Products as the text of a JSON array. */
function listSql(db: Reader, products: Sql, withChanges = false): Sql<string> {
  const { rowsAsJson } = dialectOf(db);
  const changes = rowsAsJson(
    { type: 'changes.type', text: sql`substr(changes.text, 1, ${sql.lit(FIRST_CHARACTERS)})` },
    sql`from changes where changes.version_id = versions.id order by changes.position limit ${sql.lit(FIRST_CHANGES)}`,
  );
  const newest = rowsAsJson(
    { ...SUMMARY, yanked: sql.ref('versions.yanked'), ...(withChanges && { changes }) },
    sql`from versions where versions.id = ${NEWEST_ID}`,
  );
  return rowsAsJson({ ...LISTED, newest }, products);
}

const LISTED = {
  teamSlug: 'teams.slug',
  teamName: 'teams.name',
  productSlug: 'products.slug',
  productName: 'products.name',
  changelogName: 'changelogs.name',
  logo: 'products.logo',
  accent: 'products.accent',
  domain: 'products.domain',
  language: 'changelogs.language',
} satisfies Fields;

/** Starts in the index of domains: takes as long as there are domains, however many products there are. */
const selectDomains = prepare((db) => {
  const domains = dialectOf(db).rowsAsJson(
    {
      domain: 'products.domain',
      team: 'public_changelogs.team_slug',
      product: 'public_changelogs.product_slug',
    },
    sql`from products cross join public_changelogs cross join teams cross join changelogs
      where products.domain is not null and ${IS_PUBLIC} order by products.domain`,
  );
  return sql<{ revision: number; domains: string }>`select value as revision, ${domains} as domains
    from revision where id = 1`;
});
