// A query of `doctor`.
import { MIDNIGHT, type Present } from '../../domain/content/future-date.ts';
import type { Reader } from '../engine/engine.ts';
import { rowsOf, VERSIONS } from '../engine/rows.ts';
import type { SomeVersions } from '../read/due.ts';

/** The published versions with a date in the future: `isInFuture` in SQL. */
export async function listFuture(
  db: Reader,
  { time, midnight }: Present,
  limit: number,
): Promise<SomeVersions> {
  const rows = await rowsOf<{ name: string; time: string; count: number }>(db)`
    select t.slug || '/' || p.slug || ' ' || v.label as name, v.published_at as time, count(*) over () as count
    from ${VERSIONS} where v.status = 'published' and v.published_at > ${time}
      and (v.published_at > ${midnight} or v.published_at not like ${`%${MIDNIGHT}`})
    order by t.slug, p.slug, v.published_at desc limit ${limit}`;
  return { first: rows.map(({ name, time }) => ({ name, time })), count: Number(rows[0]?.count ?? 0) };
}
