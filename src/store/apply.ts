// Makes the database match a content document. Runs inside one transaction; whatever it refuses undoes all of it.
import {
  type ChangelogContent,
  type Content,
  ContentProblem,
  type FieldPath,
  type ProductContent,
} from '../domain/content.ts';
import { lockedBy } from '../domain/lifecycle.ts';
import { applyVersions } from './apply-versions.ts';
import { newId } from './ids.ts';
import type { Writer } from './open.ts';

export type Outcome = Readonly<{
  action: 'created' | 'changed' | 'unchanged' | 'deleted';
  kind: 'team' | 'product' | 'changelog' | 'version';
  name: string;
}>;

export type ApplyOptions = Readonly<{ prune: boolean; now: string }>;

/** Says of everything that the document names, and of everything it pruned, what became of it. */
export async function applyContent(
  trx: Writer,
  { team, products }: Content,
  options: ApplyOptions,
): Promise<Outcome[]> {
  const { row, outcome } = await applyTeam(trx, team);
  // What goes, goes first, so that its ids are free for what comes.
  const pruned = options.prune ? await pruneProducts(trx, row, products) : [];
  const outcomes: Outcome[] = [outcome];
  for (const [index, product] of products.entries()) {
    outcomes.push(...(await applyProduct(trx, row, product, ['products', index], options)));
  }
  return [...outcomes, ...pruned];
}

type TeamRow = Readonly<{ id: number; slug: string }>;

async function applyTeam(trx: Writer, team: Content['team']): Promise<{ row: TeamRow; outcome: Outcome }> {
  const existing = await trx.selectFrom('teams').where('slug', '=', team.slug).selectAll().executeTakeFirst();
  if (existing === undefined) {
    const row = await trx
      .insertInto('teams')
      .values(team)
      .returning(['id', 'slug'])
      .executeTakeFirstOrThrow();
    return { row, outcome: { action: 'created', kind: 'team', name: team.slug } };
  }
  const changed = differs(existing, team);
  if (changed) await trx.updateTable('teams').set(team).where('id', '=', existing.id).execute();
  return {
    row: existing,
    outcome: { action: changed ? 'changed' : 'unchanged', kind: 'team', name: team.slug },
  };
}

async function applyProduct(
  trx: Writer,
  team: TeamRow,
  { changelog, ...fields }: ProductContent,
  path: FieldPath,
  options: ApplyOptions,
): Promise<Outcome[]> {
  const name = `${team.slug}/${fields.slug}`;
  const existing = await trx
    .selectFrom('products')
    .where('team_id', '=', team.id)
    .where('slug', '=', fields.slug)
    .selectAll()
    .executeTakeFirst();
  const found = existing && (await findChangelog(trx, existing.id));
  const productId = existing?.id ?? (await insertProduct(trx, { ...fields, team_id: team.id }));
  const changed = existing !== undefined && differs(existing, fields);
  if (changed) await trx.updateTable('products').set(fields).where('id', '=', productId).execute();

  const own: Outcome = {
    action: existing === undefined ? 'created' : changed ? 'changed' : 'unchanged',
    kind: 'product',
    name,
  };
  const below = changelog
    ? await applyChangelog(
        trx,
        { productId, name, existing: found, changelog, path: [...path, 'changelog'] },
        options,
      )
    : await pruneChangelog(trx, found, name, options);

  // Frozen content may be named again as it is, and may not be touched: what was done is undone by the refusal.
  const lock = existing && lockedBy(existing.status, found?.status);
  const frozen = lock === 'product' ? [own, ...below] : lock === 'changelog' ? below : [];
  if (frozen.some(({ action }) => action !== 'unchanged'))
    throw new ContentProblem(path, refuseLocked(lock as string, name));
  return [own, ...below];
}

export function refuseLocked(lock: string, name: string): string {
  return `the ${lock} ${name} is locked, and this would change it; unlock it first: changelog ${lock} set ${name} --status published`;
}

async function insertProduct(
  trx: Writer,
  values: { team_id: number } & Pick<ProductContent, 'slug' | 'name' | 'status'>,
): Promise<number> {
  return (await trx.insertInto('products').values(values).returning('id').executeTakeFirstOrThrow()).id;
}

export function findChangelog(trx: Writer, productId: number) {
  return trx.selectFrom('changelogs').where('product_id', '=', productId).selectAll().executeTakeFirst();
}

type ChangelogToApply = {
  productId: number;
  name: string;
  existing: Awaited<ReturnType<typeof findChangelog>>;
  changelog: ChangelogContent;
  path: FieldPath;
};

async function applyChangelog(
  trx: Writer,
  { productId, name, existing, changelog, path }: ChangelogToApply,
  options: ApplyOptions,
): Promise<Outcome[]> {
  const { versions, ...content } = changelog;
  const fields = { ...content, id: content.id ?? existing?.id ?? newId('changelog') };
  if (fields.id !== existing?.id) await refuseTakenChangelogId(trx, fields.id, path);

  const changed = existing !== undefined && differs(existing, fields);
  if (existing === undefined)
    await trx
      .insertInto('changelogs')
      .values({ ...fields, product_id: productId })
      .execute();
  else if (changed) await trx.updateTable('changelogs').set(fields).where('id', '=', existing.id).execute();

  const action = existing === undefined ? 'created' : changed ? 'changed' : 'unchanged';
  const below = await applyVersions(
    trx,
    { changelogId: fields.id, name, versions, path: [...path, 'versions'] },
    options,
  );
  return [{ action, kind: 'changelog', name }, ...below];
}

async function refuseTakenChangelogId(trx: Writer, id: string, path: FieldPath): Promise<void> {
  const taken = await trx.selectFrom('changelogs').where('id', '=', id).select('id').executeTakeFirst();
  if (taken !== undefined) {
    throw new ContentProblem(
      [...path, 'id'],
      `the id ${id} belongs to the changelog of another product; leave it out.`,
    );
  }
}

async function pruneChangelog(
  trx: Writer,
  existing: { id: string } | undefined,
  name: string,
  { prune }: ApplyOptions,
): Promise<Outcome[]> {
  if (!prune || existing === undefined) return [];
  await trx.deleteFrom('changelogs').where('id', '=', existing.id).execute();
  return [{ action: 'deleted', kind: 'changelog', name }];
}

async function pruneProducts(
  trx: Writer,
  team: TeamRow,
  named: readonly ProductContent[],
): Promise<Outcome[]> {
  const slugs = new Set(named.map(({ slug }) => slug));
  const rows = await trx
    .selectFrom('products')
    .leftJoin('changelogs', 'changelogs.product_id', 'products.id')
    .where('team_id', '=', team.id)
    .orderBy('slug')
    .select(['products.id', 'slug', 'products.status', 'changelogs.status as changelogStatus'])
    .execute();
  const outcomes: Outcome[] = [];
  for (const { id, slug, status, changelogStatus } of rows.filter((row) => !slugs.has(row.slug))) {
    const name = `${team.slug}/${slug}`;
    const lock = lockedBy(status, changelogStatus ?? undefined);
    if (lock !== null) throw new ContentProblem(['products'], refuseLocked(lock, name));
    await trx.deleteFrom('products').where('id', '=', id).execute();
    outcomes.push({ action: 'deleted', kind: 'product', name });
  }
  return outcomes;
}

/** Does the row hold anything else than the wanted fields? */
export function differs(row: object, wanted: object): boolean {
  return Object.entries(wanted).some(([key, value]) => (row as Record<string, unknown>)[key] !== value);
}
