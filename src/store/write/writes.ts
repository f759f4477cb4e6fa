// Edits of one existing team, product, changelog or version. Fails if it is locked or missing.
import { sql } from 'kysely';
import { COMMAND } from '../../command-name.ts';
import { DEFAULT_LANGUAGE } from '../../domain/content/appearance.ts';
import { lockedBy } from '../../domain/content/lifecycle.ts';
import type { Plan, PublicationState, VersionState, Visibility } from '../../domain/model.ts';
import { Refusal } from '../../errors.ts';
import { requireVersionId } from '../catalogue/catalogue.ts';
import { formatPath, notFoundError } from '../catalogue/not-found.ts';
import type { Writer } from '../engine/engine.ts';
import { isAt, PRODUCTS, type Row, rowsOf } from '../engine/rows.ts';
import type { ProductPath } from '../read/reads.ts';

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
  const date = to === 'published' ? now : null;
  // A version that is published now or taken back is no longer scheduled (R50). Its first publication is an update at that
  // time, and not a few milliseconds later.
  await sql`update versions set status = ${to}, published_at = coalesce(published_at, ${date}), publish_at = null,
      updated_at = case when published_at is null and ${date} > coalesce(updated_at, '') then null else updated_at end
    where id = ${id}`.execute(trx);
}

/** Null removes the schedule. */
export async function scheduleVersion(
  trx: Writer,
  path: ProductPath,
  idOrLabel: string,
  publishAt: string | null,
): Promise<void> {
  const id = await requireEditableVersion(trx, path, idOrLabel);
  const { numAffectedRows } = await sql`
    update versions set publish_at = ${publishAt} where id = ${id} and status = 'draft'`.execute(trx);
  if (numAffectedRows !== 0n) return;
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
  return await requireVersionId(trx, path, idOrLabel);
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

export async function requireTeam(trx: Writer, slug: string): Promise<Row<'teams'>> {
  const team = await findTeam(trx, slug);
  if (team === undefined) throw await notFoundError(trx, { team: slug });
  return team;
}

export async function requireProduct(trx: Writer, path: ProductPath): Promise<Row<'products'>> {
  const product = await findProduct(trx, path);
  if (product === undefined) throw await notFoundError(trx, path);
  return product;
}

export async function requireChangelog(trx: Writer, path: ProductPath) {
  const product = await requireProduct(trx, path);
  const changelog = await findChangelog(trx, product.id);
  if (changelog === undefined) throw await notFoundError(trx, path);
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
  const [other] = await rowsOf<{ id: number; team_id: number; name: string }>(trx)`
    select p.id, p.team_id, t.slug || '/' || p.slug as name from ${PRODUCTS} where p.domain = ${domain}`;
  if (other === undefined || other.id === own.id) return null;
  if (other.team_id !== own.team_id)
    return `the domain ${domain} belongs to a product of another team; choose another.`;
  return `the domain ${domain} belongs to the product ${other.name}; remove it there first: ${COMMAND} product set ${other.name} --domain ""`;
}

export async function findTeam(trx: Writer, slug: string): Promise<Row<'teams'> | undefined> {
  return (await rowsOf<Row<'teams'>>(trx)`select * from teams where slug = ${slug}`)[0];
}

export async function findProduct(trx: Writer, path: ProductPath): Promise<Row<'products'> | undefined> {
  return (await rowsOf<Row<'products'>>(trx)`select p.* from ${PRODUCTS} where ${isAt(path)}`)[0];
}

export async function findChangelog(trx: Writer, productId: number): Promise<Row<'changelogs'> | undefined> {
  return (await rowsOf<Row<'changelogs'>>(trx)`select * from changelogs where product_id = ${productId}`)[0];
}

export function lockedMessage(lock: string, name: string): string {
  return `the ${lock} ${name} is locked, and this would change it; unlock it first: ${COMMAND} ${lock} set ${name} --status published`;
}
