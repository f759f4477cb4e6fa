// Scheduled drafts (R50), for the command line.
import { sql } from 'kysely';
import { lockedBy } from '../../domain/content/lifecycle.ts';
import { dialectOf } from '../engine/dialect.ts';
import type { Reader } from '../engine/engine.ts';
import type { ProductPath } from '../read/reads.ts';
import { selectProduct } from './catalogue.ts';
import { pathNotFoundError } from './not-found.ts';

/** The server publishes a version within this time. */
export const PUBLISHED_WITHIN_MS = 2_000;

export type ScheduledVersion = Readonly<{
  id: string;
  version: string;
  title: string;
  publishAt: string;
  lockedBy: 'product' | 'changelog' | null;
  isOverdue: boolean;
}>;

/** The next one first. */
export async function listScheduled(db: Reader, path: ProductPath): Promise<ScheduledVersion[]> {
  const changelog = await selectProduct(db, path)
    .innerJoin('changelogs', 'changelogs.product_id', 'products.id')
    .select(['changelogs.id', 'changelogs.status', 'products.status as productStatus'])
    .executeTakeFirst();
  if (changelog === undefined) throw await pathNotFoundError(db, path);
  const versions = await db
    .selectFrom('versions')
    .where('changelog_id', '=', changelog.id)
    .where('publish_at', 'is not', null)
    .orderBy('publish_at')
    .orderBy('id')
    .select(['id', 'label as version', 'title', sql<string>`publish_at`.as('publishAt')])
    .execute();
  const overdueFrom = await findOverdueTime(db);
  return versions.map((version) => ({
    ...version,
    lockedBy: lockedBy(changelog.productStatus, changelog.status),
    isOverdue: version.publishAt <= overdueFrom,
  }));
}

/** Null for a version that is not scheduled. */
export async function findSchedule(db: Reader, versionId: string): Promise<string | null> {
  const row = await db
    .selectFrom('versions')
    .where('id', '=', versionId)
    .select('publish_at')
    .executeTakeFirst();
  return row?.publish_at ?? null;
}

/** How many versions there are, and the first of them. */
export type SomeVersions = Readonly<{
  first: readonly Readonly<{ name: string; time: string }>[];
  count: number;
}>;

/** The overdue versions below a lock, or all others. */
export async function listOverdue(
  db: Reader,
  { isLocked, limit }: { isLocked: boolean; limit: number },
): Promise<SomeVersions> {
  const rows = await db
    .selectFrom('versions')
    .innerJoin('changelogs', 'changelogs.id', 'versions.changelog_id')
    .innerJoin('products', 'products.id', 'changelogs.product_id')
    .innerJoin('teams', 'teams.id', 'products.team_id')
    .where('versions.publish_at', '<=', await findOverdueTime(db))
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

/** A version scheduled for this time or an earlier one should have been published, by the clock of the database. */
async function findOverdueTime(db: Reader): Promise<string> {
  const { now } = await db
    .selectFrom('revision')
    .where('id', '=', 1)
    .select(dialectOf(db).due.now.as('now'))
    .executeTakeFirstOrThrow();
  return new Date(Date.parse(now) - PUBLISHED_WITHIN_MS).toISOString();
}
