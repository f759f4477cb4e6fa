// The options of imports, remembered with the product. They are in a table of their own, because writing them must not
// change a revision or a response.
import { NO_READING_OPTIONS, type ReadingOptions } from '../../domain/content/import-options.ts';
import type { Reader, Writer } from '../engine/engine.ts';
import type { ProductPath } from '../read/reads.ts';
import { requireProduct } from '../write/writes.ts';

/** The schema step that made the table. */
export const REMEMBERS_OPTIONS = '0013_import_options';

/** None if the product does not exist. */
export async function findImportOptions(db: Reader, { team, product }: ProductPath): Promise<ReadingOptions> {
  const row = await db
    .selectFrom('import_options')
    .innerJoin('products', 'products.id', 'import_options.product_id')
    .innerJoin('teams', 'teams.id', 'products.team_id')
    .where('teams.slug', '=', team)
    .where('products.slug', '=', product)
    .select('options')
    .executeTakeFirst();
  return row === undefined ? NO_READING_OPTIONS : { ...NO_READING_OPTIONS, ...JSON.parse(row.options) };
}

/** Replaces those that were remembered; none forgets them. */
export async function rememberImportOptions(
  trx: Writer,
  path: ProductPath,
  options: ReadingOptions,
): Promise<void> {
  const { id } = await requireProduct(trx, path);
  await trx.deleteFrom('import_options').where('product_id', '=', id).execute();
  const json = JSON.stringify(options);
  if (json === JSON.stringify(NO_READING_OPTIONS)) return;
  await trx.insertInto('import_options').values({ product_id: id, options: json }).execute();
}
