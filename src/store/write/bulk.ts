import { type Kysely, sql } from 'kysely';
import { batches } from '../engine/batches.ts';
import type { Writer } from '../engine/engine.ts';
import { schemaDialectOf } from '../engine/schema-dialect.ts';

/** Tells of a product, and whether a version that is published, or was before, is among what is written. */
export type TouchProduct = (productId: number, isPublished: boolean) => void;

/**
 * Writes versions and changes without what triggers do for each of their rows. `work` does that itself: it sets
 * `change_count`, and names every product that it touches. All of them are told of as one revision. The transaction
 * cannot be committed while this is underway, and what fails here must be rolled back.
 */
export async function writeInBulk<T>(trx: Writer, work: (touch: TouchProduct) => Promise<T>): Promise<T> {
  const { bulk } = schemaDialectOf(trx);
  const touched = new Map<number, boolean>();
  const end = await bulk.begin(trx as Kysely<unknown>);
  const result = await work((productId, isPublished) => {
    touched.set(productId, isPublished || touched.get(productId) === true);
  });
  await end();
  if (touched.size > 0) await touchProducts(trx, touched);
  return result;
}

/** What became of a changelog meanwhile, its own triggers have told. */
async function touchProducts(trx: Writer, touched: ReadonlyMap<number, boolean>): Promise<void> {
  await sql.raw(schemaDialectOf(trx).bulk.advanceRevision).execute(trx);
  for (const products of batches([...touched])) {
    const ids = products.map(([id]) => id);
    const published = products.filter(([, isPublished]) => isPublished).map(([id]) => id);
    await sql`insert into touches (team_id, product_id, revision, public_revision)
      select products.team_id, products.id, value, case when ${isAmong(published)}
        and exists (select 1 from public_changelogs k where k.product_id = products.id) then value else 0 end
      from products cross join revision where ${isAmong(ids)}
      on conflict (team_id, product_id) do update set revision = excluded.revision,
        public_revision = case when excluded.public_revision = 0 then touches.public_revision
          else excluded.public_revision end`.execute(trx);
  }
}

const isAmong = (ids: readonly number[]) =>
  ids.length === 0 ? sql`false` : sql`products.id in (${sql.join(ids)})`;
