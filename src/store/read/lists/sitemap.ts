// All public products and versions, one batch at a time, for `/sitemap.xml` (R40).
import { sql } from 'kysely';
import type { FeedPosition } from '../../../domain/feed-query.ts';
import { dialectOf, type Sql } from '../../engine/dialect.ts';
import type { Reader } from '../../engine/engine.ts';
import { prepare } from '../../engine/prepared.ts';
import { type AtRevision, firstOf, lastPublicWrite, type ProductPath, selectRevision } from '../reads.ts';

/** A product itself, or one of its versions. */
export type SitemapEntry = Readonly<{
  teamSlug: string;
  productSlug: string;
  domain: string | null;
  version: Readonly<{ id: string; label: string; sortKey: string; updatedAt: string }> | null;
}>;

/** The last entry read; reading continues after it. */
export type SitemapPosition = ProductPath & Readonly<{ version: FeedPosition | null }>;

export type SitemapBatch = Readonly<{
  /** By team and product, each followed by its versions, newest first. */
  entries: readonly SitemapEntry[];
  /** Null after the last batch. */
  end: SitemapPosition | null;
  /** The revision of the last public write. Batches with the same value show the same state. */
  writtenAt: number;
}>;

function sitemapPosition({ teamSlug, productSlug, version }: SitemapEntry): SitemapPosition {
  return {
    team: teamSlug,
    product: productSlug,
    version: version === null ? null : { sortKey: version.sortKey, id: version.id },
  };
}

type FoundRow = Readonly<{
  place: number;
  teamSlug: string;
  productSlug: string;
  domain: string | null;
  isPublic: 0 | 1;
  id: string | null;
  label: string | null;
  sortKey: string;
  updatedAt: string | null;
}>;

/** Starts at the beginning if the position is null. Always found. */
export async function findSitemapBatch(
  db: Reader,
  after: SitemapPosition | null,
  limit: number,
): Promise<AtRevision<SitemapBatch>> {
  const values = {
    team: after?.team ?? '',
    product: after?.product ?? '',
    sortKey: after?.version?.sortKey ?? ABOVE_ALL,
    id: after?.version?.id ?? '',
    limit,
  };
  const { revision, lastWrite, rows } = firstOf(await selectBatch(db, values));
  const found = JSON.parse(rows) as FoundRow[];
  const last = found.length < limit ? undefined : found.at(-1);
  return {
    revision,
    found: {
      entries: found.filter(({ isPublic }) => isPublic === 1).map(toEntry),
      end: last === undefined ? null : sitemapPosition(toEntry(last)),
      writtenAt: lastWrite ?? 0,
    },
  };
}

function toEntry({ teamSlug, productSlug, domain, id, label, sortKey, updatedAt }: FoundRow): SitemapEntry {
  const isVersion = id !== null && label !== null && updatedAt !== null;
  const version = isVersion ? { id, label, sortKey, updatedAt } : null;
  return { teamSlug, productSlug, domain, version };
}

/** Greater than every sort key. */
const ABOVE_ALL = '~~';

type BatchValues = ProductPath & FeedPosition & Readonly<{ limit: number }>;

const selectBatch = prepare((db, values: BatchValues) => {
  const { rowsAsJson, search } = dialectOf(db);
  const versions = search.selectOfEach(
    sql`steps`,
    sql`${publishedOf(sql.ref('each.changelog_id'), sql.ref('each.from_key'), sql.ref('each.from_id'))}
      order by f.sort_key desc, f.version_id limit ${values.limit}`,
    sql`each.place, each.team_slug, each.product_slug, each.domain, each.is_public, f.version_id, f.label, f.sort_key`,
  );
  // At most twice the limit: each product has at most the limit, and the one that reaches it is the last.
  const found = sql<Record<'team_slug' | 'product_slug' | 'sort_key', string> & FoundColumns>`(
    with recursive ${stepsSql(values)}
    select place, team_slug, product_slug, domain, is_public, null as id, null as label,
      ${sql.lit(ABOVE_ALL)} as sort_key from steps where is_listed = 1
    union all ${versions})`;
  return selectRevision(db)
    .select(lastPublicWrite)
    .select((eb) =>
      rowsAsJson(
        eb
          .selectFrom(found.as('found'))
          .select([
            'found.place',
            'found.team_slug as teamSlug',
            'found.product_slug as productSlug',
            'found.domain',
            'found.is_public as isPublic',
            'found.id',
            'found.label',
            'found.sort_key as sortKey',
            UPDATED_AT.as('updatedAt'),
          ])
          .orderBy('found.place')
          .orderBy('found.sort_key', 'desc')
          .orderBy('found.id')
          .limit(values.limit),
      ).as('rows'),
    );
});

