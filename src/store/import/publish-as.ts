// The label under which a draft is published (R70).
import { COMMAND } from '../../command-name.ts';
import { otherLabel } from '../../domain/version-names.ts';
import { Refusal } from '../../errors.ts';
import { findVersionId } from '../catalogue/catalogue.ts';
import { formatPath } from '../catalogue/not-found.ts';
import { asReader, type Writer } from '../engine/engine.ts';
import type { ProductPath } from '../read/reads.ts';
import { requireEditableVersion } from '../write/writes.ts';
import { markAsRenamed } from './marks.ts';

type NewName = Readonly<{ as?: string | undefined; isUnreleasedName: (label: string) => boolean }>;

/** Renames a draft if `as` is given. Otherwise its name must not say that it is not released. */
export async function nameForRelease(
  trx: Writer,
  path: ProductPath,
  idOrLabel: string,
  { as, isUnreleasedName }: NewName,
): Promise<void> {
  const id = await requireEditableVersion(trx, path, idOrLabel);
  const { label, status } = await trx
    .selectFrom('versions')
    .where('id', '=', id)
    .select(['label', 'status'])
    .executeTakeFirstOrThrow();
  const product = formatPath(path);
  if (status === 'draft' && isUnreleasedName(as ?? label))
    throw new Refusal(
      `"${as ?? label}" says that a version is not released; publish it under a label of its own, such as \`${COMMAND} version publish ${product} "${label}" --as 1.3.0\`.`,
    );
  if (as === undefined || as === label) return;
  if (status === 'published')
    throw new Refusal(`the version ${label} of ${product} is already published; --as renames only drafts.`);
  for (const same of [as, otherLabel(as)])
    if (same !== label && (await findVersionId(asReader(trx), path, same)) !== undefined)
      throw new Refusal(`${product} already has a version ${same}; choose another label.`);
  await markAsRenamed(trx, id, as);
  await trx.updateTable('versions').set({ label: as }).where('id', '=', id).execute();
}
