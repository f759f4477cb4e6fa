// A version's changes after its first ones.
import { sql } from 'kysely';
import type { VisibleRows } from '../../domain/access/visibility.ts';
import { dialectOf } from '../engine/dialect.ts';
import type { Reader } from '../engine/engine.ts';
import { prepare } from '../engine/prepared.ts';
import {
  type AtRevision,
  type ChangesPart,
  firstOf,
  joinVersion,
  type PlacedChange,
  type ProductPath,
  selectChanges,
} from './reads.ts';

/** SQLite reads either amount in a few milliseconds, during which nobody else is served. */
const PART_CHANGES_MAX = 1_000;
const PART_TEXT_BYTES_MAX = 512 * 1024;

/** A version already read, and the position to read after. */
type MoreQuery = ProductPath & Readonly<{ versionId: string; after: number }>;

/** The next part. It ends with the change that reaches one of the limits. */
export async function findMoreChanges(
  db: Reader,
  query: MoreQuery,
  visible: VisibleRows,
): Promise<AtRevision<ChangesPart>> {
  const { revision, last, writtenAt, ...row } = firstOf(await selectMore(db, query, visible));
  const changes = JSON.parse(row.changes) as PlacedChange[];
  const end = changes.at(-1)?.position;
  if (end === undefined) return { revision, found: undefined };
  return { revision, found: { changes, end: end === last ? null : end, writtenAt: writtenAt ?? 0 } };
}

const selectMore = prepare((db, values: MoreQuery, visible: VisibleRows) => {
  const { versionId, after } = values;
  // Found once, by the parameter and not by `versions.id`. Lengths are known without reading the texts.
  const end = sql<number>`(select max(position) from
    (select position, sum(bytes) over (order by position) - bytes as bytes_before from
      (select position, octet_length(text) as bytes from changes
        where version_id = ${versionId} and position > ${after}
        order by position limit ${sql.lit(PART_CHANGES_MAX)}) sized) part
    where bytes_before < ${sql.lit(PART_TEXT_BYTES_MAX)})`;
  const part = selectChanges(db).where('changes.position', '>', after).where('changes.position', '<=', end);
  return joinVersion(db, values, visible, sql<string>`${versionId}`).select([
    dialectOf(db).rowsAsJson(part).as('changes'),
    sql<number>`(select max(position) from changes where version_id = versions.id)`.as('last'),
  ]);
});
