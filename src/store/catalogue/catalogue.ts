// Lists and look-ups for the command line: teams, products, changelogs, versions.
import type { Reader } from '../engine/engine.ts';
import type { ProductPath } from '../read/reads.ts';
import { productContent } from './content.ts';

export function listTeams(db: Reader) {
  return db.selectFrom('teams').orderBy('slug').select(['slug', 'name', 'visibility', 'plan']).execute();
}

export function findTeam(db: Reader, slug: string) {
  return db
    .selectFrom('teams')
    .where('slug', '=', slug)
    .select(['slug', 'name', 'visibility', 'plan'])
    .executeTakeFirst();
}

export async function listProducts(db: Reader, team: string) {
  const rows = await db
    .selectFrom('products')
    .innerJoin('teams', 'teams.id', 'products.team_id')
    .where('teams.slug', '=', team)
    .orderBy('products.slug')
    .selectAll('products')
    .execute();
  return rows.map((row) => ({ team, ...productContent(row) }));
}

export function listChangelogs(db: Reader, team: string) {
  return db
    .selectFrom('changelogs')
    .innerJoin('products', 'products.id', 'changelogs.product_id')
    .innerJoin('teams', 'teams.id', 'products.team_id')
    .where('teams.slug', '=', team)
    .orderBy('products.slug')
    .select([
      'changelogs.id',
      'teams.slug as team',
      'products.slug as product',
      'changelogs.name',
      'changelogs.language',
      'changelogs.status',
    ])
    .execute();
}

/** A version of a product, by id or else by label. */
export async function findVersionId(
  db: Reader,
  path: ProductPath,
  idOrLabel: string,
): Promise<string | undefined> {
  const rows = await selectVersions(db, path)
    .where((eb) => eb.or([eb('versions.id', '=', idOrLabel), eb('versions.label', '=', idOrLabel)]))
    .select('versions.id')
    .execute();
  return (rows.find(({ id }) => id === idOrLabel) ?? rows[0])?.id;
}

/** A changelog may have a million versions; suggestions for a mistyped label come from at most this many. */
const LABELS_MAX = 1_000;

/** Candidates for a mistyped label: the newest labels, and those with the same prefix. */
export async function listLabelsNear(db: Reader, path: ProductPath, wanted: string): Promise<string[]> {
  const newest = await selectVersions(db, path)
    .select('versions.label')
    .orderBy('versions.sort_key', 'desc')
    .limit(LABELS_MAX)
    .execute();
  if (newest.length < LABELS_MAX) return labelsOf(newest);
  const prefix = wanted.slice(0, Math.ceil(wanted.length / 2));
  return [...labelsOf(newest), ...(await listLabels(db, path, { prefix, max: LABELS_MAX }))];
}

/** Text sorts by its bytes, and no character sorts after this one. */
const LAST_CHARACTER = '\u{10ffff}';

type PrefixQuery = Readonly<{ prefix: string; max: number }>;

export async function listLabels(
  db: Reader,
  path: ProductPath,
  { prefix, max }: PrefixQuery,
): Promise<string[]> {
  const rows = await selectVersions(db, path)
    .select('versions.label')
    .where('versions.label', '>=', prefix)
    .where('versions.label', '<', prefix + LAST_CHARACTER)
    .orderBy('versions.label')
    .limit(max)
    .execute();
  return labelsOf(rows);
}

export async function listTeamSlugs(db: Reader, { prefix, max }: PrefixQuery): Promise<string[]> {
  const rows = await db
    .selectFrom('teams')
    .where('slug', '>=', prefix)
    .where('slug', '<', prefix + LAST_CHARACTER)
    .orderBy('slug')
    .select('slug')
    .limit(max)
    .execute();
  return rows.map(({ slug }) => slug);
}

export async function listProductSlugs(
  db: Reader,
  team: string,
  { prefix, max }: PrefixQuery,
): Promise<string[]> {
  const rows = await db
    .selectFrom('products')
    .innerJoin('teams', 'teams.id', 'products.team_id')
    .where('teams.slug', '=', team)
    .where('products.slug', '>=', prefix)
    .where('products.slug', '<', prefix + LAST_CHARACTER)
    .orderBy('products.slug')
    .select('products.slug')
    .limit(max)
    .execute();
  return rows.map(({ slug }) => slug);
}

export async function listKeyIds(db: Reader, { prefix, max }: PrefixQuery): Promise<string[]> {
  const rows = await db
    .selectFrom('api_keys')
    .where('id', '>=', prefix)
    .where('id', '<', prefix + LAST_CHARACTER)
    .orderBy('id')
    .select('id')
    .limit(max)
    .execute();
  return rows.map(({ id }) => id);
}

/** The products of the team of a key. */
export async function listProductSlugsOfKey(db: Reader, key: string, query: PrefixQuery): Promise<string[]> {
  const team = await db
    .selectFrom('api_keys')
    .innerJoin('teams', 'teams.id', 'api_keys.team_id')
    .where('api_keys.id', '=', key)
    .select('teams.slug')
    .executeTakeFirst();
  return team === undefined ? [] : await listProductSlugs(db, team.slug, query);
}

/** Completes a `TEAM/PRODUCT` that may be typed in part. */
export async function listProductPaths(db: Reader, { prefix, max }: PrefixQuery): Promise<string[]> {
  const [typed = '', product] = prefix.split('/');
  const teams = product === undefined ? await listTeamSlugs(db, { prefix: typed, max }) : [typed];
  const paths: string[] = [];
  for (const team of teams) {
    const slugs = await listProductSlugs(db, team, { prefix: product ?? '', max: max - paths.length });
    paths.push(...slugs.map((slug) => `${team}/${slug}`));
    if (paths.length >= max) break;
  }
  return paths;
}

export function selectProduct(db: Reader, { team, product }: ProductPath) {
  return db
    .selectFrom('products')
    .innerJoin('teams', 'teams.id', 'products.team_id')
    .where('teams.slug', '=', team)
    .where('products.slug', '=', product);
}

function selectVersions(db: Reader, path: ProductPath) {
  return selectProduct(db, path)
    .innerJoin('changelogs', 'changelogs.product_id', 'products.id')
    .innerJoin('versions', 'versions.changelog_id', 'changelogs.id');
}

function labelsOf(rows: readonly { label: string }[]): string[] {
  return rows.map(({ label }) => label);
}
