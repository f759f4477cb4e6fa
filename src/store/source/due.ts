import { sql } from 'kysely';
import { dialectOf } from '../engine/dialect.ts';
import type { Reader, Writer } from '../engine/engine.ts';

export type DueVersions = Readonly<{
  /** How many scheduled drafts are due and not held back by a lock. */
  due: number;
  /** The first of them, such as `acme/rocket 2.1.0`. */
  versions: readonly string[];
}>;

export async function listDue(db: Reader, namedMax: number): Promise<DueVersions> {
  const { rows } = await sql<{ due: number; name: string }>`
    select count(*) over () as due, t.slug || '/' || p.slug || ' ' || v.label as name
    from versions v join changelogs c on c.id = v.changelog_id join products p on p.id = c.product_id
      join teams t on t.id = p.team_id
    where v.publish_at <= ${dialectOf(db).due.now} and c.status <> 'locked' and p.status <> 'locked'
    order by v.publish_at, v.id limit ${sql.lit(namedMax)}`.execute(db as unknown as Writer);
  return { due: rows[0]?.due ?? 0, versions: rows.map(({ name }) => name) };
}
