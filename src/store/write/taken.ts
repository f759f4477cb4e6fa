// Ids and domains that belong to something else. Those of versions and changes are only checked when a row could not be
// inserted.
import { COMMAND } from '../../command-name.ts';
import { ContentProblem, type FieldPath } from '../../domain/content/content.ts';
import type { Writer } from '../engine/engine.ts';

export async function requireFreeVersionId(trx: Writer, id: string, path: FieldPath): Promise<void> {
  if ((await findVersion(trx, id)) !== undefined) throwTaken(id, path);
}

/** Throws if a row was not inserted because another version has its id. */
export async function requireOwnVersionId(
  trx: Writer,
  { id, changelog_id, label }: Readonly<{ id: string; changelog_id: string; label: string }>,
  path: FieldPath,
): Promise<void> {
  const row = await findVersion(trx, id);
  if (row?.changelog_id !== changelog_id || row.label !== label) throwTaken(id, path);
}

function findVersion(trx: Writer, id: string) {
  return trx.selectFrom('versions').where('id', '=', id).select(['changelog_id', 'label']).executeTakeFirst();
}

export async function requireOwnChangeId(
  trx: Writer,
  { id, version_id, position }: Readonly<{ id: string; version_id: string; position: number }>,
  path: FieldPath,
): Promise<void> {
  const row = await trx
    .selectFrom('changes')
    .where('id', '=', id)
    .select(['version_id', 'position'])
    .executeTakeFirst();
  if (row?.version_id !== version_id || row.position !== position) throwTaken(id, path);
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

function throwTaken(id: string, path: FieldPath): never {
  throw new ContentProblem([...path, 'id'], `the id ${id} is in use elsewhere; leave it out.`);
}
