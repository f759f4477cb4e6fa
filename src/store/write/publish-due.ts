// Publishes scheduled drafts (R50).
import { sql } from 'kysely';
import { dialectOf } from '../engine/dialect.ts';
import type { Writer } from '../engine/engine.ts';

export type PublishedVersion = Readonly<{
  id: string;
  team: string;
  product: string;
  version: string;
  publishedAt: string;
}>;

/** At most so many are published by one statement; the next takes the rest. */
const PUBLISHED_AT_ONCE_MAX = 1_000;

/**
 * Publishes the drafts that are due, each with the time of its schedule as its date, and returns them. Those below a
 * locked product or changelog wait. Any number of nodes may run this at once: each version is returned to one of them. It
 * writes nothing if nothing is due. A version that another writer is changing may be left for the next time.
 */
export async function publishDue(
  db: Writer,
  versionsMax = PUBLISHED_AT_ONCE_MAX,
): Promise<PublishedVersion[]> {
  const { now, waitForWriters, lockRows } = dialectOf(db).due;
  const { rows } = await sql<PublishedVersion>`
    with candidates as materialized (
      select v.id from versions v join changelogs c on c.id = v.changelog_id join products p on p.id = c.product_id
      where v.publish_at <= ${now} and c.status <> 'locked' and p.status <> 'locked'
      order by v.publish_at limit ${versionsMax}),
    turn as materialized (
      select 1 from revision where id = 1 and exists (select 1 from candidates) ${waitForWriters}),
    due as materialized (
      select v.id from turn cross join candidates join versions v on v.id = candidates.id
        join changelogs c on c.id = v.changelog_id join products p on p.id = c.product_id
      -- Through \`coalesce\`, so that they are found by id: the index of schedules has all that is due, for each of them.
      where coalesce(v.publish_at, '~') <= ${now} and c.status <> 'locked' and p.status <> 'locked' ${lockRows})
    update versions set status = 'published', published_at = publish_at, publish_at = null,
      -- The time of its publication, and not a few milliseconds later.
      updated_at = case when publish_at > coalesce(updated_at, published_at, '') then publish_at else updated_at end
    where id in (select id from due)
    returning id, label as version, published_at as "publishedAt",
      (select t.slug from changelogs c join products p on p.id = c.product_id join teams t on t.id = p.team_id
        where c.id = versions.changelog_id) as team,
      (select p.slug from changelogs c join products p on p.id = c.product_id
        where c.id = versions.changelog_id) as product`.execute(db);
  return rows;
}
