// The queries of `doctor`.
import { type ExpressionBuilder, sql } from 'kysely';
import { MIDNIGHT, type Present } from '../../domain/content/future-date.ts';
import type { Reader } from '../engine/engine.ts';
import type { Tables } from '../engine/schema.ts';
import type { SomeVersions } from '../read/due.ts';

/** The published versions with a date in the future. */
export async function listFuture(db: Reader, present: Present, limit: number): Promise<SomeVersions> {
  // PostgreSQL reads a join from all published versions; it finds those of a subquery by the index.
  const counted = db
    .selectFrom('teams')
    .innerJoin('products', 'products.team_id', 'teams.id')
    .innerJoin('changelogs', 'changelogs.product_id', 'products.id')
    .select((eb) => [
      'teams.slug as team',
      'products.slug as product',
      'changelogs.id',
      eb
        .selectFrom('versions')
        .whereRef('versions.changelog_id', '=', 'changelogs.id')
        .where(isPublishedInFuture(present))
        .select((count) => count.fn.countAll<number>().as('count'))
        .as('count'),
    ]);
  const changelogs = await db
    .selectFrom(counted.as('counted'))
    .where('count', '>', 0)
    .orderBy('team')
    .orderBy('product')
    .select((eb) => ['team', 'product', 'id', eb.fn.sum<number>('count').over().as('total')])
    .limit(limit)
    .execute();
  const first: SomeVersions['first'][number][] = [];
  for (const { team, product, id } of changelogs) {
    const versions = await db
      .selectFrom('versions')
      .where('changelog_id', '=', id)
      .where(isPublishedInFuture(present))
      .orderBy('published_at', 'desc')
      .select(['label', sql<string>`published_at`.as('time')])
      .limit(limit - first.length)
      .execute();
    first.push(...versions.map(({ label, time }) => ({ name: `${team}/${product} ${label}`, time })));
    if (first.length === limit) break;
  }
  return { first, count: Number(changelogs[0]?.total ?? 0) };
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

/** `isInFuture` in SQL. */
function isPublishedInFuture({ time, midnight }: Present) {
  return (eb: ExpressionBuilder<Tables, 'versions'>) =>
    eb.and([
      eb('versions.status', '=', 'published'),
      eb('versions.published_at', '>', time),
      eb.or([
        eb('versions.published_at', '>', midnight),
        eb('versions.published_at', 'not like', `%${MIDNIGHT}`),
      ]),
    ]);
}
