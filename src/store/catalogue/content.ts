// Reads content back as a content document.
import type { Selectable } from 'kysely';
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
import type { Reader } from '../engine/engine.ts';
import type { Tables } from '../engine/schema.ts';

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
  const products = await trx
    .selectFrom('products')
    .where('team_id', '=', teamId)
    .orderBy('slug')
    .selectAll()
    .execute();
  const changelogs = await trx
    .selectFrom('changelogs')
    .where('product_id', 'in', (eb) =>
      eb.selectFrom('products').where('team_id', '=', teamId).select('products.id'),
    )
    .selectAll()
    .execute();
  const byProduct = new Map(changelogs.map((changelog) => [changelog.product_id, changelog]));
  return products.map((product) => ({
    ...productContent(product),
    changelog: changelogContent(trx, byProduct.get(product.id)),
  }));
}

function changelogContent(
  trx: Reader,
  row: Selectable<Tables['changelogs']> | undefined,
): StoredChangelog | null {
  if (row === undefined) return null;
  const { id, name, description, language, status } = row;
  return { id, name, description, language, status, batches: () => listVersions(trx, id) };
}

export function productContent(row: Selectable<Tables['products']>) {
  const { slug, name, status, domain, home_url, base_url, repository_url, image, logo, accent } = row;
  const links = { home: home_url, base: base_url, repository: repository_url };
  return { slug, name, status, domain, links, image, logo, accent };
}

async function* listVersions(trx: Reader, changelogId: string): AsyncGenerator<VersionContent[]> {
  const rows = await trx
    .selectFrom('versions')
    .where('changelog_id', '=', changelogId)
    .orderBy('sort_key', 'desc')
    .orderBy('id')
    .select('id')
    .execute();
  for (const some of batches(rows)) {
    const ids = some.map(({ id }) => id);
    const versions = await findVersions(trx, ids);
    yield ids.flatMap((id) => versions.get(id) ?? []).map(versionContent);
  }
}

export type StoredVersion = Readonly<{
  row: Selectable<Tables['versions']>;
  /** In the author's order. */
  changes: ExistingChange[];
}>;

/** These versions with their changes, by id. */
export async function findVersions(db: Reader, ids: readonly string[]): Promise<Map<string, StoredVersion>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('versions').where('id', 'in', ids).selectAll().execute();
  const versions = new Map(rows.map((row) => [row.id, { row, changes: [] as ExistingChange[] }]));
  const changes = await db
    .selectFrom('changes')
    .where('version_id', 'in', ids)
    .orderBy('version_id')
    .orderBy('position')
    .select(['id', 'version_id', 'type', 'text', 'breaking'])
    .execute();
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
