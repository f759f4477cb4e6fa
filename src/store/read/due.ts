// Scheduled drafts whose time has come (R50).
import { sql } from 'kysely';
import { laterThan } from '../../domain/timestamp.ts';
import type { Reader } from '../engine/engine.ts';
import { prepare } from '../engine/prepared.ts';
import { findRevisionAt } from '../engine/revisions.ts';

/** A server publishes a draft within this time; after it, the draft is overdue. */
export const PUBLISHED_WITHIN_MS = 2_000;

/** When the next one is due. Those below a locked product or changelog wait. */
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

/** How many versions there are, and the first of them. */
export type SomeVersions = Readonly<{
  first: readonly Readonly<{ name: string; time: string }>[];
  count: number;
}>;

/** Drafts that have been due for `forMs`: those below a locked product or changelog, or all others. */
export async function listDue(
  db: Reader,
  { isLocked, limit, forMs = PUBLISHED_WITHIN_MS }: { isLocked: boolean; limit: number; forMs?: number },
): Promise<SomeVersions> {
  const rows = await db
    .selectFrom('versions')
    .innerJoin('changelogs', 'changelogs.id', 'versions.changelog_id')
    .innerJoin('products', 'products.id', 'changelogs.product_id')
    .innerJoin('teams', 'teams.id', 'products.team_id')
    .where('versions.publish_at', '<=', await findTime(db, -forMs))
    .where(({ eb, or, not }) => {
      const locked = or([eb('products.status', '=', 'locked'), eb('changelogs.status', '=', 'locked')]);
      return isLocked ? locked : not(locked);
    })
    .orderBy('versions.publish_at')
    .orderBy('versions.id')
    .select((eb) => [
      'teams.slug as team',
      'products.slug as product',
      'versions.label',
      sql<string>`versions.publish_at`.as('time'),
      eb.fn.countAll<number>().over().as('count'),
    ])
    .limit(limit)
    .execute();
  return {
    first: rows.map(({ team, product, label, time }) => ({ name: `${team}/${product} ${label}`, time })),
    count: Number(rows[0]?.count ?? 0),
  };
}

/** The time by the database's clock, plus some milliseconds. */
export async function findTime(db: Reader, laterMs: number): Promise<string> {
  const { now } = await findRevisionAt(db);
  return laterThan(now, laterMs);
}
