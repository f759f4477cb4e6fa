// The queries of `doctor`.
import { MIDNIGHT, type Present } from '../../domain/content/future-date.ts';
import type { Reader } from '../engine/engine.ts';
import { PRODUCTS, rowsOf, VERSIONS } from '../engine/rows.ts';
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

/** The active keys that end after one time and by another, the next one first. */
export function listEnding(db: Reader, after: string, by: string) {
  return rowsOf<Record<'id' | 'team' | 'time', string>>(db)`
    select k.id, t.slug as team, k.expires_at as time from api_keys k join teams t on t.id = k.team_id
    where k.status = 'active' and k.expires_at > ${after} and k.expires_at <= ${by} order by k.expires_at, k.id`;
}

/** A domain and the product that has it, as `acme/rocket`. */
export type ListedDomain = Readonly<{ domain: string; product: string; isPublic: boolean }>;

export async function listAllDomains(db: Reader): Promise<ListedDomain[]> {
  const rows = await rowsOf<{ domain: string; product: string; publicId: string | null }>(db)`
    select p.domain, t.slug || '/' || p.slug as product, k.changelog_id as "publicId"
    from ${PRODUCTS} left join public_changelogs k on k.product_id = p.id
    where p.domain is not null order by p.domain`;
  return rows.map(({ publicId, ...row }) => ({ ...row, isPublic: publicId !== null }));
}
