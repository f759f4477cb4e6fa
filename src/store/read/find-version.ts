// One version, by its id, its label or `latest` (R31).
import { type Expression, sql } from 'kysely';
import type { VisibleRows } from '../../domain/access/visibility.ts';
import { andThen, type MaybePromise } from '../../domain/maybe-promise.ts';
import { LATEST, otherLabel } from '../../domain/version-names.ts';
import type { Sql } from '../engine/dialect.ts';
import type { Reader } from '../engine/engine.ts';
import { prepare } from '../engine/prepared.ts';
import type { Bit } from '../engine/schema.ts';
import {
  type AtRevision,
  firstOf,
  type HeadRow,
  joinVersion,
  type ProductPath,
  prepareDetail,
  type VersionDetail,
} from './reads.ts';

/** Finds a version within its team, product and changelog (R4), with its first changes in the author's order. */
export function findVersion(
  db: Reader,
  { team, product }: ProductPath,
  name: string,
  visible: VisibleRows,
): MaybePromise<AtRevision<VersionDetail>> {
  if (name === LATEST) return findHighest(db, { team, product }, visible);
  return findNamed(db, { team, product, name, other: otherLabel(name) }, visible);
}

const MARKDOWN = '.md';

/** A version's page, or the same as Markdown. */
export type VersionPage = VersionDetail & Readonly<{ isMarkdown: boolean }>;

/**
 * By the last segment of the path. A version with that name has its page there, whatever the name ends in; otherwise,
 * without `.md`, it is that of a version as Markdown. Both are one query, so that neither takes longer.
 */
export function findVersionPage(
  db: Reader,
  { team, product }: ProductPath,
  segment: string,
  visible: VisibleRows,
): MaybePromise<AtRevision<VersionPage>> {
  const bare = segment.endsWith(MARKDOWN) ? segment.slice(0, -MARKDOWN.length) : '';
  const names = { name: segment, other: otherLabel(segment), bare, otherBare: otherLabel(bare) };
  const asPage = segment === LATEST ? findHighestPage : findNamedPage;
  const find = bare === '' ? asPage : bare === LATEST ? findPageOrHighest : findPageOrNamed;
  return andThen(find(db, { team, product, ...names }, visible), ({ revision, found }) => ({
    revision,
    found: found && { ...found, isMarkdown: bare !== '' && !isNamed(found.version, names) },
  }));
}

function isNamed({ id, label }: VersionDetail['version'], { name, other }: VersionNames): boolean {
  return [id, label].includes(name) || label === other;
}

/** `latest` is null if nothing is published. */
export type LatestRow = Readonly<{
  head: HeadRow;
  latest: Readonly<{ label: string; yanked: Bit }> | null;
}>;

/** Only what names the latest version. */
export function findLatest(
  db: Reader,
  { team, product }: ProductPath,
  visible: VisibleRows,
): MaybePromise<AtRevision<LatestRow>> {
  return andThen(selectLatestLabel(db, { team, product }, visible), (rows) => {
    const { label, yanked, ...row } = firstOf(rows);
    const { revision } = row;
    if (row.changelogId === null) return { revision, found: undefined };
    const latest = label === null ? null : { label, yanked: yanked as Bit };
    return { revision, found: { head: row as HeadRow, latest } };
  });
}

/** For an index that starts with the state. */
export const isVisible = ({ version }: VisibleRows) =>
  version ? sql`= ${sql.lit(version)}` : sql`in ('draft', 'published')`;

/** The id of the version of `changelogs.id` with the first of two labels, or else with the second. */
export function labelledId(label: string, other: string, visible: VisibleRows) {
  const labelled = (wanted: string) => sql<string>`(select f.version_id from version_facts f
    where f.changelog_id = changelogs.id and f.status ${isVisible(visible)} and f.label = ${wanted})`;
  return sql<string>`coalesce(${labelled(label)}, ${labelled(other)})`;
}

export const PUBLISHED = sql`from version_facts f where f.changelog_id = changelogs.id and f.status = 'published'`;
export const IN_ORDER = sql`order by f.sort_key desc, f.version_id`;

/** Of a row of `version_facts`. A subquery, so that engines keep to an index of these and look up one row at a time. */
export const IS_YANKED = sql<boolean>`(select own.yanked = 1 from versions own where own.id = f.version_id)`;

/** Yanked versions count only if there is no other. */
const PREFERRED = [sql`and not ${IS_YANKED}`, sql``];
const newestId = (some: Sql) => sql`(select f.version_id ${PUBLISHED} ${some} ${IN_ORDER} limit 1)`;

/** The id of the version of `changelogs.id` that was published last. */
export const NEWEST_ID = sql<string>`coalesce(${sql.join(PREFERRED.map(newestId))})`;

/**
 * The id of the highest published version of `changelogs.id` that is not a prerelease, unless these count too, or else of
 * the last one published. Never a draft.
 */
export function latestId(withPrereleases: boolean) {
  // The highest one is known: there may be very many prereleases above it.
  const isCounted = withPrereleases
    ? sql``
    : sql`and f.is_prerelease = 0 and f.version_order < (select max(c.place) from version_counts c
      where c.changelog_id = changelogs.id and c.status = 'published' and c.kind = 0 and c.level = 0)`;
  const highestId = (some: Sql) => sql`(select f.version_id ${PUBLISHED} ${some}
    and f.version_order is not null ${isCounted} order by f.version_order desc, f.sort_key desc, f.version_id limit 1)`;
  return sql<string>`coalesce(${sql.join(PREFERRED.flatMap((some) => [highestId(some), newestId(some)]))})`;
}

/** An id takes precedence over a label, and an exact label over one with or without a leading `v`. */
function namedId({ name, other }: VersionNames, visible: VisibleRows) {
  // A range with an order, on the public surface, keeps the engines from using the primary key, which would find
  // hidden versions first and check their state afterwards.
  const isNamed = visible.version
    ? sql`v.id >= ${name} and v.id <= ${name} order by v.id limit 1`
    : sql`v.id = ${name}`;
  const identified = sql<string>`(select v.id from versions v
    where v.changelog_id = changelogs.id and v.status ${isVisible(visible)} and ${isNamed})`;
  return sql<string>`coalesce(${identified}, ${labelledId(name, other, visible)})`;
}

const findNamed = prepareDetail<NamedPath>(namedId);

/** The name of a version, as a label with or without a leading `v`. */
type VersionNames = Readonly<{ name: string; other: string }>;
export type NamedPath = ProductPath & VersionNames;
/** And without what it ends in. */
type PagePath = NamedPath & Readonly<{ bare: string; otherBare: string }>;

const findHighest = prepareDetail(() => latestId(false));

const preparePage = (idOf: (path: PagePath, visible: VisibleRows) => Expression<string>) =>
  prepareDetail(idOf, { ofPage: true });
const findNamedPage = preparePage(namedId);
const findHighestPage = preparePage(() => latestId(false));
const findPageOrHighest = preparePage(
  (path, visible) => sql<string>`coalesce(${namedId(path, visible)}, ${latestId(false)})`,
);
const findPageOrNamed = preparePage((path, visible) => {
  const { bare: name, otherBare: other } = path;
  return sql<string>`coalesce(${namedId(path, visible)}, ${namedId({ name, other }, visible)})`;
});

const selectLatestLabel = prepare((db, path: ProductPath, visible: VisibleRows) =>
  joinVersion(db, path, visible, latestId(false)).select(['versions.label', 'versions.yanked']),
);
