import { type Kysely, sql } from 'kysely';
import { batches } from './batches.ts';
import type { Writer } from './engine.ts';
import { schemaDialectOf } from './schema-dialect.ts';

export type TouchProduct = (productId: number) => void;

/**
 * Writes versions and changes without what triggers do for each of their rows. `work` does that itself: it sets
 * `change_count`, and names every product that it touches. All of them are told of as one revision. The transaction
 * cannot be committed while this is underway, and what fails here must be rolled back.
 */
export async function writeInBulk<T>(trx: Writer, work: (touch: TouchProduct) => Promise<T>): Promise<T> {
  const { bulk } = schemaDialectOf(trx);
  const touched = new Set<number>();
  const end = await bulk.begin(trx as Kysely<unknown>);
  const result = await work((productId) => void touched.add(productId));
  await end();
  if (touched.size > 0) await touchProducts(trx, [...touched]);
  return result;
}

async function touchProducts(trx: Writer, productIds: readonly number[]): Promise<void> {
  await sql.raw(schemaDialectOf(trx).bulk.advanceRevision).execute(trx);
  for (const ids of batches(productIds)) {
    await trx
      .insertInto('touches')
      .columns(['team_id', 'product_id', 'revision'])
      .expression((eb) =>
        eb
          .selectFrom('products')
          .where('products.id', 'in', ids)
          .select(['products.team_id', 'products.id'])
          .select((inner) => inner.selectFrom('revision').select('value').$asScalar().as('revision')),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['team_id', 'product_id'])
          .doUpdateSet((eb) => ({ revision: eb.ref('excluded.revision') })),
      )
      .execute();
  }
}
