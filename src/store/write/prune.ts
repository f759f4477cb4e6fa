// Deletes what is not in the document. Runs before the rest of `apply`, so that labels and ids are free.
import { ContentProblem, type FieldPath, type ProductContent } from '../../domain/content/content.ts';
import { lockedBy } from '../../domain/content/lifecycle.ts';
import type { PublicationState } from '../../domain/model.ts';
import type { Writer } from '../engine/engine.ts';
import { lockedMessage, type ReportOutcome } from './outcome.ts';
import { listUnplanned } from './plan.ts';

const VERSIONS_AT_ONCE = 500;

type ProductRow = Readonly<{
  id: number;
  slug: string;
  status: PublicationState;
  changelogId: string | null;
  changelogStatus: PublicationState | null;
}>;

/** Expects the plan of every changelog in the document. */
export async function prune(
  trx: Writer,
  team: Readonly<{ id: number; slug: string }>,
  named: readonly ProductContent[],
  report: ReportOutcome,
): Promise<void> {
  const indexes = new Map(named.map(({ slug }, index) => [slug, index]));
  for (const row of await listProductRows(trx, team.id)) {
    const index = indexes.get(row.slug);
    const name = `${team.slug}/${row.slug}`;
    const lock = lockedBy(row.status, row.changelogStatus ?? undefined);
    const path: FieldPath = index === undefined ? ['products'] : ['products', index];
    await pruneProduct(trx, row, name, { index, content: named[index ?? -1] }, (outcome) => {
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
  named: { index: number | undefined; content: ProductContent | undefined },
  report: ReportOutcome,
): Promise<void> {
  if (named.index === undefined) {
    report({ action: 'deleted', kind: 'product', name });
    await trx.deleteFrom('products').where('id', '=', id).execute();
  } else if (changelogId !== null && !named.content?.changelog) {
    report({ action: 'deleted', kind: 'changelog', name });
    await trx.deleteFrom('changelogs').where('id', '=', changelogId).execute();
  } else if (changelogId !== null) {
    await pruneVersions(trx, named.index, changelogId, name, report);
  }
}

async function pruneVersions(
  trx: Writer,
  product: number,
  changelogId: string,
  name: string,
  report: ReportOutcome,
): Promise<void> {
  let unplanned: Awaited<ReturnType<typeof listUnplanned>>;
  do {
    unplanned = await listUnplanned(trx, product, changelogId, VERSIONS_AT_ONCE);
    for (const { label } of unplanned)
      report({ action: 'deleted', kind: 'version', name: `${name} ${label}` });
    if (unplanned.length > 0)
      await trx
        .deleteFrom('versions')
        .where(
          'id',
          'in',
          unplanned.map(({ id }) => id),
        )
        .execute();
  } while (unplanned.length === VERSIONS_AT_ONCE);
}
