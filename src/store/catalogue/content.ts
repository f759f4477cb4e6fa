// Reads a team's content back as a content document.
import type { Selectable } from 'kysely';
import {
  type ChangeContent,
  type ChangelogContent,
  imageOf,
  linksTo,
  type ProductContent,
  type TeamContent,
  type VersionContent,
} from '../../domain/content/content.ts';
import type { ExistingChange } from '../../domain/content/matching.ts';
import type { Reader } from '../engine/engine.ts';
import type { Tables } from '../engine/schema.ts';

const VERSIONS_AT_ONCE = 500;

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
    const team = await trx
      .selectFrom('teams')
      .where('slug', '=', slug)
      .select(['id', 'slug', 'name', 'visibility', 'plan'])
      .executeTakeFirst();
    if (team === undefined) return await use(undefined, trx);
    const { id, ...fields } = team;
    return await use({ team: fields, products: await listProducts(trx, id) }, trx);
  });
}

/** The number of versions of a team, or of one of its products. */
export async function countVersions(
  db: Reader,
  { team, product }: Readonly<{ team: string; product?: string }>,
): Promise<number> {
  const { count } = await db
    .selectFrom('versions')
    .innerJoin('changelogs', 'changelogs.id', 'versions.changelog_id')
    .innerJoin('products', 'products.id', 'changelogs.product_id')
    .innerJoin('teams', 'teams.id', 'products.team_id')
    .where('teams.slug', '=', team)
    .$if(product !== undefined, (query) => query.where('products.slug', '=', product as string))
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function listProducts(trx: Reader, teamId: number): Promise<StoredProduct[]> {
  const rows = await trx
    .selectFrom('products')
    .leftJoin('changelogs', 'changelogs.product_id', 'products.id')
    .where('team_id', '=', teamId)
    .orderBy('slug')
    .select([
      'products.slug',
      'products.name',
      'products.status',
      'products.home_url',
      'products.base_url',
      'products.repository_url',
      'products.logo',
      'products.image',
      'products.accent',
      'products.domain',
      'changelogs.id as changelogId',
      'changelogs.name as changelogName',
      'changelogs.description',
      'changelogs.language',
      'changelogs.status as changelogStatus',
    ])
    .execute();
  return rows.map(({ changelogId, changelogName, description, language, changelogStatus, ...product }) => ({
    ...productContent(product),
    changelog:
      changelogId === null || changelogName === null || language === null || changelogStatus === null
        ? null
        : {
            id: changelogId,
            name: changelogName,
            description,
            language,
            status: changelogStatus,
            batches: () => listVersions(trx, changelogId),
          },
  }));
}

type ProductRow = Omit<Selectable<Tables['products']>, 'id' | 'team_id'>;

export function productContent(row: ProductRow) {
  const { slug, name, status, domain, home_url, base_url, repository_url, image, logo, accent } = row;
  const links = { home: home_url, base: base_url, repository: repository_url };
  return { slug, name, status, domain, links, image, logo, accent };
}

async function* listVersions(trx: Reader, changelogId: string): AsyncGenerator<VersionContent[]> {
  let rows: VersionRow[] = [];
  do {
    rows = await listNextRows(trx, changelogId, rows.at(-1));
    const changes = await listChanges(
      trx,
      rows.map(({ id }) => id),
    );
    yield rows.map((row) => versionContent(row, changes.get(row.id)));
  } while (rows.length === VERSIONS_AT_ONCE);
}

/** The columns that `versionContent` needs. */
export const CONTENT_COLUMNS = [
  'versions.id',
  'versions.label',
  'versions.title',
  'versions.status',
  'versions.published_at',
  'versions.publish_at',
  'versions.updated_at',
  'versions.description',
  'versions.compare_url',
  'versions.image',
  'versions.yanked',
] as const;

export type ContentRow = Omit<
  Selectable<Tables['versions']>,
  'changelog_id' | 'created_order' | 'sort_key' | 'change_count'
>;
type VersionRow = ContentRow & Pick<Selectable<Tables['versions']>, 'sort_key'>;

export function versionContent<Change extends ChangeContent>(
  row: ContentRow,
  changes: readonly Change[] = [],
) {
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

/** The rows after `last`: first those with the same sort key, of which there may be many. */
async function listNextRows(
  trx: Reader,
  changelogId: string,
  last: VersionRow | undefined,
): Promise<VersionRow[]> {
  const ordered = trx
    .selectFrom('versions')
    .where('changelog_id', '=', changelogId)
    .orderBy('sort_key', 'desc')
    .orderBy('id')
    .select([...CONTENT_COLUMNS, 'sort_key']);
  if (last === undefined) return await ordered.limit(VERSIONS_AT_ONCE).execute();
  const ties = await ordered
    .where('sort_key', '=', last.sort_key)
    .where('id', '>', last.id)
    .limit(VERSIONS_AT_ONCE)
    .execute();
  const others = await ordered
    .where('sort_key', '<', last.sort_key)
    .limit(VERSIONS_AT_ONCE - ties.length)
    .execute();
  return [...ties, ...others];
}

/** The changes of these versions, by version, in the author's order. */
export async function listChanges(
  trx: Reader,
  versionIds: readonly string[],
): Promise<Map<string, ExistingChange[]>> {
  const byVersion = new Map<string, ExistingChange[]>();
  if (versionIds.length === 0) return byVersion;
  const rows = await trx
    .selectFrom('changes')
    .where('version_id', 'in', versionIds)
    .orderBy('version_id')
    .orderBy('position')
    .select(['id', 'version_id', 'type', 'text', 'breaking'])
    .execute();
  for (const { version_id, breaking, ...change } of rows) {
    const list = byVersion.get(version_id) ?? [];
    list.push({ ...change, breaking: breaking === 1 });
    byVersion.set(version_id, list);
  }
  return byVersion;
}
