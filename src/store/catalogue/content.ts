// Reads content back as a content document.
import { sql } from 'kysely';
import {
  type ChangelogContent,
  imageOf,
  linksTo,
  type ProductContent,
  type TeamContent,
  type VersionContent,
} from '../../domain/content/content.ts';
import type { ExistingChange } from '../../domain/content/matching.ts';
import { batches } from '../engine/batches.ts';
import type { Reader, Writer } from '../engine/engine.ts';
import { type Row, rowsOf } from '../engine/rows.ts';

type StoredChangelog = Required<Omit<ChangelogContent, 'versions'>> &
  Readonly<{
    /**
     * All versions in the order of the API, in batches. A function, because a generator that is kept would keep its last
     * batch in memory.
     */
    batches: () => AsyncIterable<VersionContent[]>;
  }>;

export type StoredProduct = Omit<ProductContent, 'changelog'> &
  Readonly<{ changelog: StoredChangelog | null }>;

export type StoredContent = Readonly<{ team: TeamContent; products: readonly StoredProduct[] }>;

/** Calls `use` with a snapshot of a team's content, or with undefined if there is no such team. */
export async function withContent<T>(
  db: Reader,
  slug: string,
  use: (content: StoredContent | undefined, trx: Reader) => Promise<T>,
): Promise<T> {
  return await db.transaction().execute(async (trx) => {
    const found = await trx.selectFrom('teams').where('slug', '=', slug).selectAll().executeTakeFirst();
    if (found === undefined) return await use(undefined, trx);
    const { id, ...team } = found;
    return await use({ team, products: await listProducts(trx, id) }, trx);
  });
}

async function listProducts(trx: Reader, teamId: number): Promise<StoredProduct[]> {
  const products = await rowsOf<Row<'products'>>(trx)`
    select * from products where team_id = ${teamId} order by slug`;
  const changelogs = await rowsOf<Omit<Row<'changelogs'>, 'description_mark'>>(trx)`
    select c.product_id, c.id, c.name, c.description, c.language, c.status
    from changelogs c join products p on p.id = c.product_id where p.team_id = ${teamId}`;
  const byProduct = new Map(
    changelogs.map(({ product_id, ...changelog }) => [
      product_id,
      { ...changelog, batches: () => listVersions(trx, changelog.id) },
    ]),
  );
  return products.map((product) => ({
    ...productContent(product),
    changelog: byProduct.get(product.id) ?? null,
  }));
}

export function productContent(row: Row<'products'>) {
  const { slug, name, status, domain, home_url, base_url, repository_url, image, logo, accent } = row;
  const links = { home: home_url, base: base_url, repository: repository_url };
  return { slug, name, status, domain, links, image, logo, accent };
}

async function* listVersions(trx: Reader, changelogId: string): AsyncGenerator<VersionContent[]> {
  const rows = await rowsOf<{ id: string }>(trx)`
    select id from versions where changelog_id = ${changelogId} order by sort_key desc, id`;
  for (const some of batches(rows)) {
    const ids = some.map(({ id }) => id);
    const versions = await findVersions(trx, ids);
    yield ids.flatMap((id) => versions.get(id) ?? []).map(versionContent);
  }
}

export type StoredVersion = Readonly<{
  row: Row<'versions'>;
  /** In the author's order. */
  changes: ExistingChange[];
}>;

/** These versions with their changes, by id. */
export async function findVersions(
  db: Reader | Writer,
  ids: readonly string[],
): Promise<Map<string, StoredVersion>> {
  if (ids.length === 0) return new Map();
  const rows = await rowsOf<StoredVersion['row']>(db)`select * from versions where id in (${sql.join(ids)})`;
  const versions = new Map(rows.map((row) => [row.id, { row, changes: [] as ExistingChange[] }]));
  const changes = await rowsOf<Row<'changes'>>(db)`
    select id, version_id, type, text, breaking from changes where version_id in (${sql.join(ids)})
    order by version_id, position`;
  for (const { version_id, breaking, ...change } of changes)
    versions.get(version_id)?.changes.push({ ...change, breaking: breaking === 1 });
  return versions;
}

export function versionContent({ row, changes }: StoredVersion) {
  return {
    id: row.id,
    version: row.label,
    title: row.title,
    status: row.status,
    publishedAt: row.published_at,
    publishAt: row.publish_at,
    updatedAt: row.updated_at,
    description: row.description,
    ...linksTo(row.compare_url),
    ...imageOf(row.image),
    yanked: row.yanked === 1,
    changes,
  } satisfies VersionContent;
}
