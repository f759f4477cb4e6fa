// What the command line looks at, one by one: teams, products, changelogs, versions.

import type { Reader } from '../engine/engine.ts';
import type { ProductPath } from '../read/reads.ts';

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

export function listProducts(db: Reader, team: string) {
  return db
    .selectFrom('products')
    .innerJoin('teams', 'teams.id', 'products.team_id')
    .where('teams.slug', '=', team)
    .orderBy('products.slug')
    .select(['teams.slug as team', 'products.slug', 'products.name', 'products.status'])
    .execute();
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
      'changelogs.status',
    ])
    .execute();
}

/** The version of a product that an id, or else a label, names. */
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

/** A changelog may have a million versions: only so many are looked at, however the label was mistyped. */
const LABELS_MAX = 1_000;

/** The labels among which a mistyped one is looked for: the newest, and those that begin like it. */
export async function listLabelsNear(db: Reader, path: ProductPath, wanted: string): Promise<string[]> {
  const newest = await selectVersions(db, path)
    .select('versions.label')
    .orderBy('versions.sort_key', 'desc')
    .limit(LABELS_MAX)
    .execute();
  if (newest.length < LABELS_MAX) return labelsOf(newest);
  const beginning = wanted.slice(0, Math.ceil(wanted.length / 2));
  return [...labelsOf(newest), ...(await listLabels(db, path, { beginning, max: LABELS_MAX }))];
}

/** Texts sort by their bytes, and none is beyond this one's. */
const LAST_CHARACTER = '\u{10ffff}';

/** Up to so many of what begins so. */
export type PrefixQuery = Readonly<{ beginning: string; max: number }>;

export async function listLabels(
  db: Reader,
  path: ProductPath,
  { beginning, max }: PrefixQuery,
): Promise<string[]> {
  const rows = await selectVersions(db, path)
    .select('versions.label')
    .where('versions.label', '>=', beginning)
    .where('versions.label', '<', beginning + LAST_CHARACTER)
    .orderBy('versions.label')
    .limit(max)
    .execute();
  return labelsOf(rows);
}

export async function listTeamSlugs(db: Reader, { beginning, max }: PrefixQuery): Promise<string[]> {
  const rows = await db
    .selectFrom('teams')
    .where('slug', '>=', beginning)
    .where('slug', '<', beginning + LAST_CHARACTER)
    .orderBy('slug')
    .select('slug')
    .limit(max)
    .execute();
  return rows.map(({ slug }) => slug);
}

export async function listProductSlugs(
  db: Reader,
  team: string,
  { beginning, max }: PrefixQuery,
): Promise<string[]> {
  const rows = await db
    .selectFrom('products')
    .innerJoin('teams', 'teams.id', 'products.team_id')
    .where('teams.slug', '=', team)
    .where('products.slug', '>=', beginning)
    .where('products.slug', '<', beginning + LAST_CHARACTER)
    .orderBy('products.slug')
    .select('products.slug')
    .limit(max)
    .execute();
  return rows.map(({ slug }) => slug);
}

/** `TEAM/PRODUCT`, of which as much is given as was typed. */
export async function listProductPaths(db: Reader, { beginning, max }: PrefixQuery): Promise<string[]> {
  const [typed = '', product] = beginning.split('/');
  const teams = product === undefined ? await listTeamSlugs(db, { beginning: typed, max }) : [typed];
  const paths: string[] = [];
  for (const team of teams) {
    const slugs = await listProductSlugs(db, team, { beginning: product ?? '', max: max - paths.length });
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
