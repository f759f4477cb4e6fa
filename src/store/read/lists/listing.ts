// Lists products: the public ones of a team or of all (R40), and those that a key may read (R64). Public lists start in
// `public_changelogs`: a team without public changelogs is as absent there as one that does not exist (R9).
import { type SelectQueryBuilder, sql } from 'kysely';
import { type VisibleRows, visibleRows } from '../../../domain/access/visibility.ts';
import { andThen, type MaybePromise } from '../../../domain/maybe-promise.ts';
import type { ChangeType } from '../../../domain/model.ts';
import { dialectOf, type Sql } from '../../engine/dialect.ts';
import type { Reader } from '../../engine/engine.ts';
import { prepare, sharedShape } from '../../engine/prepared.ts';
import type { Tables } from '../../engine/schema.ts';
import {
  type AtRevision,
  firstOf,
  isSame,
  type LatestVersionRow,
  lastPublicWrite,
  lastWriteTo,
  type ProductPath,
  SUMMARY_COLUMNS,
  selectRevision,
} from '../reads.ts';

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
  /** The last product of this page; null for the last page. */
  end: ProductPath | null;
  /** The revision of the last public write. Pages with the same value show the same state. */
  writtenAt: number;
  /** The key that signs cursors. */
  cursorKey: string;
}>;

export type TeamList = ProductList & Readonly<{ teamId: number; team: { slug: string; name: string } }>;

type ListQuery = Readonly<{
  /** The last product of the previous page; null for the first page. */
  after: ProductPath | null;
  limit: number;
}>;

/** Found if the team has a public product, even if none follows the cursor. */
export async function findTeamList(
  db: Reader,
  { team, after, limit }: ListQuery & Readonly<{ team: string }>,
): Promise<AtRevision<TeamList>> {
  const values = { team, product: after?.product ?? FIRST, limit: limit + 1 };
  return parseTeamList(await selectTeamList(db, values), limit);
}

/**
 * What a key may read of a team: the products with a changelog, whatever their states. `products` are the slugs of those
 * that it is limited to; null for all. Found if the team exists.
 */
export async function findKeyList(
  db: Reader,
  {
    team,
    after,
    limit,
    products,
  }: ListQuery & Readonly<{ team: string; products: readonly string[] | null }>,
): Promise<AtRevision<TeamList>> {
  const values = {
    team,
    product: after?.product ?? FIRST,
    limit: limit + 1,
    products: JSON.stringify(products ?? []),
  };
  return parseTeamList(await selectKeyList(db, values, sharedShape({ isOfSome: products !== null })), limit);
}

