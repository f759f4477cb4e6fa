// Ids of a document that belong to something else. Only checked when a row could not be inserted.
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

function throwTaken(id: string, path: FieldPath): never {
  throw new ContentProblem([...path, 'id'], `the id ${id} is in use elsewhere; leave it out.`);
}
