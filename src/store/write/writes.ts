// Edits of one existing team, product, changelog or version. Fails if it is locked or missing.
import { COMMAND } from '../../command-name.ts';
import { DEFAULT_LANGUAGE } from '../../domain/content/appearance.ts';
import { lockedBy, moveVersion } from '../../domain/content/lifecycle.ts';
import type { Plan, PublicationState, VersionState, Visibility } from '../../domain/model.ts';
import { Refusal } from '../../errors.ts';
import { findVersionId } from '../catalogue/catalogue.ts';
import {
  changelogNotFoundError,
  formatPath,
  productNotFoundError,
  teamNotFoundError,
  versionNotFoundError,
} from '../catalogue/not-found.ts';
import { asReader, type Writer } from '../engine/engine.ts';
import type { ProductPath } from '../read/reads.ts';
import { lockedMessage } from './outcome.ts';

export type TeamPatch = { name?: string; visibility?: Visibility; plan?: Plan };
export type StatePatch = { name?: string; status?: PublicationState };
type ProductField = 'home' | 'base' | 'repository' | 'image' | 'logo' | 'accent' | 'domain';
/** Null removes a text. */
type ProductPatch = StatePatch & Partial<Record<ProductField, string | null>>;
type ChangelogPatch = StatePatch & { language?: string | null; description?: string | null };

export async function setTeam(trx: Writer, slug: string, patch: TeamPatch): Promise<void> {
  const { id } = await requireTeam(trx, slug);
  await trx.updateTable('teams').set(patch).where('id', '=', id).execute();
}

/** Deletes everything that the team owns, including its API keys (R6). */
export async function deleteTeam(trx: Writer, slug: string): Promise<void> {
  const { id } = await requireTeam(trx, slug);
  await trx.deleteFrom('teams').where('id', '=', id).execute();
}

export async function setProduct(trx: Writer, path: ProductPath, patch: ProductPatch): Promise<void> {
  const product = await requireProduct(trx, path);
  if (editsWithoutUnlocking(patch)) requireUnlocked(path, product.status);
  const taken = patch.domain ? await whyDomainTaken(trx, patch.domain, product) : null;
  if (taken !== null) throw new Refusal(taken);
  const { home, base, repository, ...fields } = patch;
  const columns = { ...fields, home_url: home, base_url: base, repository_url: repository };
  await trx.updateTable('products').set(columns).where('id', '=', product.id).execute();
}

export async function deleteProduct(trx: Writer, path: ProductPath): Promise<void> {
  const product = await requireProduct(trx, path);
  const changelog = await findChangelog(trx, product.id);
  requireUnlocked(path, product.status, changelog?.status);
  await trx.deleteFrom('products').where('id', '=', product.id).execute();
}

export async function setChangelog(trx: Writer, path: ProductPath, patch: ChangelogPatch): Promise<void> {
  const { product, changelog } = await requireChangelog(trx, path);
  requireUnlocked(path, product.status, editsWithoutUnlocking(patch) ? changelog.status : undefined);
  const { language, ...fields } = patch;
  const columns = { ...fields, language: language === null ? DEFAULT_LANGUAGE : language };
  await trx.updateTable('changelogs').set(columns).where('id', '=', changelog.id).execute();
}

export async function deleteChangelog(trx: Writer, path: ProductPath): Promise<void> {
  const { product, changelog } = await requireChangelog(trx, path);
  requireUnlocked(path, product.status, changelog.status);
  await trx.deleteFrom('changelogs').where('id', '=', changelog.id).execute();
}

export async function setVersionStatus(
  trx: Writer,
  path: ProductPath,
  idOrLabel: string,
  { to, now }: { to: VersionState; now: string },
): Promise<void> {
  const id = await requireEditableVersion(trx, path, idOrLabel);
  const version = await trx
    .selectFrom('versions')
    .where('id', '=', id)
    .select(['status', 'published_at as publishedAt', 'updated_at as updatedAt'])
    .executeTakeFirstOrThrow();
  const { status, publishedAt } = moveVersion(version, to, now);
  const isDated =
    version.publishedAt === null && publishedAt !== null && publishedAt > (version.updatedAt ?? '');
  await trx
    .updateTable('versions')
    // The time of its publication, and not a few milliseconds later.
    // A version that is published now or taken back is no longer scheduled (R50).
    .set({ status, published_at: publishedAt, publish_at: null, ...(isDated && { updated_at: null }) })
    .where('id', '=', id)
    .execute();
}

