// The queries behind the API. Each is one statement, so that each answer is of one moment.
import { type Expression, sql } from 'kysely';
import type { ApiKey } from '../../domain/access/access.ts';
import type { VisibleRows } from '../../domain/access/visibility.ts';
import type { ChangeType, PublicationState, VersionState, Visibility } from '../../domain/model.ts';
import type { Reader } from '../engine/engine.ts';
import { prepare } from '../engine/prepared.ts';
import type { Bit } from '../engine/schema.ts';
import { rowsAsJson } from '../engine/schema-dialect.ts';
import type { Origin } from '../engine/touches.ts';

export type ProductPath = Readonly<{ team: string; product: string }>;

/** What there was, or that there was nothing, and the revision of the content that it was read at. */
export type AtRevision<T> = Readonly<{ revision: number; found: T | undefined }>;

/** The team, product and changelog that everything below stands in. */
export type HeadRow = Origin &
  Readonly<{
    teamSlug: string;
    teamName: string;
    productSlug: string;
    productName: string;
    changelogId: string;
    changelogName: string;
    changelogStatus: PublicationState;
  }>;

export type VersionRow = Readonly<{
  id: string;
  label: string;
  title: string;
  status: VersionState;
  publishedAt: string | null;
  changeCount: number;
}>;

export type ChangeRow = Readonly<{ id: string; type: ChangeType; text: string; breaking: Bit }>;

export type Feed = Readonly<{ head: HeadRow; versions: readonly VersionRow[] }>;

export type VersionDetail = Readonly<{
  head: HeadRow;
  version: Omit<VersionRow, 'changeCount'> & Readonly<{ description: string | null; yanked: Bit }>;
  /** Some of them at a time: a version may have very many, and nobody should wait for all. */
  changes: readonly ChangeRow[];
  /** The position from which the others are; null if there are none. */
  next: number | null;
  /** The revision of the last write to the product that the surface shows: reads that share it show one state of it. */
  writtenAt: number;
}>;

/** A key and the team whose touches say when to read it again. */
export type KeyRow = ApiKey & Readonly<{ teamId: number }>;

const SUMMARY_COLUMNS = [
  'versions.id',
  'versions.label',
  'versions.title',
  'versions.status',
  'versions.published_at as publishedAt',
] as const;

/** A changelog with its versions in the order they are shown, or nothing if it is not among the visible rows. */
export async function findFeed(
  db: Reader,
  path: ProductPath,
  visible: VisibleRows,
): Promise<AtRevision<Feed>> {
  const { revision, versions, ...head } = firstOf(await selectFeed(db, path, visible));
  if (head.changelogId === null) return { revision, found: undefined };
  return { revision, found: { head: head as HeadRow, versions: JSON.parse(versions) } };
}

export function readDetail(rows: readonly DetailRow[]): AtRevision<VersionDetail> {
  const { revision, changes: text, writtenAt: lastWrite, ...row } = firstOf(rows);
  if (row.id === null) return { revision, found: undefined };
  const read = JSON.parse(text) as (ChangeRow & { position: number })[];
  const next = read[CHANGES_AT_ONCE]?.position ?? null;
  const changes = read.slice(0, CHANGES_AT_ONCE);
  return {
    revision,
    found: {
      head: row as HeadRow,
      version: row as VersionDetail['version'],
      changes,
      next,
      writtenAt: lastWrite ?? 0,
    },
  };
}

type DetailRow = Awaited<ReturnType<ReturnType<typeof selectDetail>['execute']>>[number];

/**
 * The active key with this hash, with what it may read, or nothing. A disabled one is looked for under another state, and
 * so costs what an unknown one does (R5).
 */
export async function findKey(db: Reader, hash: string): Promise<AtRevision<KeyRow>> {
  const rows = await selectKey(db, { hash });
  const { revision, product: _, ...key } = firstOf(rows);
  if (key.team === null) return { revision, found: undefined };
  const products = rows.flatMap(({ product }) => product ?? []);
  return { revision, found: (key.kind === 'FULL' ? key : { ...key, products }) as KeyRow };
}

const selectFeed = prepare((db, path: ProductPath, visible: VisibleRows) =>
  selectHead(db, path, visible).select((eb) =>
    rowsAsJson(
      db,
      eb
        .selectFrom('versions')
        .whereRef('versions.changelog_id', '=', 'changelogs.id')
        .$call((query) => (visible.version ? query.where('versions.status', '=', visible.version) : query))
        .select([...SUMMARY_COLUMNS, 'versions.change_count as changeCount'])
        .orderBy('versions.sort_key', 'desc')
        .orderBy('versions.id'),
    ).as('versions'),
  ),
);