/** Found even if empty. */
export async function findAllList(
  db: Reader,
  { after, limit, withChanges = false }: ListQuery & Readonly<{ withChanges?: boolean }>,
): Promise<AtRevision<ProductList>> {
  const values = { team: after?.team ?? FIRST, product: after?.product ?? FIRST, limit: limit + 1 };
  const { revision, ...list } = firstOf(await selectAllList(db, values, sharedShape({ withChanges })));
  return { revision, found: parseList(list, limit) };
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

type FoundList = Readonly<{ rows: string; cursorKey: string; lastWrite: number | null }>;

/** One extra row shows whether there are more. */
function parseList({ rows, cursorKey, lastWrite }: FoundList, limit: number): ProductList {
  const found = JSON.parse(rows) as FoundRow[];
  const products = found.slice(0, limit).map(withNewest);
  const last = found.length > limit ? products.at(-1) : undefined;
  const end = last === undefined ? null : { team: last.teamSlug, product: last.productSlug };
  return { products, end, writtenAt: lastWrite ?? 0, cursorKey };
}

export type FoundTeam = Readonly<{ id: number; slug: string; name: string }>;

function parseTeamList(
  rows: readonly (FoundList & Readonly<{ revision: number; team: string }>)[],
  limit: number,
): AtRevision<TeamList> {
  const { revision, team, ...list } = firstOf(rows);
  const [found] = JSON.parse(team) as FoundTeam[];
  if (found === undefined) return { revision, found: undefined };
  const { id: teamId, slug, name } = found;
  return { revision, found: { teamId, team: { slug, name }, ...parseList(list, limit) } };
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

type ListValues = ProductPath & Readonly<{ limit: number }>;

const selectTeamList = prepare((db, { team, product, limit }: ListValues) => {
  const visible = visibleRows('public');
  const products = selectPublic(db)
    .where('public_changelogs.team_slug', '=', team)
    .where('public_changelogs.product_slug', '>', product)
    .orderBy('public_changelogs.product_slug');
  return selectOfTeam(db, team, visible).select(listSql(db, products.limit(limit)));
});

type AllShape = Readonly<{ withChanges: boolean }>;

const selectAllList = prepare((db, { team, product, limit }: ListValues, { withChanges }: AllShape) => {
  const products = selectPublic(db)
    // In primary key order.
    .where(
      sql<boolean>`(public_changelogs.team_slug, public_changelogs.product_slug) > (${team}, ${product})`,
    )
    .orderBy('public_changelogs.team_slug')
    .orderBy('public_changelogs.product_slug');
  return selectRevision(db)
    .select('revision.cursor_key as cursorKey')
    .select(lastPublicWrite)
    .select(listSql(db, products.limit(limit), withChanges));
});

const selectKeyList = prepare(
  (
    db,
    { team, product, limit, products: some }: ListValues & Readonly<{ products: string }>,
    { isOfSome }: Readonly<{ isOfSome: boolean }>,
  ) => {
    const visible = visibleRows('team');
    const wanted = isOfSome
      ? dialectOf(db).textsOf(sql`${some}`)
      : sql<{ value: string }>`(select '' as value)`;
    const products = db
      .selectFrom('teams')
      .crossJoin(wanted.as('wanted'))
      .crossJoin('products')
      .crossJoin('changelogs')
      .where('teams.slug', '=', team)
      .whereRef('products.team_id', '=', 'teams.id')
      .where('products.slug', '>', product)
      .$if(isOfSome, (query) => query.whereRef('products.slug', '=', sql.ref('wanted.value')))
      .whereRef('changelogs.product_id', '=', 'products.id')
      .orderBy('products.slug')
      .limit(limit);
    return selectOfTeam(db, team, visible).select(listSql(db, products));
  },
);

/** Of a team in a query with `of_team`; empty if it is not found. */
export const TEAM_ID = sql<number>`(select id from of_team)`;

/**
 * With the team as a list of one, or of none. The query has `of_team`, and `tables` after it, each computed once. On the
 * public surface, the team has a public changelog.
 */
export function selectOfTeam(
  db: Reader,
  team: string,
  visible: VisibleRows,
  tables: Readonly<Record<string, Sql>> = {},
) {
  const columns = ['teams.id', 'teams.slug', 'teams.name'] as const;
  const found = visible.team
    ? selectPublic(db)
        .where('public_changelogs.team_slug', '=', team)
        .select(columns)
        .orderBy('public_changelogs.product_slug')
        .limit(sql.lit(1))
    : db.selectFrom('teams').where('teams.slug', '=', team).select(columns);
  const all = Object.entries({ of_team: sql`select * from ${found} found`, ...tables });
  const withTables = all.reduce<Pick<Reader, 'with' | 'selectFrom'>>(
    (query, [name, rows]) =>
      query.with(
        (cte) => cte(name).materialized(),
        () => sql<never>`(${rows})`,
      ),
    db,
  );
  const ofTeam = db.selectFrom(sql<FoundTeam>`of_team`.as('of_team')).select(['id', 'slug', 'name']);
  return selectRevision(withTables)
    .select('revision.cursor_key as cursorKey')
    .select(lastWriteTo(TEAM_ID, visible))
    .select(dialectOf(db).rowsAsJson(ofTeam).as('team'));
}

/** Of `changelogs.id`. A yanked version counts only if there is no other. */
const newestId = (some: Sql) => sql`(select v.id from versions v where v.changelog_id = changelogs.id
  and v.status = 'published' ${some} order by v.published_at desc, v.id limit 1)`;
const NEWEST_ID = sql<string>`coalesce(${newestId(sql`and v.yanked = 0`)}, ${newestId(sql``)})`;

const FIRST_CHANGES = 3;
const FIRST_CHARACTERS = 300;

type Levels = 'teams' | 'products' | 'changelogs';

/** As the text of a JSON array. */
function listSql(db: Reader, products: SelectQueryBuilder<Tables, Levels, unknown>, withChanges = false) {
  const { rowsAsJson } = dialectOf(db);
  const firstChanges = db
    .selectFrom('changes')
    .where('changes.version_id', '=', sql.ref<string>('versions.id'))
    .select(['changes.type', sql<string>`substr(changes.text, 1, ${sql.lit(FIRST_CHARACTERS)})`.as('text')])
    .orderBy('changes.position')
    .limit(sql.lit(FIRST_CHANGES));
  const newest = db
    .selectFrom('versions')
    .where('versions.id', '=', NEWEST_ID)
    .select([...SUMMARY_COLUMNS, 'versions.change_count as changeCount', 'versions.yanked'])
    .$if(withChanges, (query) => query.select(rowsAsJson(firstChanges).as('changes')));
  const listed = products.select([
    'teams.slug as teamSlug',
    'teams.name as teamName',
    'products.slug as productSlug',
    'products.name as productName',
    'changelogs.name as changelogName',
    'products.logo',
    'products.accent',
    'products.domain',
    'changelogs.language',
    rowsAsJson(newest).as('newest'),
  ]);
  return rowsAsJson(listed).as('rows');
}

/** Starts in the index of domains: takes as long as there are domains, however many products there are. */
const selectDomains = prepare((db) => {
  const domains = db
    .selectFrom('products')
    .crossJoin('public_changelogs')
    .crossJoin('teams')
    .crossJoin('changelogs')
    .where('products.domain', 'is not', null)
    .$call(wherePublic)
    .select([
      'products.domain',
      'public_changelogs.team_slug as team',
      'public_changelogs.product_slug as product',
    ])
    .orderBy('products.domain');
  return selectRevision(db).select(dialectOf(db).rowsAsJson(domains).as('domains'));
});

/** The public changelogs, with the conditions on each level. Cross joins keep this order on both engines. */
export const selectPublic = (db: Reader) =>
  db
    .selectFrom('public_changelogs')
    .crossJoin('teams')
    .crossJoin('products')
    .crossJoin('changelogs')
    .$call(wherePublic);

/** States are checked too: a stale row in `public_changelogs` must not reveal anything. */
function wherePublic<T>(
  query: SelectQueryBuilder<Tables, 'public_changelogs' | 'teams' | 'products' | 'changelogs', T>,
) {
  return query
    .whereRef('teams.id', '=', 'public_changelogs.team_id')
    .where('teams.visibility', '=', sql.lit('public'))
    .whereRef('products.id', '=', 'public_changelogs.product_id')
    .where(isSame('products.team_id', 'teams.id'))
    .where('products.status', '=', sql.lit('published'))
    .whereRef('changelogs.id', '=', 'public_changelogs.changelog_id')
    .where(isSame('changelogs.product_id', 'products.id'))
    .where('changelogs.status', '=', sql.lit('published'));
}
