// One version, by its id, its label or `latest` (R31).
import { sql } from 'kysely';
import type { VisibleRows } from '../../domain/access/visibility.ts';
import { andThen, type MaybePromise } from '../../domain/maybe-promise.ts';
import type { Reader } from '../engine/engine.ts';
import { prepare } from '../engine/prepared.ts';
import { type AtRevision, type ProductPath, parseDetail, selectDetail, type VersionDetail } from './reads.ts';

export const LATEST = 'latest';

/** Finds a version within its team, product and changelog (R4), with its first changes in the author's order. */
export function findVersion(
  db: Reader,
  { team, product }: ProductPath,
  name: string,
  visible: VisibleRows,
): MaybePromise<AtRevision<VersionDetail>> {
  if (name === LATEST) return andThen(selectLatest(db, { team, product }, visible), parseDetail);
  const other = /^v[0-9]/.test(name) ? name.slice(1) : `v${name}`;
  return andThen(selectNamed(db, { team, product, name, other }, visible), parseDetail);
}

/** An id takes precedence over a label, and an exact label over one with or without a leading `v`. */
const selectNamed = prepare(
  (db, values: ProductPath & Readonly<{ name: string; other: string }>, visible: VisibleRows) => {
    const state = visible.version ? sql`= ${sql.lit(visible.version)}` : sql`in ('draft', 'published')`;
    // A range with an order, on the public surface, keeps the engines from using the primary key, which would find
    // hidden versions first and check their state afterwards.
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

/** The highest published version that is not a prerelease, or else the last one published. Never a draft. */
const selectLatest = prepare((db, path: ProductPath, visible: VisibleRows) => {
  const published = sql`select f.version_id from version_facts f
    where f.changelog_id = changelogs.id and f.status = 'published'`;
  return selectDetail(
    db,
    path,
    visible,
    sql<string>`coalesce(
      (${published} and f.version_order is not null and f.is_prerelease = 0
        order by f.version_order desc, f.sort_key desc, f.version_id limit 1),
      (${published} order by f.sort_key desc, f.version_id limit 1))`,
  );
});
