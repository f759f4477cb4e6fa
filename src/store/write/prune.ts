// Deletes what is not in the document. Runs before the rest of `apply`, so that labels and ids are free.
import { ContentProblem, type FieldPath, type ProductContent } from '../../domain/content/content.ts';
import { lockedBy } from '../../domain/content/lifecycle.ts';
import type { PublicationState } from '../../domain/model.ts';
import { batches } from '../engine/batches.ts';
import type { Writer } from '../engine/engine.ts';
import { lockedMessage, type ReportOutcome } from './outcome.ts';
import type { PlannedVersion } from './plan.ts';

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
  plans: readonly Readonly<{ planned: readonly PlannedVersion[] }>[],
  report: ReportOutcome,
): Promise<void> {
  const indexes = new Map(named.map(({ slug }, index) => [slug, index]));
  for (const row of await listProductRows(trx, team.id)) {
    const index = indexes.get(row.slug);
    const name = `${team.slug}/${row.slug}`;
    const lock = lockedBy(row.status, row.changelogStatus ?? undefined);
    const path: FieldPath = index === undefined ? ['products'] : ['products', index];
    const planned = named[index ?? -1]?.changelog ? plans[index ?? -1]?.planned : undefined;
    await pruneProduct(trx, row, name, { isNamed: index !== undefined, planned }, (outcome) => {
      if (lock !== null) throw new ContentProblem(path, lockedMessage(lock, name));
      report(outcome);
    });
  }
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
  name: string,
  { isNamed, planned }: { isNamed: boolean; planned: readonly PlannedVersion[] | undefined },
  report: ReportOutcome,
): Promise<void> {
  if (!isNamed) {
    report({ action: 'deleted', kind: 'product', name });
    await trx.deleteFrom('products').where('id', '=', id).execute();
  } else if (changelogId !== null && planned === undefined) {
    report({ action: 'deleted', kind: 'changelog', name });
    await trx.deleteFrom('changelogs').where('id', '=', changelogId).execute();
  } else if (changelogId !== null) {
    const kept = new Set(planned?.map(({ before }) => before?.id));
    for (const some of batches(await listVersions(trx, changelogId))) {
      const pruned = some.filter((version) => !kept.has(version.id));
      for (const { label } of pruned)
        report({ action: 'deleted', kind: 'version', name: `${name} ${label}` });
      const ids = pruned.map((version) => version.id);
      if (ids.length > 0) await trx.deleteFrom('versions').where('id', 'in', ids).execute();
    }
  }
}

async function listVersions(trx: Writer, changelogId: string) {
  return await trx
    .selectFrom('versions')
    .where('changelog_id', '=', changelogId)
    .orderBy('id')
    .select(['id', 'label'])
    .execute();
}
