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
import type { Writer } from '../engine/engine.ts';
import { applyVersions, type VersionsToApply } from './apply-versions.ts';
import { newId } from './ids.ts';
import { differs, lockedMessage, type Outcome, type ReportOutcome } from './outcome.ts';
import { type PlannedVersion, planNew, planVersions } from './plan.ts';
import { prune } from './prune.ts';
import { whyDomainTaken } from './taken.ts';

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
  { pruning, now, report, reportPruned, isUnreleasedName = () => false }: ApplyOptions,
): Promise<void> {
  const row = await applyTeam(trx, team, report);
  const found: FoundProduct[] = [];
  for (const product of products) found.push(await planProduct(trx, row, product, now));
  for (const [index, { planned, versionCount }] of found.entries()) {
    const versions = ['products', index, 'changelog', 'versions'];
    const created = planned.filter(({ before }) => before === null).length;
    const count = pruning ? planned.length : versionCount + created;
    if (created > 0 && count > VERSIONS_MAX)
      throw new ContentProblem(versions, tooManyVersions(`${team.slug}/${products[index]?.slug}`, count));
    const at = planned.findIndex(
      (one) => isReleasing(one) && isUnreleasedName(one.version.version, isNewAndPublished(one)),
    );
    if (at !== -1) throw new ContentProblem([...versions, at, 'version'], UNRELEASED_NAME);
  }
  if (pruning) await prune(trx, row, products, found, reportPruned);
  await freeDomains(trx, row, products, found);
  for (const [index, product] of products.entries())
    await applyProduct(trx, row, product, found[index] as FoundProduct, { index, now, report });
}

const tooManyVersions = (name: string, count: number) =>
  `the changelog ${name} would have ${count.toLocaleString('en')} versions; at most ${VERSIONS_MAX.toLocaleString('en')} are possible.`;

const UNRELEASED_NAME =
  'this label says that the version is not released; give it another, such as 1.3.0, or leave it a draft.';

/** Whether it makes a version public, now or later. A new one that is published and has an id comes from an export. */
function isReleasing({ version, before, update }: PlannedVersion): boolean {
  const isScheduled = version.publishAt != null;
  if (before === null) return isScheduled || (version.status === 'published' && version.id === undefined);
  return before.status === 'draft' && update !== null && (isScheduled || version.status === 'published');
}

const isNewAndPublished = ({ before, version }: PlannedVersion) =>
  before === null && version.status === 'published';

type TeamRow = Readonly<{ id: number; slug: string }>;

async function applyTeam(trx: Writer, team: Content['team'], report: ReportOutcome): Promise<TeamRow> {
  const existing = await trx.selectFrom('teams').where('slug', '=', team.slug).selectAll().executeTakeFirst();
  const action = actionOf(existing, team);
  report({ action, kind: 'team', name: team.slug });
  if (action === 'changed') await trx.updateTable('teams').set(team).where('slug', '=', team.slug).execute();
  return (
    existing ??
    (await trx.insertInto('teams').values(team).returning(['id', 'slug']).executeTakeFirstOrThrow())
  );
}

function actionOf(existing: object | undefined, wanted: object): Outcome['action'] {
  if (existing === undefined) return 'created';
  return differs(existing, wanted) ? 'changed' : 'unchanged';
}

/** The state of a product before the document is applied, and what the document changes in its versions. */
type FoundProduct = Readonly<{
  product: Awaited<ReturnType<typeof findProduct>>;
  changelog: Awaited<ReturnType<typeof findChangelog>>;
  planned: readonly PlannedVersion[];
  versionCount: number;
}>;

/** Clears the domains that move between products of the document first, so that two products can swap theirs. */
async function freeDomains(
  trx: Writer,
  team: TeamRow,
  products: readonly ProductContent[],
  found: readonly FoundProduct[],
): Promise<void> {
  const isMoved = ({ domain }: ProductContent, index: number) =>
    domain !== null && domain !== found[index]?.product?.domain;
  const moved = new Set(products.filter(isMoved).map(({ domain }) => domain));
  for (const { product } of found)
    if (product?.domain != null && moved.has(product.domain))
      await trx.updateTable('products').set({ domain: null }).where('id', '=', product.id).execute();
  for (const [index, product] of products.entries()) {
    if (!isMoved(product, index)) continue;
    const own = { id: found[index]?.product?.id, team_id: team.id };
    const taken = await whyDomainTaken(trx, product.domain as string, own);
    if (taken !== null) throw new ContentProblem(['products', index, 'domain'], taken);
  }
}