/** Only for the batch's rows, after the limit. */
const UPDATED_AT = sql<
  string | null
>`(select coalesce(v.updated_at, v.published_at) from versions v where v.id = found.id)`;

type FoundColumns = Readonly<{ place: number; is_public: 0 | 1 }> &
  Record<'domain' | 'id' | 'label', string | null>;

/**
 * The products of a batch, each found from the one before it, until they have enough versions. `from_key` and `from_id`
 * are the version to start after; `is_listed` is whether the product itself belongs to the batch.
 */
function stepsSql({ team, product, sortKey, id, limit }: BatchValues): Sql {
  const slugs = sql`p.team_slug, p.product_slug`;
  const above = sql.lit(ABOVE_ALL);
  const isContinued = sql`p.team_slug = ${team} and p.product_slug = ${product}`;
  const versionCount = (fromKey: Sql, fromId: Sql) => sql`(select count(*) from
    (select 1 from version_facts f ${publishedOf(sql.ref('p.changelog_id'), fromKey, fromId)}
      order by f.sort_key desc limit ${limit}) counted)`;
  const columns = sql`${slugs}, ${DOMAIN}, p.changelog_id, ${IS_PUBLIC}`;
  const start = sql`select ${slugs}, p.team_id, p.product_id, p.changelog_id,
      case when ${isContinued} then cast(${sortKey} as text) else ${above} end as from_key,
      case when ${isContinued} then cast(${id} as text) else '' end as from_id,
      case when ${isContinued} then 0 else 1 end as is_listed
    from public_changelogs p where (${slugs}) >= (${team}, ${product}) order by ${slugs} limit 1`;
  const next = (condition: Sql) => sql`(select q.changelog_id from public_changelogs q where ${condition}
    order by q.team_slug, q.product_slug limit 1)`;
  // Two lookups: compared with columns, SQLite uses only the first of a pair.
  const nextId = sql`coalesce(
    ${next(sql`q.team_slug = steps.team_slug and q.product_slug > steps.product_slug`)},
    ${next(sql`q.team_slug > steps.team_slug`)})`;
  return sql`steps (place, team_slug, product_slug, domain, changelog_id, is_public, from_key, from_id, is_listed, taken) as (
    select 1, ${columns}, p.from_key, p.from_id, p.is_listed,
      p.is_listed + ${versionCount(sql.ref('p.from_key'), sql.ref('p.from_id'))} from (${start}) p
    union all
    select steps.place + 1, ${columns}, ${above}, '', 1, steps.taken + 1 + ${versionCount(above, sql.lit(''))}
      from steps cross join public_changelogs p
      where steps.taken < ${limit} and p.changelog_id = ${nextId})`;
}

const DOMAIN = sql`(select r.domain from products r where r.id = p.product_id)`;

/** A stale row in `public_changelogs` must not reveal anything. */
const IS_PUBLIC = sql`case when exists (select 1 from teams t where t.id = p.team_id and t.visibility = 'public')
  and exists (select 1 from products r where r.id = p.product_id and r.status = 'published'
    and r.team_id - p.team_id = 0)
  and exists (select 1 from changelogs c where c.id = p.changelog_id and c.status = 'published'
    and c.product_id - p.product_id = 0) then 1 else 0 end`;

const publishedOf = (changelogId: Sql, fromKey: Sql, fromId: Sql) => sql`where f.changelog_id = ${changelogId}
  and f.status = 'published' and f.sort_key <= ${fromKey} and (f.sort_key < ${fromKey} or f.version_id > ${fromId})`;
