// The queries behind the API. Each is one statement, so that each answer is of one moment.
import type { ExpressionBuilder } from 'kysely';
import type { ApiKey } from '../domain/access.ts';
import type { ChangeType, PublicationState, VersionState } from '../domain/model.ts';
import type { VisibleRows } from '../domain/visibility.ts';
import type { Reader } from './engine.ts';
import type { Bit, Tables } from './schema.ts';

export type ProductPath = Readonly<{ team: string; product: string }>;

/** What an answer was made from, and as of when: what must be touched for it to be out of date. */
export type Origin = Readonly<{ teamId: number; productId: number; revision: number }>;

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
  changes: readonly ChangeRow[];
}>;

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
): Promise<Feed | undefined> {
  const rows = await selectHead(db, path, visible)
    .leftJoin('versions', (join) =>
      join
        .onRef('versions.changelog_id', '=', 'changelogs.id')
        .$call((on) => (visible.version ? on.on('versions.status', '=', visible.version) : on)),
    )
    .select(SUMMARY_COLUMNS)
    .select(countChanges)
    .orderBy('versions.sort_key', 'desc')
    .orderBy('versions.id')
    .execute();
  const [head] = rows;
  if (head === undefined) return undefined;
  // A changelog without versions is one row with nothing on its right.
  return { head, versions: rows.filter((row): row is typeof row & VersionRow => row.id !== null) };
}

/** One version with its changes in the author's order, found only through its team, product and changelog (R4). */
export async function findVersion(
  db: Reader,
  path: ProductPath & { versionId: string },
  visible: VisibleRows,
): Promise<VersionDetail | undefined> {
  const rows = await selectHead(db, path, visible)
    .crossJoin('versions')
    .whereRef('versions.changelog_id', '=', 'changelogs.id')
    .where('versions.id', '=', path.versionId)
    .$call((query) => (visible.version ? query.where('versions.status', '=', visible.version) : query))
    .leftJoin('changes', 'changes.version_id', 'versions.id')
    .select(SUMMARY_COLUMNS)
    .select([
      'versions.description',
      'versions.yanked',
      'changes.id as changeId',
      'changes.type',
      'changes.text',
      'changes.breaking',
    ])
    .orderBy('changes.position')
    .execute();
  const [first] = rows;
  if (first === undefined) return undefined;
  return {
    head: first,
    version: first,
    changes: rows.flatMap(({ changeId, type, text, breaking }) =>
      changeId === null ? [] : [{ id: changeId, type, text, breaking } as ChangeRow],
    ),
  };
}

/** The key with this hash, with what it may read, or nothing. */
export async function findKey(db: Reader, hash: string): Promise<ApiKey | undefined> {
  const rows = await db
    .selectFrom('api_keys')
    .innerJoin('teams', 'teams.id', 'api_keys.team_id')
    .leftJoin('api_key_products', 'api_key_products.key_id', 'api_keys.id')
    .leftJoin('products', (join) =>
      join
        .onRef('products.id', '=', 'api_key_products.product_id')
        .onRef('products.team_id', '=', 'api_keys.team_id'),
    )
    .where('api_keys.hash', '=', hash)
    .select([
      'api_keys.id',
      'api_keys.kind',
      'api_keys.status',
      'teams.slug as team',
      'products.slug as product',
    ])
    .execute();
  const [first] = rows;
  if (first === undefined) return undefined;
  const { id, team, status, kind } = first;
  if (kind === 'FULL') return { id, team, status, kind };
  return { id, team, status, kind, products: rows.flatMap(({ product }) => product ?? []) };
}

/**
 * Goes down from the team. The joins are written as cross joins, which keeps SQLite from starting at the other end:
 * what is hidden further up is then never looked at further down (R9).
 */
function selectHead(db: Reader, path: ProductPath, visible: VisibleRows) {
  return db
    .selectFrom('teams')
    .crossJoin('products')
    .crossJoin('changelogs')
    .whereRef('products.team_id', '=', 'teams.id')
    .whereRef('changelogs.product_id', '=', 'products.id')
    .where('teams.slug', '=', path.team)
    .where('products.slug', '=', path.product)
    .$call((query) => (visible.team ? query.where('teams.visibility', '=', visible.team) : query))
    .$call((query) => (visible.product ? query.where('products.status', '=', visible.product) : query))
    .$call((query) => (visible.changelog ? query.where('changelogs.status', '=', visible.changelog) : query))
    .select((eb) => eb.selectFrom('revision').where('revision.id', '=', 1).select('value').as('revision'))
    .$narrowType<{ revision: number }>()
    .select([
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

function countChanges(eb: ExpressionBuilder<Tables, 'versions'>) {
  return eb
    .selectFrom('changes')
    .whereRef('changes.version_id', '=', 'versions.id')
    .select((inner) => inner.cast<number>(inner.fn.countAll(), 'integer').as('count'))
    .as('changeCount');
}
