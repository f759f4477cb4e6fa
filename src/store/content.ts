// A team's content, read back as the document that would make it.
import type { ChangeContent, ChangelogContent, Content, VersionContent } from '../domain/content.ts';
import type { Reader } from './engine.ts';

/** Everything of a team, in the order in which the API shows it, or nothing if there is no such team. */
export async function findContent(db: Reader, slug: string): Promise<Content | undefined> {
  return await db.transaction().execute(async (trx) => {
    const team = await trx
      .selectFrom('teams')
      .where('slug', '=', slug)
      .select(['id', 'slug', 'name', 'visibility', 'plan'])
      .executeTakeFirst();
    if (team === undefined) return undefined;
    const { id, ...fields } = team;
    const products = await trx
      .selectFrom('products')
      .where('team_id', '=', id)
      .orderBy('slug')
      .select(['id', 'slug', 'name', 'status'])
      .execute();
    const changelogs = await listChangelogs(trx, id);
    return {
      team: fields,
      products: products.map(({ id: productId, ...product }) => ({
        ...product,
        changelog: changelogs.get(productId) ?? null,
      })),
    };
  });
}

async function listChangelogs(trx: Reader, teamId: number): Promise<Map<number, ChangelogContent>> {
  const rows = await trx
    .selectFrom('changelogs')
    .innerJoin('products', 'products.id', 'changelogs.product_id')
    .where('products.team_id', '=', teamId)
    .select(['changelogs.id', 'changelogs.product_id', 'changelogs.name', 'changelogs.status'])
    .execute();
  const changelogs = new Map<number, ChangelogContent>();
  for (const { id, product_id, name, status } of rows) {
    changelogs.set(product_id, { id, name, status, versions: await listVersions(trx, id) });
  }
  return changelogs;
}

async function listVersions(trx: Reader, changelogId: string): Promise<VersionContent[]> {
  const changes = await listChanges(trx, changelogId);
  const rows = await trx
    .selectFrom('versions')
    .where('changelog_id', '=', changelogId)
    .orderBy('sort_key', 'desc')
    .orderBy('id')
    .select(['id', 'label', 'title', 'status', 'published_at', 'description', 'yanked'])
    .execute();
  return rows.map((row) => ({
    id: row.id,
    version: row.label,
    title: row.title,
    status: row.status,
    publishedAt: row.published_at,
    description: row.description,
    yanked: row.yanked === 1,
    changes: changes.get(row.id) ?? [],
  }));
}

/** The changes of all versions of a changelog, by version, each in the author's order. */
export async function listChanges(trx: Reader, changelogId: string): Promise<Map<string, ExistingChanges>> {
  const rows = await trx
    .selectFrom('changes')
    .innerJoin('versions', 'versions.id', 'changes.version_id')
    .where('versions.changelog_id', '=', changelogId)
    .orderBy('changes.version_id')
    .orderBy('changes.position')
    .select(['changes.id', 'changes.version_id', 'changes.type', 'changes.text', 'changes.breaking'])
    .execute();
  const byVersion = new Map<string, ExistingChanges>();
  for (const { version_id, breaking, ...change } of rows) {
    const list = byVersion.get(version_id) ?? [];
    list.push({ ...change, breaking: breaking === 1 });
    byVersion.set(version_id, list);
  }
  return byVersion;
}

type ExistingChanges = (ChangeContent & { id: string })[];
