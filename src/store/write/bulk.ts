import { sql } from 'kysely';
import { batches } from '../engine/batches.ts';
import { dialectOf } from '../engine/dialect.ts';
import type { Writer } from '../engine/engine.ts';

/** The work of the triggers on versions and changes, which a writer does itself while they are off. */
export type TriggerWork = Readonly<{
  /** Reports a changed product, and whether one of the versions written is or was published. */
  touch: (productId: number, isPublished: boolean) => void;
  /** Recomputes `version_facts`: the columns derived from versions and changes, for search and sorting. */
  refreshFacts: (versionIds: readonly string[]) => Promise<void>;
}>;

/** For writers that leave the triggers on: on SQLite, switching them off changes the schema, which costs every reader. */
export const DONE_BY_TRIGGERS: TriggerWork = {
  touch: () => {},
  refreshFacts: async () => {},
};

const VERSIONS_A_STATEMENT = 100;

/**
 * Writes versions and changes with the per-row triggers off. `work` does their job: it sets `change_count` and
 * `updated_at`, and reports every product and refreshes every version that it changes. All of them share one revision.
 * The transaction cannot be committed until this returns, and must be rolled back if it fails.
 */
export async function writeInBulk<T>(trx: Writer, work: (instead: TriggerWork) => Promise<T>): Promise<T> {
  const touched = new Map<number, boolean>();
  const bulk = await dialectOf(trx).beginBulk(trx);
  const result = await work({
    touch: (productId, isPublished) => {
      touched.set(productId, isPublished || touched.get(productId) === true);
    },
    refreshFacts: async (versionIds) => {
      for (const ids of batches(versionIds, VERSIONS_A_STATEMENT))
        await bulk.refreshFacts(JSON.stringify(ids));
    },
  });
  await bulk.end();
  if (touched.size > 0) {
    await bulk.advanceRevision();
    await touchProducts(trx, touched);
  }
  return result;
}

/** Changes to changelogs themselves are recorded by their own triggers, which stay on. */
async function touchProducts(trx: Writer, touched: ReadonlyMap<number, boolean>): Promise<void> {
  for (const products of batches(touched)) {
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
