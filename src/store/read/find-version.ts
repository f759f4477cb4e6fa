// One version, by its id or by what people call it: a label, or `latest` (R31).
import { sql } from 'kysely';
import type { VisibleRows } from '../../domain/access/visibility.ts';
import type { Reader } from '../engine/engine.ts';
import { prepare } from '../engine/prepared.ts';
import {
  type AtRevision,
  type DetailQuery,
  FIRST_POSITION,
  type ProductPath,
  readDetail,
  selectDetail,
  type VersionDetail,
} from './reads.ts';

const LATEST = 'latest';

/**
 * Found only through its team, product and changelog (R4), with its changes in the author's order: the first ones, or
 * those from a position that the read before has told.
 */
export async function findVersion(
  db: Reader,
  { team, product }: ProductPath,
  name: string,
  visible: VisibleRows,
  from = FIRST_POSITION,
): Promise<AtRevision<VersionDetail>> {
  const place = { team, product, from };
  if (name === LATEST) return readDetail(await selectLatest(db, place, visible));
  const other = /^v[0-9]/.test(name) ? name.slice(1) : `v${name}`;
  return readDetail(await selectNamed(db, { ...place, name, other }, visible));
}

/** An id wins over a label, and what was asked for word by word over the same with or without a `v` in front. */
const selectNamed = prepare(
  (db, values: DetailQuery & Readonly<{ name: string; other: string }>, visible: VisibleRows) => {
    const state = visible.version ? sql`= ${sql.lit(visible.version)}` : sql`in ('draft', 'published')`;
    // Where states differ as a range and in order: no engine takes the primary key for that, which would find what is
    // hidden, too, and then compare its state.
    const isNamed = visible.version
      ? sql`v.id >= ${values.name} and v.id <= ${values.name} order by v.id limit 1`
      : sql`v.id = ${values.name}`;
    const identified = sql<string>`(select v.id from versions v
      where v.changelog_id = changelogs.id and v.status ${state} and ${isNamed})`;
    const labelled = (label: string) => sql<string>`(select f.version_id from version_facts f
      where f.changelog_id = changelogs.id and f.status ${state} and f.label = ${label})`;
    const id = sql<string>`coalesce(${identified}, ${labelled(values.name)}, ${labelled(values.other)})`;
    return selectDetail(db, values, visible, id);
  },
);

/** The highest that is published and no prerelease, or else the one that was published last. Drafts are never the latest. */
const selectLatest = prepare((db, place: DetailQuery, visible: VisibleRows) => {
  const published = sql`select f.version_id from version_facts f
    where f.changelog_id = changelogs.id and f.status = 'published'`;
  return selectDetail(
    db,
    place,
    visible,
    sql<string>`coalesce(
      (${published} and f.version_order is not null and f.is_prerelease = 0
        order by f.version_order desc, f.sort_key desc, f.version_id limit 1),
      (${published} order by f.sort_key desc, f.version_id limit 1))`,
  );
});
