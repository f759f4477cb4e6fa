import { type Compilable, sql } from 'kysely';
import { dialectOf } from '../engine/dialect.ts';
import type { Reader } from '../engine/engine.ts';
import { prepare } from '../engine/prepared.ts';

/** By the clock of the database; below zero for a version that is overdue. */
export type NextDue = Readonly<{ publishAt: string; inMs: number }>;

/** The next scheduled draft that can be published: those below a locked product or changelog wait (R50). */
export async function findNextDue(db: Reader): Promise<NextDue | null> {
  const [next] = await selectNextDue(db, {});
  return next === undefined
    ? null
    : { publishAt: next.publishAt, inMs: Date.parse(next.publishAt) - Date.parse(next.now) };
}

type NextRow = Readonly<{ publishAt: string; now: string }>;

export function nextDueQuery(db: Reader): Compilable<NextRow> {
  return db
    .selectFrom('versions')
    .innerJoin('changelogs', 'changelogs.id', 'versions.changelog_id')
    .innerJoin('products', 'products.id', 'changelogs.product_id')
    .where('versions.publish_at', 'is not', null)
    .where('changelogs.status', '<>', 'locked')
    .where('products.status', '<>', 'locked')
    .orderBy('versions.publish_at')
    .select([sql<string>`publish_at`.as('publishAt'), dialectOf(db).due.now.as('now')])
    .limit(1);
}

const selectNextDue = prepare(nextDueQuery);
