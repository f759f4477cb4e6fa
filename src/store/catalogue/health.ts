// The queries of `doctor`.
import { sql } from 'kysely';
import { MIDNIGHT, type Present } from '../../domain/content/future-date.ts';
import type { Reader } from '../engine/engine.ts';
import type { SomeVersions } from '../read/due.ts';

/** The published versions with a date in the future. */
export async function listFuture(
  db: Reader,
  { time, midnight }: Present,
  limit: number,
): Promise<SomeVersions> {
  const rows = await db
    .selectFrom('versions')
    .innerJoin('changelogs', 'changelogs.id', 'versions.changelog_id')
    .innerJoin('products', 'products.id', 'changelogs.product_id')
    .innerJoin('teams', 'teams.id', 'products.team_id')
    // `isInFuture` in SQL.
    .where('versions.status', '=', 'published')
    .where('published_at', '>', time)
    .where((eb) => eb.or([eb('published_at', '>', midnight), eb('published_at', 'not like', `%${MIDNIGHT}`)]))
    .orderBy('teams.slug')
    .orderBy('products.slug')
    .orderBy('published_at', 'desc')
    .select(['teams.slug as team', 'products.slug as product', 'label', sql<string>`published_at`.as('time')])
    .select((eb) => eb.fn.countAll().over().as('count'))
    .limit(limit)
    .execute();
  const first = rows.map(({ team, product, label, time }) => ({ name: `${team}/${product} ${label}`, time }));
  return { first, count: Number(rows[0]?.count ?? 0) };
}

/** The active keys that end after one time and by another, the next one first. */
export async function listEnding(db: Reader, after: string, by: string) {
  return await db
    .selectFrom('api_keys')
    .innerJoin('teams', 'teams.id', 'api_keys.team_id')
    .where('api_keys.status', '=', 'active')
    .where('api_keys.expires_at', '>', after)
    .where('api_keys.expires_at', '<=', by)
    .orderBy('api_keys.expires_at')
    .orderBy('api_keys.id')
    .select(['api_keys.id', 'teams.slug as team', 'api_keys.expires_at as time'])
    .execute();
}

/** A domain and the product that has it, as `acme/rocket`. */
export type ListedDomain = Readonly<{ domain: string; product: string; isPublic: boolean }>;

export async function listAllDomains(db: Reader): Promise<ListedDomain[]> {
  const rows = await db
    .selectFrom('products')
    .innerJoin('teams', 'teams.id', 'products.team_id')
    .leftJoin('public_changelogs', 'public_changelogs.product_id', 'products.id')
    .where('products.domain', 'is not', null)
    .orderBy('products.domain')
    .select(['products.domain', 'teams.slug as team', 'products.slug', 'public_changelogs.changelog_id'])
    .execute();
  return rows.map(({ domain, team, slug, changelog_id }) => ({
    domain: domain as string,
    product: `${team}/${slug}`,
    isPublic: changelog_id !== null,
  }));
}
