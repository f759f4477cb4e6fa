// Makes the database match a content document, inside one transaction: an error rolls everything back.
import {
  type ChangelogContent,
  type Content,
  ContentProblem,
  type FieldPath,
  type ProductContent,
  VERSIONS_MAX,
} from '../../domain/content/content.ts';
import { lockedBy } from '../../domain/content/lifecycle.ts';
import { batches } from '../engine/batches.ts';
import type { Writer } from '../engine/engine.ts';
import { newId } from './ids.ts';
import { differs, lockedMessage, type Outcome, type ReportOutcome } from './outcome.ts';
import {
  type PlannedVersion,
  planVersions,
  requireFreeIds,
  type VersionsPlan,
  writeVersions,
} from './versions.ts';
import { findChangelog, findProduct, whyDomainTaken } from './writes.ts';

type ApplyOptions = Readonly<{
  pruning: boolean;
  now: string;
  /** Receives the outcome of everything in the document, in its order. */
  report: ReportOutcome;
  reportPruned: ReportOutcome;
  /** Says of a label that no version is released under it (R70). */
  isUnreleasedName?: (label: string, isNewAndPublished: boolean) => boolean;
}>;

export async function applyContent(
  trx: Writer,
  { team, products }: Content,
  options: ApplyOptions,
): Promise<void> {
  const { pruning, now, report, reportPruned } = options;
  const { id: teamId } = await applyTeam(trx, team, report);
  const plans: ProductPlan[] = [];
  for (const [index, wanted] of products.entries()) {
    const names = { name: `${team.slug}/${wanted.slug}`, path: ['products', index] };
    const product = await findProduct(trx, teamId, wanted.slug);
    const changelog = product && (await findChangelog(trx, product.id));
    const versions = await planVersions(trx, changelog?.id, wanted.changelog?.versions ?? [], now);
    plans.push({ ...names, wanted, product, changelog, ...versions });
  }
  for (const plan of plans) requirePossible(plan, options);
  if (pruning) await prune(trx, { id: teamId, slug: team.slug }, plans, reportPruned);
  await freeDomains(trx, teamId, plans);
  for (const plan of plans) await applyProduct(trx, teamId, plan, options);
}

/** The state of a product before the document is applied, and what the document changes in its versions. */
type ProductPlan = VersionsPlan &
  Readonly<{
    /** The product, as `team/product`. */
    name: string;
    path: FieldPath;
    wanted: ProductContent;
    product: Awaited<ReturnType<typeof findProduct>>;
    changelog: Awaited<ReturnType<typeof findChangelog>>;
  }>;

function requirePossible(
  { name, path, heads, planned }: ProductPlan,
  { pruning, isUnreleasedName = () => false }: ApplyOptions,
): void {
  const versions = [...path, 'changelog', 'versions'];
  const created = planned.filter(({ before }) => before === null).length;
  const count = pruning ? planned.length : heads.length + created;
  if (created > 0 && count > VERSIONS_MAX)
    throw new ContentProblem(
      versions,
      `the changelog ${name} would have ${count.toLocaleString('en')} versions; at most ${VERSIONS_MAX.toLocaleString('en')} are possible.`,
    );
  const at = planned.findIndex(
    (one) =>
      isReleasing(one) &&
      isUnreleasedName(one.version.version, one.before === null && one.version.status === 'published'),
  );
  if (at !== -1)
    throw new ContentProblem(
      [...versions, at, 'version'],
      'this label says that the version is not released; give it another, such as 1.3.0, or leave it a draft.',
    );
}

/** Whether it makes a version public, now or later. A new one that is published and has an id comes from an export. */
function isReleasing({ version, before, update }: PlannedVersion): boolean {
  const isScheduled = version.publishAt != null;
  if (before === null) return isScheduled || (version.status === 'published' && version.id === undefined);
  return before.status === 'draft' && update !== null && (isScheduled || version.status === 'published');
}

async function applyTeam(
  trx: Writer,
  team: Content['team'],
  report: ReportOutcome,
): Promise<Readonly<{ id: number }>> {
  const existing = await trx.selectFrom('teams').where('slug', '=', team.slug).selectAll().executeTakeFirst();
  const action = actionOf(existing, team);
  report({ action, kind: 'team', name: team.slug });
  if (action === 'changed') await trx.updateTable('teams').set(team).where('slug', '=', team.slug).execute();
  return existing ?? (await trx.insertInto('teams').values(team).returning('id').executeTakeFirstOrThrow());
}

function actionOf(existing: object | undefined, wanted: object): Outcome['action'] {
  if (existing === undefined) return 'created';
  return differs(existing, wanted) ? 'changed' : 'unchanged';
}

