// The API's queries. Each is one statement, so that a response shows one state of the content.
import { type Expression, sql } from 'kysely';
import type { ApiKey } from '../../domain/access/access.ts';
import type { VisibleRows } from '../../domain/access/visibility.ts';
import { andThen, type MaybePromise } from '../../domain/maybe-promise.ts';
import type { ChangeType, PublicationState, VersionState, Visibility } from '../../domain/model.ts';
import { dialectOf, type Sql } from '../engine/dialect.ts';
import type { Reader } from '../engine/engine.ts';
import { prepare } from '../engine/prepared.ts';
import type { Bit } from '../engine/schema.ts';
import type { ProductOrigin } from '../engine/touches.ts';

export type ProductPath = Readonly<{ team: string; product: string }>;

/** A query's result, undefined if nothing was found, and the revision it shows. */
export type AtRevision<T> = Readonly<{ revision: number; found: T | undefined }>;

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

export type Feed = Readonly<{ head: HeadRow; versions: readonly VersionRow[] }>;

export type VersionDetail = Readonly<{
  head: HeadRow;
  version: VersionRow & FullColumns;
  /** Whether its label with `.md` is another version's name; only known for pages. */
  isMarkdownTaken: boolean;
}> &
  ChangesPart;

/** Some of a version's changes: there may be very many, and other requests must not wait for all. */
export type ChangesPart = Readonly<{
  changes: readonly ChangeRow[];
  /** The position of the last one; null if there are no more. */
  end: number | null;
  /** The revision of the last visible write to the product. Reads with the same value show the same state. */
  writtenAt: number;
}>;

/** A key, the team whose writes invalidate it, and when it ends. */
export type KeyRow = ApiKey & Readonly<{ teamId: number; expiresAt: string | null }>;

export const HEAD_COLUMNS = [
  'teams.id as teamId',
  'products.id as productId',
  'teams.slug as teamSlug',
  'teams.name as teamName',
  'products.slug as productSlug',
  'products.name as productName',
  'changelogs.id as changelogId',
  'changelogs.name as changelogName',
  'changelogs.status as changelogStatus',
  'products.home_url as homeUrl',
  'products.base_url as linkBase',
  'products.repository_url as repositoryUrl',
  'products.logo',
  'products.image',
  'products.accent',
  'products.domain',
  'changelogs.language',
] as const;

export const SUMMARY_COLUMNS = [
  'versions.id',
  'versions.label',
  'versions.title',
  'versions.status',
  'versions.published_at as publishedAt',
] as const;

const TEXT_COLUMNS = [
  'versions.description',
  'versions.yanked',
  sql<string>`coalesce(versions.updated_at, versions.published_at)`.as('updatedAt'),
  'versions.compare_url as compareUrl',
] as const;

export const FULL_COLUMNS = [...TEXT_COLUMNS, 'versions.image'] as const;

function parseDetail(rows: readonly DetailRow[]): AtRevision<VersionDetail> {
  const row = firstOf(rows);
  const { revision } = row;
  if (row.id === null) return { revision, found: undefined };
  const read = JSON.parse(row.changes) as PlacedChange[];
  const changes = read.slice(0, FIRST_CHANGES_MAX);
  return {
    revision,
    found: {
      head: row as HeadRow,
      version: { ...row, image: row.versionImage } as VersionDetail['version'],
      isMarkdownTaken: row.takenBy != null,
      changes,
      end: read.length > changes.length ? (changes.at(-1)?.position ?? null) : null,
      writtenAt: row.writtenAt ?? 0,
    },
  };
}

type DetailRow = Awaited<ReturnType<ReturnType<typeof selectDetail>['execute']>>[number];

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

/** Most versions have no more. */
const FIRST_CHANGES_MAX = 20;

export type PlacedChange = ChangeRow & Readonly<{ position: number }>;

