// Deletes what a document does not name. Comes before everything else of an apply, so that labels and ids are free.
import { ContentProblem, type FieldPath, type ProductContent } from '../domain/content.ts';
import { lockedBy } from '../domain/lifecycle.ts';
import { matchVersions } from '../domain/matching.ts';
import type { PublicationState } from '../domain/model.ts';
import { batches } from './batches.ts';
import type { Writer } from './engine.ts';
import { type Outcome, refuseLocked } from './outcome.ts';

type ProductRow = Readonly<{
  id: number;
  slug: string;
  status: PublicationState;
  changelogId: string | null;
  changelogStatus: PublicationState | null;
}>;

export async function prune(
  trx: Writer,
  team: Readonly<{ id: number; slug: string }>,
  named: readonly ProductContent[],
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const row of await listProductRows(trx, team.id)) {
    const index = named.findIndex(({ slug }) => slug === row.slug);
    const name = `${team.slug}/${row.slug}`;
    const gone = await pruneProduct(trx, row, named[index], name);
    const path: FieldPath = index === -1 ? ['products'] : ['products', index];
    const lock = lockedBy(row.status, row.changelogStatus ?? undefined);
    if (lock !== null && gone.length > 0) throw new ContentProblem(path, refuseLocked(lock, name));
    outcomes.push(...gone);
  }
  return outcomes;
}

async function listProductRows(trx: Writer, teamId: number): Promise<ProductRow[]> {
  return await trx
    .selectFrom('products')
    .leftJoin('changelogs', 'changelogs.product_id', 'products.id')
    .where('team_id', '=', teamId)
    .orderBy('slug')
    .select([
      'products.id',
      'slug',
      'products.status',
      'changelogs.id as changelogId',
      'changelogs.status as changelogStatus',
    ])
    .execute();
}

async function pruneProduct(
  trx: Writer,
  { id, changelogId }: ProductRow,
  named: ProductContent | undefined,
  name: string,
): Promise<Outcome[]> {
  if (named === undefined) {
    await trx.deleteFrom('products').where('id', '=', id).execute();
    return [{ action: 'deleted', kind: 'product', name }];
  }
  if (changelogId === null) return [];
  if (named.changelog === null) {
    await trx.deleteFrom('changelogs').where('id', '=', changelogId).execute();
    return [{ action: 'deleted', kind: 'changelog', name }];
  }
  const existing = await trx
    .selectFrom('versions')
    .where('changelog_id', '=', changelogId)
    .select(['id', 'label'])
    .execute();
  const kept = new Set(matchVersions(existing, named.changelog.versions));
  const gone = existing.filter((version) => !kept.has(version));
  for (const some of batches(gone.map((version) => version.id)))
    await trx.deleteFrom('versions').where('id', 'in', some).execute();
  return gone.map(({ label }) => ({ action: 'deleted', kind: 'version', name: `${name} ${label}` }));
}
