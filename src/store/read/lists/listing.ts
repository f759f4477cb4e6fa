// Lists public products, of a team or of all (R40). Lists start in `public_changelogs`: a team without public changelogs
// is as absent there as one that does not exist (R9).
import { type SelectQueryBuilder, sql } from 'kysely';
import { andThen, type MaybePromise } from '../../../domain/maybe-promise.ts';
import { dialectOf, type Sql } from '../../engine/dialect.ts';
import type { Reader } from '../../engine/engine.ts';
import { prepare } from '../../engine/prepared.ts';
import type { Tables } from '../../engine/schema.ts';
import {
  type AtRevision,
  firstOf,
  isSame,
  lastPublicWrite,
  type ProductPath,
  selectRevision,
} from '../reads.ts';

/** A public product with its newest version; null if it has none. */
export type ListedProduct = Readonly<{
  teamSlug: string;
  teamName: string;
  productSlug: string;
  productName: string;
  changelogName: string;
  logo: string | null;
  domain: string | null;
  language: string;
  newest: Readonly<{ id: string; label: string; title: string; publishedAt: string | null }> | null;
}>;

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

type TeamList = ProductList & Readonly<{ teamId: number; team: { slug: string; name: string } }>;

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
  const { revision, team: found, ...list } = firstOf(await selectTeamList(db, values));
  const [row] = JSON.parse(found) as { id: number; slug: string; name: string }[];
  if (row === undefined) return { revision, found: undefined };
  const { id: teamId, slug, name } = row;
  return { revision, found: { teamId, team: { slug, name }, ...parseList(list, limit) } };
}

/** Found even if empty. */
export async function findAllList(db: Reader, { after, limit }: ListQuery): Promise<AtRevision<ProductList>> {
  const values = { team: after?.team ?? FIRST, product: after?.product ?? FIRST, limit: limit + 1 };
  const { revision, ...list } = firstOf(await selectAllList(db, values));
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

type FoundRow = Omit<ListedProduct, 'newest'> & Readonly<{ newest: string | ListedProduct['newest'][] }>;

type FoundList = Readonly<{ rows: string; cursorKey: string; lastWrite: number | null }>;

/** One extra row shows whether there are more. */
function parseList({ rows, cursorKey, lastWrite }: FoundList, limit: number): ProductList {
  const found = JSON.parse(rows) as FoundRow[];
  const products = found.slice(0, limit).map(withNewest);
  const last = found.length > limit ? products.at(-1) : undefined;
  const end = last === undefined ? null : { team: last.teamSlug, product: last.productSlug };
  return { products, end, writtenAt: lastWrite ?? 0, cursorKey };
}

/** SQLite returns a nested JSON list as text. */
function withNewest({ newest, ...row }: FoundRow): ListedProduct {
  const [first] = typeof newest === 'string' ? JSON.parse(newest) : newest;
  return { ...row, newest: first ?? null };
}

type ListValues = ProductPath & Readonly<{ limit: number }>;

const selectTeamList = prepare((db, { team, product, limit }: ListValues) => {
  const ofTeam = sql<boolean>`public_changelogs.team_slug = ${team}`;
  const first = selectPublic(db)
    .where(ofTeam)
    .select(['teams.id', 'teams.slug', 'teams.name'])
    .orderBy('public_changelogs.product_slug')
    .limit(sql.lit(1));
  const after = sql<boolean>`${ofTeam} and public_changelogs.product_slug > ${product}`;
  return selectProducts(db, after, limit).select(dialectOf(db).rowsAsJson(first).as('team'));
});

const selectAllList = prepare((db, { team, product, limit }: ListValues) =>
  selectProducts(db, isAfter(team, product), limit),
);

/** In primary key order. */
const isAfter = (team: string, product: string) =>
  sql<boolean>`(public_changelogs.team_slug, public_changelogs.product_slug) > (${team}, ${product})`;

function selectProducts(db: Reader, condition: Sql<boolean>, limit: number) {
  const { rowsAsJson } = dialectOf(db);
  const products = selectPublic(db)
    .where(condition)
    .select([
      'public_changelogs.team_slug as teamSlug',
      'teams.name as teamName',
      'public_changelogs.product_slug as productSlug',
      'products.name as productName',
      'changelogs.name as changelogName',
      'products.logo',
      'products.domain',
      'changelogs.language',
    ])
    .select((eb) =>
      rowsAsJson(
        eb
          .selectFrom('versions')
          .whereRef('versions.changelog_id', '=', 'public_changelogs.changelog_id')
          .where('versions.status', '=', sql.lit('published'))
          .select(['versions.id', 'versions.label', 'versions.title', 'versions.published_at as publishedAt'])
          .orderBy('versions.published_at', 'desc')
          .orderBy('versions.id')
          .limit(sql.lit(1)),
      ).as('newest'),
    )
    .orderBy('public_changelogs.team_slug')
    .orderBy('public_changelogs.product_slug')
    .limit(limit);
  return selectRevision(db)
    .select('revision.cursor_key as cursorKey')
    .select(lastPublicWrite)
    .select(rowsAsJson(products).as('rows'));
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
const selectPublic = (db: Reader) =>
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