const CHANGES_AT_ONCE = 20;
/** Lower than that of any change. */
export const FIRST_POSITION = -2_147_483_648;

/** Where a version is looked for, and the position that its changes are read from. */
export type DetailQuery = ProductPath & Readonly<{ from: number }>;

/** The version whose id is told by an expression, in which `changelogs.id` is the changelog that was found. */
export function selectDetail(
  db: Reader,
  place: DetailQuery,
  visible: VisibleRows,
  versionId: Expression<string>,
) {
  return selectHead(db, place, visible)
    .leftJoin('versions', (join) =>
      join
        .on('versions.id', '=', versionId)
        .on(isText('versions.changelog_id', sql.ref('changelogs.id')))
        .$call((on) => (visible.version ? on.on(isText('versions.status', sql.lit(visible.version))) : on)),
    )
    .select([...SUMMARY_COLUMNS, 'versions.description', 'versions.yanked'])
    .select(writtenAt(visible))
    .select((eb) =>
      rowsAsJson(
        db,
        eb
          .selectFrom('changes')
          .whereRef('changes.version_id', '=', 'versions.id')
          .where('changes.position', '>=', place.from)
          .select(['changes.id', 'changes.type', 'changes.text', 'changes.breaking', 'changes.position'])
          .orderBy('changes.position')
          // One more tells whether there are more.
          .limit(sql.lit(CHANGES_AT_ONCE + 1)),
      ).as('changes'),
    );
}

const selectKey = prepare((db, { hash }: { hash: string }) =>
  selectRevision(db)
    .leftJoin('api_keys', (join) => join.on('api_keys.status', '=', 'active').on('api_keys.hash', '=', hash))
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
      'teams.id as teamId',
      'teams.slug as team',
      'products.slug as product',
    ]),
);

/** One row at least, whatever is not found: every read says as of which revision. */
function selectRevision(db: Reader) {
  return db.selectFrom('revision').where('revision.id', '=', 1).select('revision.value as revision');
}

/**
 * The team, the product and the changelog at a path. The public surface looks for the path among what is public all the
 * way: whatever is hidden, at whichever level, is not there, and costs exactly what nothing at all costs (R9).
 */
export function selectHead(db: Reader, path: ProductPath, visible: VisibleRows) {
  const found = visible.team ? joinPublic(db, path, visible) : joinAny(db, path);
  return found.select([
    'teams.id as teamId',
    'products.id as productId',
    'teams.slug as teamSlug',
    'teams.name as teamName',
    'products.slug as productSlug',
    'products.name as productName',
    'changelogs.id as changelogId',
    'changelogs.name as changelogName',
    'changelogs.status as changelogStatus',
  ]);
}

/**
 * Goes down from the team. What is not found at one level has nothing below it, and the engines never turn such a join
 * around.
 */
function joinAny(db: Reader, path: ProductPath) {
  return selectRevision(db)
    .leftJoin('teams', (join) => join.on('teams.slug', '=', path.team))
    .leftJoin('products', (join) =>
      join.onRef('products.team_id', '=', 'teams.id').on('products.slug', '=', path.product),
    )
    .leftJoin('changelogs', 'changelogs.product_id', 'products.id');
}

/** In words that no index answers to, so that a row is found by its id alone, and compared then. */
const isSame = (one: string, other: string) => sql<boolean>`${sql.ref(one)} - ${sql.ref(other)} = 0`;
const isText = (one: string, other: Expression<string>) => sql<boolean>`${sql.ref(one)} || '' = ${other}`;

/** The states are asked for as well: nothing would show for a row too many in the table of what is public. */
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

/** When the product that a head was found for was last written to, as far as the surface shows it. */
export function writtenAt({ version }: VisibleRows) {
  const revision = sql.ref(version ? 'touches.public_revision' : 'touches.revision');
  return sql<number | null>`(select max(${revision}) from touches
    where touches.team_id in (0, teams.id) and touches.product_id in (0, products.id))`.as('writtenAt');
}

export function firstOf<T>(rows: readonly T[]): T {
  const [first] = rows;
  if (first === undefined) throw new Error('the database has no revision: its schema is damaged');
  return first;
}
