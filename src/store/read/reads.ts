// The API's queries. Each is one statement, so that a response shows one state of the content.
import { sql } from 'kysely';
import type { ApiKey } from '../../domain/access/access.ts';
import type { VisibleRows } from '../../domain/access/visibility.ts';
import { andThen, type MaybePromise } from '../../domain/maybe-promise.ts';
import type { ChangeType, PublicationState, VersionState } from '../../domain/model.ts';
import { dialectOf, type Fields, type Sql } from '../engine/dialect.ts';
import type { Reader } from '../engine/engine.ts';
import { prepare } from '../engine/prepared.ts';
import { firstOf } from '../engine/revisions.ts';
import type { Bit } from '../engine/schema.ts';
import type { ProductOrigin } from '../engine/touches.ts';

export type ProductPath = Readonly<{ team: string; product: string }>;

/** A query's result, undefined if nothing was found, and the revision it shows. */
export type AtRevision<T> = Readonly<{ revision: number; found: T | undefined }>;

/** What was read of a product. */
export type AtState = Readonly<{
  /** The revision of the last visible write to it. Reads with the same value show the same state. */
  writtenAt: number;
}>;

export type HeadRow = ProductOrigin &
  Readonly<{
    teamSlug: string;
    teamName: string;
    productSlug: string;
    productName: string;
    changelogId: string;
    changelogName: string;
    changelogStatus: PublicationState;
    /** The product's own site. */
    homeUrl: string | null;
    /** The base for relative links in its texts. */
    linkBase: string | null;
    /** Where its code is: `#123` and commit hashes in its texts lead there (R62). */
    repositoryUrl: string | null;
    logo: string | null;
    /** An https: or data: URL (R63). */
    image: string | null;
    accent: string | null;
    /** The host name that its pages have for themselves (R60). */
    domain: string | null;
    /** BCP 47. */
    language: string;
  }>;

export type VersionRow = Readonly<{
  id: string;
  label: string;
  title: string;
  status: VersionState;
  publishedAt: string | null;
  changeCount: number;
}>;

/** One that is recommended, unless `yanked` says why not. */
export type LatestVersionRow = VersionRow & Readonly<{ yanked: Bit }>;

/** What the record of a version has besides its summary. */
export type FullColumns = Readonly<{
  description: string | null;
  yanked: Bit;
  updatedAt: string;
  /** All changes to the code since the version before. */
  compareUrl: string | null;
  /** An https: or data: URL (R63). */
  image: string | null;
}>;

export type ChangeRow = Readonly<{ id: string; type: ChangeType; text: string; breaking: Bit }>;

export type VersionDetail = Readonly<{
  head: HeadRow;
  version: VersionRow & FullColumns;
}> &
  ChangesPart;

/** Some of a version's changes: there may be very many, and other requests must not wait for all. */
export type ChangesPart = AtState &
  Readonly<{
    changes: readonly ChangeRow[];
    /** The position of the last one; null if there are no more. */
    end: number | null;
  }>;

/** A key, the team whose writes invalidate it, and when it ends. */
export type KeyRow = ApiKey & Readonly<{ teamId: number; expiresAt: string | null }>;

/** Of a `HeadRow`. */
export const HEAD = {
  teamId: sql.ref('teams.id'),
  productId: sql.ref('products.id'),
  teamSlug: 'teams.slug',
  teamName: 'teams.name',
  productSlug: 'products.slug',
  productName: 'products.name',
  changelogId: 'changelogs.id',
  changelogName: 'changelogs.name',
  changelogStatus: 'changelogs.status',
  homeUrl: 'products.home_url',
  linkBase: 'products.base_url',
  repositoryUrl: 'products.repository_url',
  logo: 'products.logo',
  image: 'products.image',
  accent: 'products.accent',
  domain: 'products.domain',
  language: 'changelogs.language',
} satisfies Fields;

/** Of a `VersionRow`, in the order of the API's record. */
export const SUMMARY = {
  id: 'versions.id',
  label: 'versions.label',
  title: 'versions.title',
  status: 'versions.status',
  publishedAt: 'versions.published_at',
  changeCount: sql.ref('versions.change_count'),
} satisfies Fields;

/** Of `FullColumns`. */
export const FULL = {
  description: 'versions.description',
  yanked: sql.ref('versions.yanked'),
  updatedAt: sql`coalesce(versions.updated_at, versions.published_at)`,
  compareUrl: 'versions.compare_url',
  image: 'versions.image',
} satisfies Fields;

/**
 * A query about the changelog at a path: finds its head and further fields, if it is visible. On the public surface the
 * path must be in `public_changelogs`, so that hidden content at any level takes as long as missing content (R9). `joined`
 * joins what the fields need to the tables of the head.
 */