/** Finds the version whose id an expression gives; it may refer to the changelog as `changelogs.id`. */
export function prepareDetail<Values extends ProductPath>(
  idOf: (values: Values, visible: VisibleRows) => Expression<string>,
  { ofPage = false } = {},
) {
  const select = prepare((db, values: Values, visible: VisibleRows) =>
    selectDetail(db, values, visible, idOf(values, visible), ofPage),
  );
  return (db: Reader, values: Values, visible: VisibleRows) =>
    andThen(select(db, values, visible), parseDetail);
}

function selectDetail(
  db: Reader,
  path: ProductPath,
  visible: VisibleRows,
  versionId: Expression<string>,
  ofPage: boolean,
) {
  return joinVersion(db, path, visible, versionId)
    .select([...SUMMARY_COLUMNS, ...TEXT_COLUMNS])
    .select(['versions.change_count as changeCount', 'versions.image as versionImage'])
    .select(
      // One extra row shows whether there are more.
      dialectOf(db)
        .rowsAsJson(selectChanges(db).limit(sql.lit(FIRST_CHANGES_MAX + 1)))
        .as('changes'),
    )
    .$if(ofPage, (query) => query.select(markdownTakenBy));
}

/** The published version whose page is at the URL of `versions.label` as Markdown, with or without a leading `v`. */
const markdownTakenBy = sql<string | null>`(select min(v.id) from versions v
  where v.changelog_id = changelogs.id and v.status = 'published' and v.label in
    (versions.label || '.md', 'v' || versions.label || '.md', substr(versions.label, 2) || '.md'))`.as(
  'takenBy',
);

/** The changes of `versions.id`. */
export function selectChanges(db: Reader) {
  return db
    .selectFrom('changes')
    .where('changes.version_id', '=', sql.ref<string>('versions.id'))
    .select(['changes.id', 'changes.type', 'changes.text', 'changes.breaking', 'changes.position'])
    .orderBy('changes.position');
}

export function joinVersion(
  db: Reader,
  path: ProductPath,
  visible: VisibleRows,
  versionId: Expression<string>,
) {
  return selectHead(db, path, visible)
    .leftJoin('versions', (join) =>
      join
        .on('versions.id', '=', versionId)
        .on(isText('versions.changelog_id', sql.ref('changelogs.id')))
        .$call((on) => (visible.version ? on.on(isText('versions.status', sql.lit(visible.version))) : on)),
    )
    .select(writtenAt(db, visible));
}

const selectKey = prepare((db, { hash, now }: { hash: string; now: string }) =>
  selectRevision(db)
    .leftJoin('api_keys', (join) =>
      join
        .on('api_keys.status', '=', 'active')
        .on('api_keys.hash', '=', hash)
        // As in the index.
        .on(sql`coalesce(api_keys.expires_at, '~')`, '>', now),
    )
    .leftJoin('teams', 'teams.id', 'api_keys.team_id')
    .leftJoin('api_key_products', 'api_key_products.key_id', 'api_keys.id')
    .leftJoin('products', (join) =>
      join
        .onRef('products.id', '=', 'api_key_products.product_id')
        .onRef('products.team_id', '=', 'api_keys.team_id'),
    )
    .select([
      'api_keys.id',
      'api_keys.kind',
      'api_keys.status',
      'api_keys.expires_at as expiresAt',
      'teams.id as teamId',
      'teams.slug as team',
      'products.slug as product',
    ]),
);

/** Always returns a row, so that every query has its revision. */
export function selectRevision(db: Pick<Reader, 'selectFrom'>) {
  return db.selectFrom('revision').where('revision.id', '=', 1).select('revision.value as revision');
}

/**
 * The team, product and changelog at a path. On the public surface the path must be in `public_changelogs`, so that
 * hidden content at any level takes as long as missing content (R9).
 */
export function selectHead(db: Reader, path: ProductPath, visible: VisibleRows) {
  const found = visible.team ? joinPublic(db, path, visible) : joinAny(db, path);
  return found.select(HEAD_COLUMNS);
}

