// Lists, look-ups and counts for the command line: teams, products, changelogs, versions.
import { sql } from 'kysely';
import type { TeamContent } from '../../domain/content/content.ts';
import { lockedBy } from '../../domain/content/lifecycle.ts';
import type { PublicationState } from '../../domain/model.ts';
import type { Sql } from '../engine/dialect.ts';
import type { Reader, Writer } from '../engine/engine.ts';
import { CHANGELOGS, isAt, PRODUCTS, type Row, rowsOf, VERSIONS } from '../engine/rows.ts';
import { findTime, PUBLISHED_WITHIN_MS } from '../read/due.ts';
import type { ProductPath } from '../read/reads.ts';
import { productContent } from './content.ts';
import { notFoundError } from './not-found.ts';

export function listTeams(db: Reader | Writer, condition: Sql = sql`true`): Promise<TeamContent[]> {
  return rowsOf<TeamContent>(db)`
    select slug, name, visibility, plan from teams where ${condition} order by slug`;
}

export async function requireKnownTeam(db: Reader, slug: string): Promise<TeamContent> {
  const [team] = await listTeams(db, sql`slug = ${slug}`);
  if (team === undefined) throw await notFoundError(db, { team: slug });
  return team;
}

export async function listProducts(db: Reader, team: string) {
  const rows = await rowsOf<Row<'products'>>(db)`
    select p.* from ${PRODUCTS} where t.slug = ${team} order by p.slug`;
  return rows.map((row) => ({ team, ...productContent(row) }));
}

type ListedChangelog = Omit<Row<'changelogs'>, 'product_id' | 'description_mark'> &
  Readonly<{ team: string; product: string }>;

export function listChangelogs(db: Reader, team: string): Promise<ListedChangelog[]> {
  return rowsOf<ListedChangelog>(db)`
    select c.id, t.slug as team, p.slug as product, c.name, c.description, c.language, c.status
    from ${CHANGELOGS} where t.slug = ${team} order by p.slug`;
}

/** A version of a product, by id or else by label. */
export async function findVersionId(
  db: Reader | Writer,
  path: ProductPath,
  idOrLabel: string,
): Promise<string | undefined> {
  const rows = await rowsOf<{ id: string }>(db)`
    select v.id from ${VERSIONS} where ${isAt(path)} and (v.id = ${idOrLabel} or v.label = ${idOrLabel})`;
  return (rows.find(({ id }) => id === idOrLabel) ?? rows[0])?.id;
}

export async function requireVersionId(
  db: Reader | Writer,
  path: ProductPath,
  idOrLabel: string,
): Promise<string> {
  const id = await findVersionId(db, path, idOrLabel);
  if (id === undefined) throw await notFoundError(db, { ...path, version: idOrLabel });
  return id;
}

export type ScheduledVersion = Readonly<{
  id: string;
  version: string;
  title: string;
  publishAt: string;
  lockedBy: 'product' | 'changelog' | null;
  isOverdue: boolean;
}>;

type FoundSchedule = Pick<ScheduledVersion, 'id' | 'version' | 'title' | 'publishAt'> &
  Readonly<{ product: PublicationState; changelog: PublicationState }>;

/** Scheduled drafts (R50), the next one first. */
export async function listScheduled(db: Reader, path: ProductPath): Promise<ScheduledVersion[]> {
  const rows = await rowsOf<FoundSchedule | { id: null }>(db)`
    select v.id, v.label as version, v.title, v.publish_at as "publishAt", p.status as product, c.status as changelog
    from ${CHANGELOGS} left join versions v on v.changelog_id = c.id and v.publish_at is not null
    where ${isAt(path)} order by v.publish_at, v.id`;
  if (rows.length === 0) throw await notFoundError(db, path);
  const overdueFrom = await findTime(db, -PUBLISHED_WITHIN_MS);
  return rows
    .filter((row) => row.id !== null)
    .map(({ product, changelog, ...version }) => ({
      ...version,
      lockedBy: lockedBy(product, changelog),
      isOverdue: version.publishAt <= overdueFrom,
    }));
}

const count = (rows: Sql) => sql<number>`(select count(*) from ${rows})`;

type Counts<Name extends string> = Readonly<Record<Name, number>>;

export async function countAll(db: Reader) {
  const [counts] = await rowsOf<Counts<'teams' | 'products' | 'versions' | 'keys'>>(db)`
    select ${count(sql`teams`)} as teams, ${count(sql`products`)} as products,
      ${count(sql`versions`)} as versions, ${count(sql`api_keys`)} as keys`;
  return counts as NonNullable<typeof counts>;
}

export async function countOfTeam(db: Reader, slug: string) {
  const [counts] = await rowsOf<Counts<'products' | 'versions'>>(db)`
    select ${count(sql`products where team_id = teams.id`)} as products,
      ${count(sql`${VERSIONS} where t.id = teams.id`)} as versions
    from teams where slug = ${slug}`;
  if (counts === undefined) throw await notFoundError(db, { team: slug });
  return counts;
}

/** The products of a team that everyone can see (R7), each with the number of its published versions. */
export async function countPublic(trx: Writer, team: string): Promise<Map<string, number>> {
  const rows = await rowsOf<{ slug: string; versions: number }>(trx)`
    select p.slug, ${count(sql`versions v where v.changelog_id = c.id and v.status = 'published'`)} as versions
    from ${CHANGELOGS}
    where t.slug = ${team} and t.visibility = 'public' and p.status = 'published' and c.status = 'published'
    order by p.slug`;
  return new Map(rows.map(({ slug, versions }) => [slug, versions]));
}

/** Throws if the product is missing, or its changelog if it is needed. */
export async function countVersionsAt(
  db: Reader,
  path: ProductPath,
  { needsChangelog }: { needsChangelog: boolean },
): Promise<number> {
  const [row] = await rowsOf<{ id: string | null; versions: number }>(db)`
    select c.id, ${count(sql`versions where changelog_id = c.id`)} as versions
    from ${PRODUCTS} left join changelogs c on c.product_id = p.id where ${isAt(path)}`;
  if (row === undefined || (needsChangelog && row.id === null)) throw await notFoundError(db, path);
  return row.versions;
}

export async function countChangesOf(db: Reader, path: ProductPath, idOrLabel: string) {
  const id = await requireVersionId(db, path, idOrLabel);
  const [version] = await rowsOf<{ label: string; changes: number }>(db)`
    select label, change_count as changes from versions where id = ${id}`;
  return version as NonNullable<typeof version>;
}