async function planProduct(
  trx: Writer,
  team: TeamRow,
  { slug, changelog: wanted }: ProductContent,
  now: string,
): Promise<FoundProduct> {
  const product = await findProduct(trx, team.id, slug);
  const changelog = product && (await findChangelog(trx, product.id));
  const versions = wanted?.versions ?? [];
  const versionCount = changelog === undefined ? 0 : await countVersions(trx, changelog.id);
  const planned =
    changelog === undefined || versionCount === 0
      ? planNew(versions)
      : await planVersions(trx, changelog.id, versions, now);
  return { product, changelog, planned, versionCount };
}

export function findProduct(trx: Writer, teamId: number, slug: string) {
  return trx
    .selectFrom('products')
    .where('team_id', '=', teamId)
    .where('slug', '=', slug)
    .selectAll()
    .executeTakeFirst();
}

async function countVersions(trx: Writer, changelogId: string): Promise<number> {
  const { count } = await trx
    .selectFrom('versions')
    .where('changelog_id', '=', changelogId)
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

type ApplyContext = Readonly<{ index: number; now: string; report: ReportOutcome }>;

async function applyProduct(
  trx: Writer,
  team: TeamRow,
  { changelog, ...fields }: ProductContent,
  found: FoundProduct,
  { index, now, report }: ApplyContext,
): Promise<void> {
  const name = `${team.slug}/${fields.slug}`;
  const path = ['products', index];
  // Locked content may be in the document unchanged. The error rolls back what was already written.
  const lock = found.product && lockedBy(found.product.status, found.changelog?.status);
  const reportUnlessLocked: ReportOutcome = (outcome, ...times) => {
    if (lock && outcome.action !== 'unchanged' && !(lock === 'changelog' && outcome.kind === 'product'))
      throw new ContentProblem(path, lockedMessage(lock, name));
    report(outcome, ...times);
  };

  const columns = productColumns(fields);
  const action = actionOf(found.product, columns);
  reportUnlessLocked({ action, kind: 'product', name });
  const { id: productId } =
    found.product ??
    (await trx
      .insertInto('products')
      .values({ ...columns, team_id: team.id })
      .returning('id')
      .executeTakeFirstOrThrow());
  if (action === 'changed')
    await trx.updateTable('products').set(columns).where('id', '=', productId).execute();
  if (changelog !== null)
    await applyChangelog(trx, {
      productId,
      name,
      existing: found.changelog,
      planned: found.planned,
      wasEmpty: found.versionCount === 0,
      changelog,
      path: [...path, 'changelog'],
      now,
      report: reportUnlessLocked,
    });
}

function productColumns({ links, ...fields }: Omit<ProductContent, 'changelog'>) {
  return { ...fields, home_url: links.home, base_url: links.base, repository_url: links.repository };
}

export function findChangelog(trx: Writer, productId: number) {
  return trx.selectFrom('changelogs').where('product_id', '=', productId).selectAll().executeTakeFirst();
}

type ChangelogToApply = Omit<VersionsToApply, 'changelogId'> & {
  productId: number;
  existing: FoundProduct['changelog'];
  changelog: ChangelogContent;
};

async function applyChangelog(
  trx: Writer,
  { productId, existing, changelog, ...work }: ChangelogToApply,
): Promise<void> {
  const { versions: _, ...content } = changelog;
  const fields = { ...content, id: content.id ?? existing?.id ?? newId('changelog') };
  if (fields.id !== existing?.id) await requireFreeChangelogId(trx, fields.id, work.path);

  const action = actionOf(existing, fields);
  work.report({ action, kind: 'changelog', name: work.name });
  if (existing === undefined)
    await trx
      .insertInto('changelogs')
      .values({ ...fields, product_id: productId })
      .execute();
  else if (action === 'changed')
    await trx.updateTable('changelogs').set(fields).where('id', '=', existing.id).execute();
  await applyVersions(trx, {
    ...work,
    changelogId: fields.id,
    path: [...work.path, 'versions'],
  });
}

async function requireFreeChangelogId(trx: Writer, id: string, path: FieldPath): Promise<void> {
  const taken = await trx.selectFrom('changelogs').where('id', '=', id).select('id').executeTakeFirst();
  if (taken !== undefined) {
    throw new ContentProblem(
      [...path, 'id'],
      `the id ${id} belongs to the changelog of another product; leave it out.`,
    );
  }
}
