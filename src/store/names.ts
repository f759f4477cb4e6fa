// Versions by what people call them: a label, or `latest` (R31).
import { sql } from 'kysely';
import type { VisibleRows } from '../domain/visibility.ts';
import type { Reader } from './engine.ts';
import { prepare } from './prepared.ts';
import { type ProductPath, readDetail, type Seen, selectDetail, type VersionDetail } from './reads.ts';

const LATEST = 'latest';

export async function findVersionByName(
  db: Reader,
  path: ProductPath,
  name: string,
  visible: VisibleRows,
): Promise<Seen<VersionDetail>> {
  if (name === LATEST) return readDetail(await selectLatest(db, path, visible));
  const other = /^v[0-9]/.test(name) ? name.slice(1) : `v${name}`;
  return readDetail(await selectLabelled(db, { ...path, label: name, other }, visible));
}

/** With and without a `v` in front; what was asked for word by word is preferred. */
const selectLabelled = prepare(
  (db, values: ProductPath & Readonly<{ label: string; other: string }>, visible: VisibleRows) => {
    const state = visible.version ? sql`= ${sql.lit(visible.version)}` : sql`in ('draft', 'published')`;
    const labelled = (label: string) => sql<string>`(select f.version_id from version_facts f
      where f.changelog_id = changelogs.id and f.status ${state} and f.label = ${label})`;
    return selectDetail(
      db,
      values,
      visible,
      sql<string>`coalesce(${labelled(values.label)}, ${labelled(values.other)})`,
    );
  },
);

/** The highest that is published and no prerelease, or else the one that was published last. Drafts are never the latest. */
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
