import { sql } from 'kysely';
import type { Reader } from '../engine/engine.ts';
import { prepare } from '../engine/prepared.ts';

/** When the next scheduled draft is due that can be published: those below a locked product or changelog wait (R50). */
export async function findNextDue(db: Reader): Promise<string | null> {
  const [next] = await selectNextDue(db, {});
  return next?.publishAt ?? null;
}

const selectNextDue = prepare((db) =>
  db
    .selectFrom('versions')
    .innerJoin('changelogs', 'changelogs.id', 'versions.changelog_id')
    .innerJoin('products', 'products.id', 'changelogs.product_id')
    .where('versions.publish_at', 'is not', null)
    .where('changelogs.status', '<>', 'locked')
    .where('products.status', '<>', 'locked')
    .orderBy('versions.publish_at')
    .select(sql<string>`publish_at`.as('publishAt'))
    .limit(1),
);
