// What the page of a changelog offers to choose from: filters with their counts, and a menu of versions. As many rows,
// however many versions there are.
import { sql } from 'kysely';
import type { VisibleRows } from '../../domain/access/visibility.ts';
import { CHANGE_TYPES, type ChangeType } from '../../domain/model.ts';
import { majorNumber, versionOrder } from '../../domain/version-order.ts';
import { dialectOf, type Sql } from '../engine/dialect.ts';
import type { Reader } from '../engine/engine.ts';
import { prepare } from '../engine/prepared.ts';
import { publishedAsJson } from './find-feed.ts';
import { type AtRevision, firstOf, type ProductPath, selectHead, writtenAt } from './reads.ts';

/** How many published versions there are; `mark` limits them to those with a change of a type, or a breaking one. */
export type Facet = Readonly<{
  /** In UTC, with four digits; empty for all years. */
  year: string;
  mark: '' | ChangeType | 'breaking';
  versions: number;
}>;

/** `major` is the first number of the version; null for a label that is not one. */
export type MenuVersion = Readonly<{ id: string; label: string; major: string | null }>;

export type Outline = Readonly<{
  /** All years first, then the newest year; without those that no version has. */
  facets: readonly Facet[];
  /** All published versions. */
  versionCount: number;
  /** The newest published versions, in the order of the page. */
  menu: readonly MenuVersion[];
  /** The newest version of each major version that is not in the menu, the highest first. */
  olderMajors: readonly (MenuVersion & Readonly<{ major: string }>)[];
  /** The revision of the last visible write to the product. Reads with the same value show the same state. */
  writtenAt: number;
}>;

/** The newest ones have facets of their own. */
export const YEARS_MAX = 100;
export const MENU_VERSIONS_MAX = 100;
export const OLDER_MAJORS_MAX = 50;
/** The highest ones: the menu rarely has more than ten. Each takes two look-ups. */
const MAJORS_READ_MAX = 60;

export async function findOutline(
  db: Reader,
  path: ProductPath,
  visible: VisibleRows,
): Promise<AtRevision<Outline>> {
  const row = firstOf(await selectOutline(db, path, visible));
  const { revision, writtenAt: lastWrite } = row;
  if (row.changelogId === null) return { revision, found: undefined };
  const facets = (JSON.parse(row.facets) as Facet[]).sort(
    (one, other) => Number(one.year !== '') - Number(other.year !== '') || (one.year < other.year ? 1 : -1),
  );
  const menu = (JSON.parse(row.menu) as Named[]).map(toMenuVersion);
  const inMenu = new Set(menu.map(({ major }) => major));
  const olderMajors = (JSON.parse(row.majors) as Named[])
    .map(toMenuVersion)
    .filter((version): version is Outline['olderMajors'][number] => !inMenu.has(version.major))
    .sort((one, other) => Number(other.major) - Number(one.major))
    .slice(0, OLDER_MAJORS_MAX);
  const versionCount = facets.find(({ year, mark }) => year === '' && mark === '')?.versions ?? 0;
  return { revision, found: { facets, versionCount, menu, olderMajors, writtenAt: lastWrite ?? 0 } };
}

/** The years that have published versions, newest first. */
export const yearsOf = ({ facets }: Pick<Outline, 'facets'>): string[] =>
  facets.filter(({ year, mark }) => year !== '' && mark === '').map(({ year }) => year);

/** The types of change that published versions have. */
export const typesOf = ({ facets }: Pick<Outline, 'facets'>): ChangeType[] =>
  CHANGE_TYPES.filter((type) => facets.some(({ mark }) => mark === type));

/** The newest versions, then the newest of each older major version. */
export const menuOf = ({ menu, olderMajors }: Pick<Outline, 'menu' | 'olderMajors'>): MenuVersion[] => [
  ...menu,
  ...olderMajors,
];

type Named = Readonly<{ id: string; label: string }>;

function toMenuVersion({ id, label }: Named): MenuVersion {
  const order = versionOrder(label);
  return { id, label, major: order && majorNumber(order) };
}

const selectOutline = prepare((db, path: ProductPath, visible: VisibleRows) => {
  const { rowsAsJson } = dialectOf(db);
  return selectHead(db, path, visible)
    .select(writtenAt(visible))
    .select((eb) => [
      rowsAsJson(eb.selectFrom(FACETS.as('found')).select(['found.year', 'found.mark', 'found.versions'])).as(
        'facets',
      ),
      publishedAsJson(
        db,
        eb
          .selectFrom('versions')
          .whereRef('versions.changelog_id', '=', 'changelogs.id')
          .select(['versions.id', 'versions.label'])
          .limit(sql.lit(MENU_VERSIONS_MAX)),
      ).as('menu'),
      rowsAsJson(eb.selectFrom(majorsSql(db).as('found')).select(['found.id', 'found.label'])).as('majors'),
    ]);
});

const ofChangelog = (facets: string, conditions: Sql = sql``) =>
  sql`from version_facets ${sql.ref(facets)} where ${sql.ref(facets)}.changelog_id = changelogs.id ${conditions}`;

const FACETS = sql<Facet>`(
  select '' as year, k.mark, sum(k.versions) as versions ${ofChangelog('k')} group by k.mark
  union all select k.year, k.mark, k.versions ${ofChangelog('k')} and k.year >= coalesce(
    (select y.year ${ofChangelog('y', sql`and y.mark = ''`)} order by y.year desc
      limit 1 offset ${sql.lit(YEARS_MAX - 1)}), ''))`;

/** Each major version is found from the one above it. */
function majorsSql(db: Reader) {
  const published = sql`f.changelog_id = changelogs.id and f.status = 'published'`;
  const highest = (condition: Sql) =>
    sql`(select max(f.major) from version_facts f where ${published} ${condition})`;
  const hasMore = sql`(select sum(k.versions) ${ofChangelog('k', sql`and k.mark = ''`)})
    > ${sql.lit(MENU_VERSIONS_MAX)}`;
  const each = sql`(with recursive majors (major, number) as (
      select case when ${hasMore} then ${highest(sql``)} end, 1 union all
      select ${highest(sql`and f.major < majors.major`)}, majors.number + 1 from majors
        where majors.major is not null and majors.number < ${sql.lit(MAJORS_READ_MAX)})
    select major from majors where major is not null)`;
  const newest = sql`where ${published} and f.major = each.major order by f.sort_key desc, f.version_id limit 1`;
  const columns = sql`f.version_id as id, f.label`;
  return sql<Named>`(${dialectOf(db).search.selectOfEach(each, newest, columns)})`;
}
