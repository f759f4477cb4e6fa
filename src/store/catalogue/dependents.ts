// Counts what would be deleted, replaced or exported, and what is public.
import type { Expression } from 'kysely';
import { sql } from 'kysely';
import type { Reader, Writer } from '../engine/engine.ts';
import type { ProductPath } from '../read/reads.ts';
import { findVersionId, selectProduct } from './catalogue.ts';
import { pathNotFoundError, teamNotFoundError, versionNotFoundError } from './not-found.ts';

export function countAll(db: Reader) {
  const tables = { teams: 'teams', products: 'products', versions: 'versions', keys: 'api_keys' } as const;
  const counts = Object.entries(tables).map(([name, table]) =>
    count(sql.table(table)).as(name as keyof typeof tables),
  );
  return db.selectNoFrom(counts).executeTakeFirstOrThrow();
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
  return team;
}

/** The number of versions of a team, or of one of its products. */
export async function countVersions(
  db: Reader,
  { team, product }: Readonly<{ team: string; product?: string }>,
): Promise<number> {
  const ofProduct = product === undefined ? sql`` : sql`and p.slug = ${product}`;
  const ofTeam = sql`versions v join changelogs c on c.id = v.changelog_id join products p on p.id = c.product_id
    join teams t on t.id = p.team_id where t.slug = ${team} ${ofProduct}`;
  return (await db.selectNoFrom(count(ofTeam).as('versions')).executeTakeFirstOrThrow()).versions;
}

/** The products of a team that everyone can see (R7), each with the number of its published versions. */
export async function countPublic(trx: Writer, team: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ slug: string; versions: number }>`
    select p.slug, ${count(sql`versions v where v.changelog_id = c.id and v.status = 'published'`)} as versions
    from teams t join products p on p.team_id = t.id join changelogs c on c.product_id = p.id
    where t.slug = ${team} and t.visibility = 'public' and p.status = 'published' and c.status = 'published'
    order by p.slug`.execute(trx);
  return new Map(rows.map(({ slug, versions }) => [slug, versions]));
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
  return row.versions;
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

/** The PostgreSQL driver returns a long integer as text. */
function count(rows: Expression<unknown>) {
  return sql<number>`(select cast(count(*) as integer) from ${rows})`;
}
