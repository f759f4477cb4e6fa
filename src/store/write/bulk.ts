import { sql } from 'kysely';
import { batches } from '../engine/batches.ts';
import { dialectOf } from '../engine/dialect.ts';
import type { Writer } from '../engine/engine.ts';

/** Reports a changed product, and whether one of the versions written is or was published. */
export type TouchProduct = (productId: number, isPublished: boolean) => void;

/**
 * Writes versions and changes with the per-row triggers off. `work` does their job: it sets `change_count` and reports
 * every product that it changes. All of them share one revision. The transaction cannot be committed until this
 * returns, and must be rolled back if it fails.
 */
export async function writeInBulk<T>(trx: Writer, work: (touch: TouchProduct) => Promise<T>): Promise<T> {
  const { bulk } = dialectOf(trx);
  const touched = new Map<number, boolean>();
  const end = await bulk.begin(trx);
  const result = await work((productId, isPublished) => {
    touched.set(productId, isPublished || touched.get(productId) === true);
  });
  await end();
  if (touched.size > 0) await touchProducts(trx, touched);
  return result;
}

/** Changes to changelogs themselves are recorded by their own triggers, which stay on. */
async function touchProducts(trx: Writer, touched: ReadonlyMap<number, boolean>): Promise<void> {
  await sql.raw(dialectOf(trx).bulk.advanceRevision).execute(trx);
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
