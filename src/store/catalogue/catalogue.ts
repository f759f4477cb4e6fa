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
      'changelogs.description',
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

export function selectProduct(db: Reader, { team, product }: ProductPath) {
  return db
    .selectFrom('products')
    .innerJoin('teams', 'teams.id', 'products.team_id')
    .where('teams.slug', '=', team)
    .where('products.slug', '=', product);
}

export function selectVersions(db: Reader, path: ProductPath) {
  return selectProduct(db, path)
    .innerJoin('changelogs', 'changelogs.product_id', 'products.id')
    .innerJoin('versions', 'versions.changelog_id', 'changelogs.id');
}