/** The language of a visible changelog. */
export function findLanguage(
  db: Reader,
  { team, product }: ProductPath,
  visible: VisibleRows,
): MaybePromise<string | null> {
  return andThen(selectOnlyHead(db, { team, product }, visible), (rows) => firstOf(rows).language);
}

const selectOnlyHead = prepare((db, path: ProductPath, visible: VisibleRows) =>
  selectHead(db, path, visible),
);

/** Joins from the team down. Left joins keep that order on both engines. */
function joinAny(db: Reader, path: ProductPath) {
  return selectRevision(db)
    .leftJoin('teams', (join) => join.on('teams.slug', '=', path.team))
    .leftJoin('products', (join) =>
      join.onRef('products.team_id', '=', 'teams.id').on('products.slug', '=', path.product),
    )
    .leftJoin('changelogs', 'changelogs.product_id', 'products.id');
}

/** Written so that no index applies: the row is found by its id, then compared. */
export const isSame = (one: string, other: string) => sql<boolean>`${sql.ref(one)} - ${sql.ref(other)} = 0`;
const isText = (one: string, other: Expression<string>) => sql<boolean>`${sql.ref(one)} || '' = ${other}`;

/** Also checks the states: a stale row in `public_changelogs` must not reveal anything. */
function joinPublic(db: Reader, path: ProductPath, visible: VisibleRows) {
  const found = selectRevision(db)
    .leftJoin('public_changelogs', (join) =>
      join
        .on('public_changelogs.team_slug', '=', path.team)
        .on('public_changelogs.product_slug', '=', path.product),
    )
    .leftJoin('teams', (join) =>
      join
        .onRef('teams.id', '=', 'public_changelogs.team_id')
        .on('teams.visibility', '=', visible.team as Visibility),
    )
    .leftJoin('products', (join) =>
      join
        .onRef('products.id', '=', 'public_changelogs.product_id')
        .on(isSame('products.team_id', 'teams.id'))
        .on('products.status', '=', visible.product as PublicationState),
    )
    .leftJoin('changelogs', (join) =>
      join
        .onRef('changelogs.id', '=', 'public_changelogs.changelog_id')
        .on(isSame('changelogs.product_id', 'products.id'))
        .on('changelogs.status', '=', visible.changelog as PublicationState),
    );
  return found as unknown as ReturnType<typeof joinAny>;
}

/** The revision of the product's last write that is visible on the surface. Looked up one by one: that is fastest. */
export function writtenAt(db: Reader, { version }: VisibleRows) {
  const revision = sql.ref(version ? 'public_revision' : 'revision');
  const last = (team: Sql, product: Sql) =>
    sql`coalesce((select ${revision} from touches where team_id = ${team} and product_id = ${product}), 0)`;
  const [all, team, product] = [sql.lit(0), sql.ref('teams.id'), sql.ref('products.id')];
  return sql<number>`${dialectOf(db).greatest}(${sql.join([last(all, all), last(team, all), last(team, product)])})`.as(
    'writtenAt',
  );
}

/** The revision of the last write to a team that is visible on the surface. */
export function lastWriteTo(teamId: Sql, { version }: VisibleRows) {
  const revision = sql.ref(version ? 'public_revision' : 'revision');
  const last = (id: Sql) => sql`select max(${revision}) as value from touches where team_id = ${id}`;
  return sql<
    number | null
  >`(select max(value) from (${last(sql.lit(0))} union all ${last(teamId)}) every)`.as('lastWrite');
}

/** The revision of the last public write. */
export const lastPublicWrite = sql<number | null>`(select max(public_revision) from touches)`.as('lastWrite');

export function firstOf<T>(rows: readonly T[]): T {
  const [first] = rows;
  if (first === undefined) throw new Error('the database has no revision: its schema is damaged');
  return first;
}
