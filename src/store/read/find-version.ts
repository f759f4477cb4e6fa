// Single versions: by id, by label and as `latest` (R31).
import { sql } from 'kysely';
import type { VisibleRows } from '../../domain/access/visibility.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import { LATEST, otherLabel } from '../../domain/version-names.ts';
import { dialectOf, type Sql } from '../engine/dialect.ts';
import type { Reader } from '../engine/engine.ts';
import { type ChangelogIndex, type IndexedVersion, latestOf, readFromIndex, readIndexed } from './index.ts';
import {
  type AtRevision,
  type AtState,
  type ChangeRow,
  type ChangesPart,
  FULL,
  type HeadRow,
  joinVersion,
  lastWrite,
  mapFound,
  type ProductPath,
  prepareAt,
  SUMMARY,
  type VersionDetail,
} from './reads.ts';

/** Finds a version within its team, product and changelog (R4), with its first changes in the author's order. */
export function findVersion(
  db: Reader,
  { team, product }: ProductPath,
  name: string,
  visible: VisibleRows,
): MaybePromise<AtRevision<VersionDetail>> {
  const path = { team, product };
  const find = (own: Reader, given: string) => findNamed(own, { ...path, ...namesOf(given) }, visible);
  return name === LATEST
    ? readIndexed(db, path, visible, (index, own) => find(own, latestId(index)))
    : find(db, name);
}

const latestId = (index: ChangelogIndex) => latestOf(index)?.id ?? '';

const MARKDOWN = '.md';

/** A version's page, or the same as Markdown, with the index of the same state. */
export type VersionPage = VersionDetail & Readonly<{ isMarkdown: boolean; index: ChangelogIndex }>;

/**
 * By the last segment of the path. A version with that name has its page there, whatever the name ends in; otherwise,
 * without `.md`, it is that of a version as Markdown. Both are one query, so that neither takes longer.
 */
export function findVersionPage(
  db: Reader,
  { team, product }: ProductPath,
  segment: string,
  visible: VisibleRows,
): Promise<AtRevision<VersionPage>> {
  const path = { team, product };
  const bare = segment.endsWith(MARKDOWN) ? segment.slice(0, -MARKDOWN.length) : '';
  return readIndexed(db, path, visible, (index, own) => {
    const [whole, withoutEnd] = [segment, bare].map((name) =>
      namesOf(name === LATEST ? latestId(index) : name),
    );
    const names = { ...whole, bare: withoutEnd?.name, otherBare: withoutEnd?.other } as PageNames;
    return mapFound(findPage(own, { ...path, ...names }, visible), (page) => ({
      ...page,
      isMarkdown: bare !== '' && !isNamed(page.version, segment),
      index,
    }));
  });
}

function isNamed({ id, label }: VersionDetail['version'], name: string): boolean {
  return [id, label].includes(name) || label === otherLabel(name);
}

/** `latest` is null if nothing is published. */
export type LatestRow = Readonly<{
  head: HeadRow;
  latest: Pick<IndexedVersion, 'label' | 'isYanked'> | null;
}>;

/** Only what names the latest version. */
export function findLatest(
  db: Reader,
  path: ProductPath,
  visible: VisibleRows,
): Promise<AtRevision<LatestRow>> {
  return readFromIndex(db, path, visible, (index) => ({ head: index.head, latest: latestOf(index) ?? null }));
}

/** For an index that starts with the state. */
const isVisible = ({ version }: VisibleRows) =>
  version ? sql`= ${sql.lit(version)}` : sql`in ('draft', 'published')`;

/** The id of the version of `changelogs.id` with the first of two labels, or else with the second. */
export const labelledId = (label: string, other: string, visible: VisibleRows) =>
  sql<string>`coalesce(${idBy('label', label, visible)}, ${idBy('label', other, visible)})`;

/**
 * The id of a visible version of `changelogs.id`. On the public surface, a range with an order keeps the engines from an index
 * without the state, which would find hidden versions first and check their state afterwards (R9).
 */
function idBy(column: 'id' | 'label', value: string, visible: VisibleRows) {
  const name = sql.ref(`v.${column}`);
  const isNamed = visible.version
    ? sql`${name} >= ${value} and ${name} <= ${value} order by ${name} limit 1`
    : sql`${name} = ${value}`;
  return sql<string>`(select v.id from versions v
    where v.changelog_id = changelogs.id and v.status ${isVisible(visible)} and ${isNamed})`;
}

/** An id takes precedence over a label, and an exact label over one with or without a leading `v`. */
const namedId = ({ name, other }: VersionNames, visible: VisibleRows) =>
  sql<string>`coalesce(${idBy('id', name, visible)}, ${labelledId(name, other, visible)})`;

