// Scheduled drafts (R50), for the command line.
import { sql } from 'kysely';
import { lockedBy } from '../../domain/content/lifecycle.ts';
import type { Reader } from '../engine/engine.ts';
import { findTime, PUBLISHED_WITHIN_MS } from '../read/due.ts';
import type { ProductPath } from '../read/reads.ts';
import { selectProduct } from './catalogue.ts';
import { pathNotFoundError } from './not-found.ts';

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
  const overdueFrom = await findTime(db, -PUBLISHED_WITHIN_MS);
  return versions.map((version) => ({
    ...version,
    lockedBy: lockedBy(changelog.productStatus, changelog.status),
    isOverdue: version.publishAt <= overdueFrom,
  }));
}
