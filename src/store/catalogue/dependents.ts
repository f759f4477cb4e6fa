// Counts what would be deleted or replaced, for the confirmation prompt, and what is public.
import type { Expression } from 'kysely';
import { sql } from 'kysely';
import type { Reader, Writer } from '../engine/engine.ts';
import type { ProductPath } from '../read/reads.ts';
import { findVersionId, selectProduct } from './catalogue.ts';
import { pathNotFoundError, teamNotFoundError, versionNotFoundError } from './not-found.ts';

export async function countAll(db: Reader) {
  const all = await db
    .selectNoFrom([
      count(sql`teams`).as('teams'),
      count(sql`products`).as('products'),
      count(sql`versions`).as('versions'),
      count(sql`api_keys`).as('keys'),
    ])
    .executeTakeFirstOrThrow();
  return {
    teams: Number(all.teams),
    products: Number(all.products),
    versions: Number(all.versions),
    keys: Number(all.keys),
  };
}

export async function countOfTeam(db: Reader, slug: string) {
  const team = await db
    .selectFrom('teams')
    .where('slug', '=', slug)
    .select([
      count(sql`products where team_id = teams.id`).as('products'),
      count(sql`api_keys where team_id = teams.id`).as('keys'),
      count(sql`versions join changelogs on changelogs.id = changelog_id
        join products on products.id = product_id where team_id = teams.id`).as('versions'),
    ])
    .executeTakeFirst();
  if (team === undefined) throw await teamNotFoundError(db, slug);
  return { products: Number(team.products), versions: Number(team.versions), keys: Number(team.keys) };
}

/** The products of a team that everyone can see (R7), each with the number of its published versions. */
export async function countPublic(trx: Writer, team: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ slug: string; versions: number | string }>`
    select p.slug, ${count(sql`versions v where v.changelog_id = c.id and v.status = 'published'`)} as versions
    from teams t join products p on p.team_id = t.id join changelogs c on c.product_id = p.id
    where t.slug = ${team} and t.visibility = 'public' and p.status = 'published' and c.status = 'published'
    order by p.slug`.execute(trx);
  return new Map(rows.map(({ slug, versions }) => [slug, Number(versions)]));
}

/** Throws if the product is missing, or its changelog if it is needed. */
export async function countVersionsAt(
  db: Reader,
  path: ProductPath,
  { needsChangelog }: { needsChangelog: boolean },
): Promise<number> {
  const row = await selectProduct(db, path)
    .leftJoin('changelogs', 'changelogs.product_id', 'products.id')
    .select(['changelogs.id', count(sql`versions where changelog_id = changelogs.id`).as('versions')])
    .executeTakeFirst();
  if (row === undefined || (needsChangelog && row.id === null)) throw await pathNotFoundError(db, path);
  return Number(row.versions);
}

export async function countChangesOf(db: Reader, path: ProductPath, idOrLabel: string) {
  const id = await findVersionId(db, path, idOrLabel);
  if (id === undefined) throw await versionNotFoundError(db, path, idOrLabel);
  return await db
    .selectFrom('versions')
    .where('id', '=', id)
    .select(['label', 'change_count as changes'])
    .executeTakeFirstOrThrow();
}

/** The PostgreSQL driver returns a count as text. */
function count(rows: Expression<unknown>) {
  return sql<number | string>`(select count(*) from ${rows})`;
}
