// Makes the database match a content document, inside one transaction: an error rolls everything back.
import { sql } from 'kysely';
import {
  type Content,
  ContentProblem,
  type FieldPath,
  type ProductContent,
  VERSIONS_MAX,
} from '../../domain/content/content.ts';
import { lockedBy } from '../../domain/content/lifecycle.ts';
import type { PublicationState } from '../../domain/model.ts';
import { batches } from '../engine/batches.ts';
import { dialectOf } from '../engine/dialect.ts';
import type { Writer } from '../engine/engine.ts';
import { type Row, rowsOf } from '../engine/rows.ts';
import { newId } from './ids.ts';
import {
  differs,
  type Outcome,
  type PlannedVersion,
  planVersions,
  type ReportOutcome,
  requireFreeIds,
  type VersionsPlan,
  writeVersions,
} from './versions.ts';
import { findChangelog, findProduct, findTeam, lockedMessage, whyDomainTaken } from './writes.ts';

type ApplyOptions = Readonly<{
  pruning: boolean;
  now: string;
  /** Receives the outcome of everything that is pruned, and of everything in the document, in its order. */
  report: ReportOutcome;
  /** Says of a label that no version is released under it (R70). */
  isUnreleasedName?: (label: string, isNewAndPublished: boolean) => boolean;
}>;

export async function applyContent(
  trx: Writer,
  { team, products }: Content,
  options: ApplyOptions,
): Promise<void> {
  const { pruning, now, report } = options;
  const teamId = await writeRow(trx, 'team', await findTeam(trx, team.slug), team, (outcome) =>
    report({ ...outcome, name: team.slug }),
  );
  const plans: ProductPlan[] = [];
  for (const [index, wanted] of products.entries()) {
    const names = { name: `${team.slug}/${wanted.slug}`, path: ['products', index] };
    const product = await findProduct(trx, { team: team.slug, product: wanted.slug });
    const changelog = product && (await findChangelog(trx, product.id));
    const versions = await planVersions(trx, changelog?.id, wanted.changelog?.versions ?? [], now);
    plans.push({ ...names, wanted, product, changelog, ...versions });
  }
  for (const plan of plans) requirePossible(plan, options);
  if (pruning) await prune(trx, { id: teamId, slug: team.slug }, plans, report);
  await freeDomains(trx, teamId, plans);
  const unlisted: string[] = [];
  for (const plan of plans) await applyProduct(trx, teamId, plan, { ...options, unlisted });
  for (const ids of batches(unlisted))
    await sql`update changelogs set id = id where id in (${sql.join(ids)})`.execute(trx);
}

/** So many versions, and so large a part of a changelog, or all of a smaller one, are written faster all at once. */
const MANY_VERSIONS = 200;
const MANY_SHARE = 1 / 20;

/** Whether the words of a changelog are indexed when all are written: until then it is not listed as public. */
function indexesAtEnd({ heads, planned }: ProductPlan): boolean {
  const statesOf = ({ version, before, update }: PlannedVersion) =>
    before === null ? [version.status] : update === null ? [] : [before.status, update.fields.status];
  const written = planned.filter((one) => statesOf(one).includes('published'));
  const many = Math.min(heads.length, Math.max(MANY_VERSIONS, heads.length * MANY_SHARE));
  return written.length >= Math.max(many, 1);
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

/** Creates a row, or changes it if it differs. Returns its id. */
async function writeRow<Id>(
  trx: Writer,
  kind: 'team' | 'product' | 'changelog',
  existing: Readonly<{ id: Id }> | undefined,
  wanted: object,
  report: (outcome: Pick<Outcome, 'action' | 'kind'>) => void,
): Promise<Id> {
  const isChanged = existing !== undefined && differs(existing, wanted);
  report({ kind, action: existing === undefined ? 'created' : isChanged ? 'changed' : 'unchanged' });
  if (existing !== undefined && !isChanged) return existing.id;
  const table = sql.table(`${kind}s`);
  const columns = sql.join(Object.keys(wanted).map((column) => sql.ref(column)));
  const values = sql.join(Object.values(wanted));
  const write = existing
    ? sql`update ${table} set (${columns}) = (${values}) where id = ${existing.id}`
    : sql`insert into ${table} (${columns}) values (${values})`;
  const [written] = await rowsOf<{ id: Id }>(trx)`${write} returning id`;
  return (written as { id: Id }).id;
}

/** Deletes what is not in the document, before anything else is written, so that labels and ids are free. */
async function prune(
  trx: Writer,
  team: Readonly<{ id: number; slug: string }>,
  plans: readonly ProductPlan[],
  report: ReportOutcome,
): Promise<void> {
  const bySlug = new Map(plans.map((plan) => [plan.wanted.slug, plan]));
  const rows = await rowsOf<Row<'products'> & { changelogStatus: PublicationState | null }>(trx)`
    select p.*, c.status as "changelogStatus" from products p left join changelogs c on c.product_id = p.id
    where p.team_id = ${team.id} order by p.slug`;
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
  options: ApplyOptions & Readonly<{ unlisted: string[] }>,
): Promise<void> {
  const { name, path, product, wanted, changelog: existing } = plan;
  const { changelog, links, ...fields } = wanted;
  // Locked content may be in the document unchanged. The error rolls back what was already written.
  const lock = product && lockedBy(product.status, existing?.status);
  const reportUnlessLocked: ReportOutcome = (outcome, ...times) => {
    if (lock && outcome.action !== 'unchanged' && !(lock === 'changelog' && outcome.kind === 'product'))
      throw new ContentProblem(path, lockedMessage(lock, name));
    options.report(outcome, ...times);
  };
  const reportItem = (outcome: Pick<Outcome, 'action' | 'kind'>) => reportUnlessLocked({ ...outcome, name });
  const columns = {
    ...fields,
    team_id: teamId,
    home_url: links.home,
    base_url: links.base,
    repository_url: links.repository,
  };
  const productId = await writeRow(trx, 'product', product, columns, reportItem);
  if (changelog === null) return;
  const at = [...path, 'changelog'];
  const { versions: _, ...own } = changelog;
  const row = { ...own, id: own.id ?? existing?.id ?? newId('changelog'), product_id: productId };
  if (row.id !== existing?.id) await requireFreeIds(trx, 'changelogs', [{ id: row.id, path: at }]);
  const changelogId = await writeRow(trx, 'changelog', existing, row, reportItem);
  if (indexesAtEnd(plan)) {
    // After other writers, as everything that triggers write.
    await sql`select 1 from revision where id = 1 ${dialectOf(trx).due.waitForWriters}`.execute(trx);
    await sql`delete from public_changelogs where changelog_id = ${changelogId}`.execute(trx);
    options.unlisted.push(changelogId);
  }
  const work = { ...options, ...plan, changelogId, report: reportUnlessLocked };
  await writeVersions(trx, { ...work, path: [...at, 'versions'] });
}