/** A version by its id, by a label, or by a label with or without a leading `v`. */
type VersionNames = Readonly<{ name: string; other: string }>;
/** No version has an empty name. */
const namesOf = (name: string): VersionNames => ({ name, other: name === '' ? '' : otherLabel(name) });

export type NamedPath = ProductPath & VersionNames;
export const findNamed = prepareDetail<NamedPath>(namedId);

/** And without what it ends in. */
type PageNames = VersionNames & Readonly<{ bare: string; otherBare: string }>;
const findPage = prepareDetail<ProductPath & PageNames>((path, visible) => {
  const withoutEnd = { name: path.bare, other: path.otherBare };
  return sql`coalesce(${namedId(path, visible)}, ${namedId(withoutEnd, visible)})`;
});

/** Most versions have no more. */
const FIRST_CHANGES_MAX = 20;

type PlacedChange = ChangeRow & Readonly<{ position: number }>;
type IdOf<Values> = (values: Values, visible: VisibleRows) => Sql<string>;
type DetailRow = Omit<VersionDetail['version'], 'id'> &
  AtState &
  Readonly<{ id: string | null; changes: string; versionImage: string | null }>;

/** Finds the version whose id an expression gives; it may refer to the changelog as `changelogs.id`. */
export function prepareDetail<Values extends ProductPath>(idOf: IdOf<Values>) {
  const read = prepareAt<Values, DetailRow>(
    (db, _, visible) => ({
      ...SUMMARY,
      ...FULL,
      image: 'products.image',
      versionImage: 'versions.image',
      // One extra change shows whether there are more.
      changes: changesAsJson(db, sql`order by changes.position limit ${sql.lit(FIRST_CHANGES_MAX + 1)}`),
      writtenAt: lastWrite(db, visible),
    }),
    (values, visible) => joinVersion(idOf(values, visible), visible),
  );
  return (db: Reader, values: Values, visible: VisibleRows) =>
    mapFound(read(db, values, visible), (row) => (row.id === null ? undefined : parseDetail(row)));
}

/** The changes of `versions.id`. */
const changesAsJson = (db: Reader, rest: Sql) =>
  dialectOf(db).rowsAsJson(
    {
      id: 'changes.id',
      type: 'changes.type',
      text: 'changes.text',
      breaking: 'changes.breaking',
      position: 'changes.position',
    },
    sql`from changes where changes.version_id = versions.id ${rest}`,
  );

function parseDetail(row: HeadRow & DetailRow): VersionDetail {
  const read = JSON.parse(row.changes) as PlacedChange[];
  const changes = read.slice(0, FIRST_CHANGES_MAX);
  return {
    head: row,
    version: { ...row, image: row.versionImage } as VersionDetail['version'],
    changes,
    end: read.length > changes.length ? (changes.at(-1)?.position ?? null) : null,
    writtenAt: row.writtenAt,
  };
}

/** SQLite reads either amount in a few milliseconds, during which nobody else is served. */
const PART_CHANGES_MAX = 1_000;
const PART_TEXT_BYTES_MAX = 512 * 1024;

/** A version already read, and the position to read after. */
type MoreQuery = ProductPath & Readonly<{ versionId: string; after: number }>;

/** The next part of its changes. It ends with the change that reaches one of the limits. */
export function findMoreChanges(
  db: Reader,
  query: MoreQuery,
  visible: VisibleRows,
): MaybePromise<AtRevision<ChangesPart>> {
  return mapFound(readMore(db, query, visible), (row) => {
    const changes = JSON.parse(row.changes) as PlacedChange[];
    const end = changes.at(-1)?.position;
    if (end === undefined) return undefined;
    return { changes, end: end === row.last ? null : end, writtenAt: row.writtenAt };
  });
}

type MoreRow = AtState & Readonly<{ changes: string; last: number }>;

const readMore = prepareAt<MoreQuery, MoreRow>(
  (db, { versionId, after }, visible) => {
    // Found once, by the parameter and not by `versions.id`. Lengths are known without reading the texts.
    const end = sql`(select max(position) from
      (select position, sum(bytes) over (order by position) - bytes as bytes_before from
        (select position, octet_length(text) as bytes from changes
          where version_id = ${versionId} and position > ${after}
          order by position limit ${sql.lit(PART_CHANGES_MAX)}) sized) part
      where bytes_before < ${sql.lit(PART_TEXT_BYTES_MAX)})`;
    const part = sql`and changes.position > ${after} and changes.position <= ${end} order by changes.position`;
    return {
      last: sql`(select max(position) from changes where version_id = versions.id)`,
      changes: changesAsJson(db, part),
      writtenAt: lastWrite(db, visible),
    };
  },
  ({ versionId }, visible) => joinVersion(sql`${versionId}`, visible),
);