/** Deletes what is not in the document, before anything else is written, so that labels and ids are free. */
async function prune(
  trx: Writer,
  team: Readonly<{ id: number; slug: string }>,
  plans: readonly ProductPlan[],
  report: ReportOutcome,
): Promise<void> {
  const bySlug = new Map(plans.map((plan) => [plan.wanted.slug, plan]));
  const rows = await trx
    .selectFrom('products')
    .leftJoin('changelogs', 'changelogs.product_id', 'products.id')
    .where('team_id', '=', team.id)
    .orderBy('slug')
    .select(['products.id', 'slug', 'products.status', 'changelogs.status as changelogStatus'])
    .execute();
  for (const { id, slug, status, changelogStatus } of rows) {
    const plan = bySlug.get(slug);
    const product = `${team.slug}/${slug}`;
    const lock = lockedBy(status, changelogStatus ?? undefined);
    const reportDeleted = (kind: Outcome['kind'], name = product) => {
      if (lock !== null) throw new ContentProblem(plan?.path ?? ['products'], lockedMessage(lock, product));
      report({ action: 'deleted', kind, name });
    };
    if (plan === undefined) {
      reportDeleted('product');
      await trx.deleteFrom('products').where('id', '=', id).execute();
    } else if (plan.changelog !== undefined && plan.wanted.changelog === null) {
      reportDeleted('changelog');
      await trx.deleteFrom('changelogs').where('product_id', '=', id).execute();
    } else {
      const kept = new Set(plan.planned.map(({ before }) => before));
      for (const some of batches(plan.heads.filter((head) => !kept.has(head)))) {
        for (const { label } of some) reportDeleted('version', `${product} ${label}`);
        const ids = some.map((version) => version.id);
        await trx.deleteFrom('versions').where('id', 'in', ids).execute();
      }
    }
  }
}

/** Clears the domains that move between products of the document first, so that two products can swap theirs. */
async function freeDomains(trx: Writer, teamId: number, plans: readonly ProductPlan[]): Promise<void> {
  const moved = plans.filter(
    ({ wanted: { domain }, product }) => domain !== null && domain !== product?.domain,
  );
  const domains = new Set(moved.map(({ wanted }) => wanted.domain));
  for (const { product } of plans)
    if (product?.domain != null && domains.has(product.domain))
      await trx.updateTable('products').set({ domain: null }).where('id', '=', product.id).execute();
  for (const { wanted, product, path } of moved) {
    const own = { id: product?.id, team_id: teamId };
    const taken = await whyDomainTaken(trx, wanted.domain as string, own);
    if (taken !== null) throw new ContentProblem([...path, 'domain'], taken);
  }
}

async function applyProduct(
  trx: Writer,
  teamId: number,
  plan: ProductPlan,
  { now, pruning, report }: ApplyOptions,
): Promise<void> {
  const { name, path, product, wanted, changelog: existing } = plan;
  const { changelog, links, ...fields } = wanted;
  // Locked content may be in the document unchanged. The error rolls back what was already written.
  const lock = product && lockedBy(product.status, existing?.status);
  const reportUnlessLocked: ReportOutcome = (outcome, ...times) => {
    if (lock && outcome.action !== 'unchanged' && !(lock === 'changelog' && outcome.kind === 'product'))
      throw new ContentProblem(path, lockedMessage(lock, name));
    report(outcome, ...times);
  };
  const columns = {
    ...fields,
    home_url: links.home,
    base_url: links.base,
    repository_url: links.repository,
  };
  const action = actionOf(product, columns);
  reportUnlessLocked({ action, kind: 'product', name });
  const { id: productId } =
    product ??
    (await trx
      .insertInto('products')
      .values({ ...columns, team_id: teamId })
      .returning('id')
      .executeTakeFirstOrThrow());
  if (action === 'changed')
    await trx.updateTable('products').set(columns).where('id', '=', productId).execute();
  if (changelog === null) return;
  const work = { ...plan, path: [...path, 'changelog'], report: reportUnlessLocked };
  const changelogId = await applyChangelog(trx, productId, changelog, work);
  await writeVersions(trx, { ...work, changelogId, path: [...work.path, 'versions'], now, pruning });
}

/** Returns its id. */
async function applyChangelog(
  trx: Writer,
  productId: number,
  { versions: _, ...content }: ChangelogContent,
  { changelog: existing, name, path, report }: ProductPlan & Readonly<{ report: ReportOutcome }>,
): Promise<string> {
  const fields = { ...content, id: content.id ?? existing?.id ?? newId('changelog') };
  if (fields.id !== existing?.id) await requireFreeIds(trx, 'changelogs', [{ id: fields.id, path }]);
  const action = actionOf(existing, fields);
  report({ action, kind: 'changelog', name });
  if (existing === undefined)
    await trx
      .insertInto('changelogs')
      .values({ ...fields, product_id: productId })
      .execute();
  else if (action === 'changed')
    await trx.updateTable('changelogs').set(fields).where('id', '=', existing.id).execute();
  return fields.id;
}
