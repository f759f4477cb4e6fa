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
import type { Writer } from './engine.ts';
import { newId } from './ids.ts';
import { differs, type Outcome, refuseLocked } from './outcome.ts';
import { prune } from './prune.ts';

export type ApplyOptions = Readonly<{ pruning: boolean; now: string }>;

/** Says of everything that the document names, and of everything it pruned, what became of it. */
export async function applyContent(
  trx: Writer,
  { team, products }: Content,
  { pruning, now }: ApplyOptions,
): Promise<Outcome[]> {
  const { row, outcome } = await applyTeam(trx, team);
  const pruned = pruning ? await prune(trx, row, products) : [];
  const outcomes: Outcome[] = [outcome];
  for (const [index, product] of products.entries()) {
    outcomes.push(...(await applyProduct(trx, row, product, ['products', index], now)));
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
  now: string,
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
  const below =
    changelog === null
      ? []
      : await applyChangelog(trx, {
          productId,
          name,
          existing: found,
          changelog,
          path: [...path, 'changelog'],
          now,
        });

  // Frozen content may be named again as it is, and may not be touched: what was done is undone by the refusal.
  const lock = existing && lockedBy(existing.status, found?.status);
  const frozen = lock === 'product' ? [own, ...below] : lock === 'changelog' ? below : [];
  if (frozen.some(({ action }) => action !== 'unchanged'))
    throw new ContentProblem(path, refuseLocked(lock as string, name));
  return [own, ...below];
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
  now: string;
};

async function applyChangelog(
  trx: Writer,
  { productId, name, existing, changelog, path, now }: ChangelogToApply,
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
  const below = await applyVersions(trx, {
    changelogId: fields.id,
    name,
    versions,
    path: [...path, 'versions'],
    now,
  });
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