export function prepareAt<Values extends ProductPath, Row, Options = undefined>(
  fieldsOf: (db: Reader, values: Values, visible: VisibleRows, options: Options) => Fields,
  joined: (values: Values, visible: VisibleRows) => Sql = () => sql``,
) {
  const select = prepare((db, values: Values, visible, options: Options) => {
    const further = fieldsOf(db, values, visible, options);
    const fields = { revision: sql.ref('revision.value'), ...HEAD, ...further };
    return sql<
      HeadRow & Row & Readonly<{ revision: number }>
    >`select ${dialectOf(db).pack(fields)} from revision
      ${visible.team ? joinPublic(values) : joinAny(values)} ${joined(values, visible)} where revision.id = 1`;
  });
  return (...call: Parameters<typeof select>): MaybePromise<AtRevision<HeadRow & Row>> =>
    andThen(select(...call), (rows) => {
      const row = firstOf(rows);
      return { revision: row.revision, found: row.changelogId === null ? undefined : row };
    });
}

/** Joins from the team down. Left joins keep that order on both engines, and always return a row with the revision. */
const joinAny = ({ team, product }: ProductPath) => sql`left join teams on teams.slug = ${team}
  left join products on products.team_id = teams.id and products.slug = ${product}
  left join changelogs on changelogs.product_id = products.id`;

/**
 * Also checks the states: a stale row in `public_changelogs` must not reveal anything. Differences, so that no index
 * applies: the row is found by its id, then compared.
 */
const joinPublic = ({ team, product }: ProductPath) => sql`
  left join public_changelogs on public_changelogs.team_slug = ${team} and public_changelogs.product_slug = ${product}
  left join teams on teams.id = public_changelogs.team_id and teams.visibility = 'public'
  left join products on products.id = public_changelogs.product_id and products.team_id - teams.id = 0
    and products.status = 'published'
  left join changelogs on changelogs.id = public_changelogs.changelog_id and changelogs.product_id - products.id = 0
    and changelogs.status = 'published'`;

/** Joins the version of `changelogs.id` whose id an expression gives, if it is visible. */
export const joinVersion = (id: Sql, visible: VisibleRows) => sql`left join versions on versions.id = ${id}
  and versions.changelog_id || '' = changelogs.id ${ofState(visible, sql`versions.status || ''`)}`;

/** A further condition on the state of a version. */
export const ofState = ({ version }: VisibleRows, status: Sql) =>
  version ? sql`and ${status} = ${sql.lit(version)}` : sql``;

/** Of `AtState`. Looked up one by one: that is fastest. */
export function lastWrite(db: Reader, { version }: VisibleRows) {
  const revision = sql.ref(version ? 'public_revision' : 'revision');
  const last = (team: Sql, product: Sql) =>
    sql`coalesce((select ${revision} from touches where team_id = ${team} and product_id = ${product}), 0)`;
  const [all, team, product] = [sql.lit(0), sql.ref('teams.id'), sql.ref('products.id')];
  return sql<number>`${dialectOf(db).greatest}(${sql.join([last(all, all), last(team, all), last(team, product)])})`;
}

/** What was found, as something else. */
export const mapFound = <T, Next>(
  result: MaybePromise<AtRevision<T>>,
  map: (found: T) => Next | undefined,
): MaybePromise<AtRevision<Next>> =>
  andThen(result, ({ revision, found }) => ({
    revision,
    found: found === undefined ? undefined : map(found),
  }));

/** The language of a visible changelog. */
export const findLanguage = (db: Reader, { team, product }: ProductPath, visible: VisibleRows) =>
  andThen(readHead(db, { team, product }, visible), ({ found }) => found?.language ?? null);

const readHead = prepareAt<ProductPath, unknown>(() => ({}));

/**
 * The key with this hash that is active at a time, and what it may read. The query never visits a disabled or expired
 * key, which therefore takes as long as an unknown one (R5).
 */
export function findKey(db: Reader, hash: string, now: string): MaybePromise<AtRevision<KeyRow>> {
  return andThen(selectKey(db, { hash, now }), (rows) => {
    const { revision, product: _, ...key } = firstOf(rows);
    if (key.team === null) return { revision, found: undefined };
    const products = rows.flatMap(({ product }) => product ?? []);
    return { revision, found: (key.kind === 'FULL' ? key : { ...key, products }) as KeyRow };
  });
}

type FoundKey = Omit<KeyRow, 'products'> & Readonly<{ revision: number; product: string | null }>;

/** The time is compared as in the index. */
const selectKey = prepare(
  (
    _,
    { hash, now }: Readonly<{ hash: string; now: string }>,
  ) => sql<FoundKey>`select revision.value as revision,
    api_keys.id, api_keys.kind, api_keys.status, api_keys.expires_at as "expiresAt", teams.id as "teamId",
    teams.slug as team, products.slug as product
  from revision
  left join api_keys on api_keys.status = 'active' and api_keys.hash = ${hash}
    and coalesce(api_keys.expires_at, '~') > ${now}
  left join teams on teams.id = api_keys.team_id
  left join api_key_products on api_key_products.key_id = api_keys.id
  left join products on products.id = api_key_products.product_id and products.team_id = api_keys.team_id
  where revision.id = 1`,
);
