// What the command line looks at, one by one: teams, products, changelogs, versions.

import type { Reader } from './engine.ts';
import type { ProductPath } from './reads.ts';

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
  const rows = await db
    .selectFrom('versions')
    .innerJoin('changelogs', 'changelogs.id', 'versions.changelog_id')
    .innerJoin('products', 'products.id', 'changelogs.product_id')
    .innerJoin('teams', 'teams.id', 'products.team_id')
    .where('teams.slug', '=', path.team)
    .where('products.slug', '=', path.product)
    .where((eb) => eb.or([eb('versions.id', '=', idOrLabel), eb('versions.label', '=', idOrLabel)]))
    .select('versions.id')
    .execute();
  return (rows.find(({ id }) => id === idOrLabel) ?? rows[0])?.id;
}
