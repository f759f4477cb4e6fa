// A changelog with everything in it, for the documents that hold it whole.
import { sql } from 'kysely';
import type { VisibleRows } from '../domain/visibility.ts';
import type { Reader } from './engine.ts';
import { prepare } from './prepared.ts';
import {
  firstOf,
  type HeadRow,
  type ProductPath,
  type Seen,
  SUMMARY_COLUMNS,
  selectHead,
  type VersionDetail,
} from './reads.ts';
import { rowsAsJson } from './schema-dialect.ts';

export type WholeVersion = VersionDetail['version'] & Pick<VersionDetail, 'changes'>;
export type WholeChangelog = Readonly<{ head: HeadRow; versions: readonly WholeVersion[] }>;

/** More than any changelog has. */
const ALL = 2_147_483_647;

/** The newest versions with their changes in the author's order, or all of them if there is no limit. */
export async function findWhole(
  db: Reader,
  path: ProductPath,
  visible: VisibleRows,
  limit: number | null,
): Promise<Seen<WholeChangelog>> {
  const rows = await selectWhole(db, { ...path, limit: limit ?? ALL }, visible);
  const { revision, versions, ...head } = firstOf(rows);
  if (head.changelogId === null) return { revision, found: undefined };
  return { revision, found: { head: head as HeadRow, versions: JSON.parse(versions).map(readVersion) } };
}

function readVersion(row: WholeVersion & { changes: string }): WholeVersion {
  return { ...row, changes: JSON.parse(row.changes) };
}

const selectWhole = prepare((db, path: ProductPath & Readonly<{ limit: number }>, visible: VisibleRows) =>
  selectHead(db, path, visible).select((eb) =>
    rowsAsJson(
      db,
      eb
        .selectFrom('versions')
        .whereRef('versions.changelog_id', '=', 'changelogs.id')
        .$call((query) => (visible.version ? query.where('versions.status', '=', visible.version) : query))
        .select([...SUMMARY_COLUMNS, 'versions.description', 'versions.yanked'])
        .select((inner) => {
          const changes = inner
            .selectFrom('changes')
            .whereRef('changes.version_id', '=', 'versions.id')
            .select(['changes.id', 'changes.type', 'changes.text', 'changes.breaking'])
            .orderBy('changes.position');
          // An array within an array is JSON to one engine and text to the other, unless it is made text for both.
          return sql<string>`cast(${rowsAsJson(db, changes)} as text)`.as('changes');
        })
        .orderBy('versions.sort_key', 'desc')
        .orderBy('versions.id')
        .limit(path.limit),
    ).as('versions'),
  ),
);