/** Null removes the schedule. */
export async function scheduleVersion(
  trx: Writer,
  path: ProductPath,
  idOrLabel: string,
  publishAt: string | null,
): Promise<void> {
  const id = await requireEditableVersion(trx, path, idOrLabel);
  const { numUpdatedRows } = await trx
    .updateTable('versions')
    .set({ publish_at: publishAt })
    .where('id', '=', id)
    .where('status', '=', 'draft')
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return;
  throw new Refusal(
    `the version ${idOrLabel} of ${formatPath(path)} is already published, and only drafts have a schedule; make it a draft first with \`${COMMAND} version unpublish\`.`,
  );
}

export async function deleteVersion(trx: Writer, path: ProductPath, idOrLabel: string): Promise<void> {
  const id = await requireEditableVersion(trx, path, idOrLabel);
  await trx.deleteFrom('versions').where('id', '=', id).execute();
}

export async function requireEditableVersion(
  trx: Writer,
  path: ProductPath,
  idOrLabel: string,
): Promise<string> {
  const { product, changelog } = await requireChangelog(trx, path);
  requireUnlocked(path, product.status, changelog.status);
  const id = await findVersionId(asReader(trx), path, idOrLabel);
  if (id === undefined) throw await versionNotFoundError(asReader(trx), path, idOrLabel);
  return id;
}

/** The status of locked content can always change; its other fields only together with unlocking it. */
function editsWithoutUnlocking({ status, ...others }: ProductPatch | ChangelogPatch): boolean {
  return Object.keys(others).length > 0 && (status === undefined || status === 'locked');
}

export function requireUnlocked(
  path: ProductPath,
  product: PublicationState,
  changelog?: PublicationState,
): void {
  const lock = lockedBy(product, changelog);
  if (lock !== null) throw new Refusal(lockedMessage(lock, formatPath(path)));
}

export async function requireTeam(trx: Writer, slug: string) {
  const team = await trx.selectFrom('teams').where('slug', '=', slug).selectAll().executeTakeFirst();
  if (team === undefined) throw await teamNotFoundError(asReader(trx), slug);
  return team;
}

export async function requireProduct(trx: Writer, path: ProductPath) {
  const { id: teamId } = await requireTeam(trx, path.team);
  const product = await findProduct(trx, teamId, path.product);
  if (product === undefined) throw await productNotFoundError(asReader(trx), path);
  return product;
}

export async function requireChangelog(trx: Writer, path: ProductPath) {
  const product = await requireProduct(trx, path);
  const changelog = await findChangelog(trx, product.id);
  if (changelog === undefined) throw changelogNotFoundError(path);
  return { product, changelog };
}

/**
 * Why a product cannot have a domain: another one has it, which is named only within the team. Null if it is free. The id is
 * undefined for a new product.
 */
export async function whyDomainTaken(
  trx: Writer,
  domain: string,
  own: Readonly<{ id?: number | undefined; team_id: number }>,
): Promise<string | null> {
  const other = await trx
    .selectFrom('products')
    .innerJoin('teams', 'teams.id', 'products.team_id')
    .where('products.domain', '=', domain)
    .select(['products.id', 'products.team_id', 'products.slug', 'teams.slug as team'])
    .executeTakeFirst();
  if (other === undefined || other.id === own.id) return null;
  if (other.team_id !== own.team_id)
    return `the domain ${domain} belongs to a product of another team; choose another.`;
  const name = `${other.team}/${other.slug}`;
  return `the domain ${domain} belongs to the product ${name}; remove it there first: ${COMMAND} product set ${name} --domain ""`;
}

export function findProduct(trx: Writer, teamId: number, slug: string) {
  return trx
    .selectFrom('products')
    .where('team_id', '=', teamId)
    .where('slug', '=', slug)
    .selectAll()
    .executeTakeFirst();
}

export function findChangelog(trx: Writer, productId: number) {
  return trx.selectFrom('changelogs').where('product_id', '=', productId).selectAll().executeTakeFirst();
}
