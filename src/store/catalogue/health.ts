// The queries of `doctor`.
import { MIDNIGHT, type Present } from '../../domain/content/future-date.ts';
import type { Plan } from '../../domain/model.ts';
import type { Reader } from '../engine/engine.ts';

/** A value that was created with the schema and is the same in every copy of the database. */
export async function findIdentity(db: Reader): Promise<string> {
  const row = await db.selectFrom('revision').where('id', '=', 1).select('cursor_key').executeTakeFirst();
  return row?.cursor_key ?? '';
}

export type Unreadable = Readonly<{
  team: string;
  product: string;
  /** The first thing that is missing, from the outside in. */
  lacks: 'changelog' | 'published changelog' | 'published version';
}>;

/** Published products of public teams of which nothing can be read. */
export async function listUnreadable(db: Reader, limit: number): Promise<Unreadable[]> {
  const rows = await db
    .selectFrom('teams')
    .innerJoin('products', 'products.team_id', 'teams.id')
    .leftJoin('changelogs', 'changelogs.product_id', 'products.id')
    .where('teams.visibility', '=', 'public')
    .where('products.status', '=', 'published')
    .where((eb) => {
      const published = eb
        .selectFrom('versions')
        .whereRef('versions.changelog_id', '=', 'changelogs.id')
        .where('versions.status', '=', 'published')
        .select('versions.id');
      return eb.or([eb('changelogs.status', '<>', 'published'), eb.not(eb.exists(published))]);
    })
    .orderBy('teams.slug')
    .orderBy('products.slug')
    .select(['teams.slug as team', 'products.slug as product', 'changelogs.status'])
    .limit(limit)
    .execute();
  return rows.map(({ team, product, status }) => ({ team, product, lacks: lackOf(status) }));
}

function lackOf(changelogStatus: string | null): Unreadable['lacks'] {
  if (changelogStatus === null) return 'changelog';
  return changelogStatus === 'published' ? 'published version' : 'published changelog';
}

export async function hasPublicProduct(db: Reader): Promise<boolean> {
  const row = await db
    .selectFrom('teams')
    .innerJoin('products', 'products.team_id', 'teams.id')
    .where('teams.visibility', '=', 'public')
    .where('products.status', '=', 'published')
    .select('products.id')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The first published versions whose date is in the future by `isInFuture`, each with the number of all of them. */
export async function listFuture(db: Reader, { time, midnight }: Present, limit: number) {
  return await db
    .selectFrom('teams')
    .innerJoin('products', 'products.team_id', 'teams.id')
    .innerJoin('changelogs', 'changelogs.product_id', 'products.id')
    .innerJoin('versions', 'versions.changelog_id', 'changelogs.id')
    .where('versions.status', '=', 'published')
    // The index has this column: the date, or for a version without one a text that begins with ~.
    .where('versions.sort_key', '>', time)
    .where('versions.sort_key', '<', '~')
    .where((eb) =>
      eb.or([eb('versions.sort_key', '>', midnight), eb('versions.sort_key', 'not like', `%${MIDNIGHT}`)]),
    )
    .select((eb) => [
      'teams.slug as team',
      'products.slug as product',
      'versions.label',
      'versions.sort_key as publishedAt',
      eb.fn.countAll<number>().over().as('count'),
    ])
    .orderBy('teams.slug')
    .orderBy('products.slug')
    .orderBy('versions.sort_key')
    .limit(limit)
    .execute();
}

/** `someKey` is one that could be enabled. */
export type LockedOut = Readonly<{ team: string; plan: Plan; someKey: string | null }>;

/** Private teams without an active key. */
export async function listLockedOut(db: Reader, limit: number): Promise<LockedOut[]> {
  return await db
    .selectFrom('teams')
    .leftJoin('api_keys', 'api_keys.team_id', 'teams.id')
    .where('teams.visibility', '=', 'private')
    .groupBy(['teams.slug', 'teams.plan'])
    .having((eb) => eb.fn.sum(eb.case().when('api_keys.status', '=', 'active').then(1).else(0).end()), '=', 0)
    .orderBy('teams.slug')
    .select((eb) => ['teams.slug as team', 'teams.plan', eb.fn.min('api_keys.id').as('someKey')])
    .limit(limit)
    .execute();
}
