// Scheduled drafts whose time has come (R50).
import { sql } from 'kysely';
import { laterThan } from '../../domain/timestamp.ts';
import type { Reader } from '../engine/engine.ts';
import { prepare } from '../engine/prepared.ts';
import { findRevisionAt } from '../engine/revisions.ts';
import { rowsOf, VERSIONS } from '../engine/rows.ts';

/** A server publishes a draft within this time; after it, the draft is overdue. */
export const PUBLISHED_WITHIN_MS = 2_000;

/** When the next one is due. Those below a locked product or changelog wait. */
export async function findNextDue(db: Reader): Promise<string | null> {
  const [next] = await selectNextDue(db, {});
  return next?.publishAt ?? null;
}

const IS_LOCKED = sql`(p.status = 'locked' or c.status = 'locked')`;

const selectNextDue = prepare(
  () => sql<{ publishAt: string }>`select v.publish_at as "publishAt" from ${VERSIONS}
    where v.publish_at is not null and not ${IS_LOCKED} order by v.publish_at limit 1`,
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
  const rows = await rowsOf<{ name: string; time: string; count: number }>(db)`
    select t.slug || '/' || p.slug || ' ' || v.label as name, v.publish_at as time, count(*) over () as count
    from ${VERSIONS} where v.publish_at <= ${await findTime(db, -forMs)} and ${isLocked ? sql`` : sql`not`} ${IS_LOCKED}
    order by v.publish_at, v.id limit ${limit}`;
  return { first: rows.map(({ name, time }) => ({ name, time })), count: Number(rows[0]?.count ?? 0) };
}

/** The time by the database's clock, plus some milliseconds. */
export async function findTime(db: Reader, laterMs: number): Promise<string> {
  const { now } = await findRevisionAt(db);
  return laterThan(now, laterMs);
}
