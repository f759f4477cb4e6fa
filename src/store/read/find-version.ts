// One version, by its id, its label or `latest` (R31).
import { type Expression, sql } from 'kysely';
import type { VisibleRows } from '../../domain/access/visibility.ts';
import { andThen, type MaybePromise } from '../../domain/maybe-promise.ts';
import { LATEST, otherLabel } from '../../domain/version-names.ts';
import type { Reader } from '../engine/engine.ts';
import type { Bit } from '../engine/schema.ts';
import { latestOf } from './choose.ts';
import { readFromIndex, readIndexed, requireSameState } from './index.ts';
import {
  type AtRevision,
  type HeadRow,
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
  if (name === LATEST)
    return findLatestBy(db, { team, product }, visible, (own, id) =>
      findIdentified(own, { team, product, id }, visible),
    );
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
  const path = { team, product };
  const bare = segment.endsWith(MARKDOWN) ? segment.slice(0, -MARKDOWN.length) : '';
  const names = { name: segment, other: otherLabel(segment), bare, otherBare: otherLabel(bare), id: '' };
  const findLatestPage = segment === LATEST ? findIdPage : findPageOrId;
  const found =
    segment === LATEST || bare === LATEST
      ? findLatestBy(db, path, visible, (own, id) => findLatestPage(own, { ...path, ...names, id }, visible))
      : (bare === '' ? findNamedPage : findPageOrNamed)(db, { ...path, ...names }, visible);
  return andThen(found, (page) => ({
    revision: page.revision,
    found: page.found && { ...page.found, isMarkdown: bare !== '' && !isNamed(page.found.version, names) },
  }));
}

/** Finds the latest version by its id. */
function findLatestBy(
  db: Reader,
  path: ProductPath,
  visible: VisibleRows,
  find: (db: Reader, id: string) => MaybePromise<AtRevision<VersionDetail>>,
): Promise<AtRevision<VersionDetail>> {
  return readIndexed(db, path, visible, async (index, own) => {
    const detail = await find(own, latestOf(index)?.id ?? '');
    if (detail.found !== undefined) requireSameState(index, detail.found.writtenAt);
    return detail;
  });
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
  path: ProductPath,
  visible: VisibleRows,
): Promise<AtRevision<LatestRow>> {
  return readFromIndex(db, path, visible, (index) => {
    const latest = latestOf(index);
    const named = latest && ({ label: latest.label, yanked: latest.isYanked ? 1 : 0 } as const);
    return { head: index.head, latest: named ?? null };
  });
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

const findNamed = prepareDetail<NamedPath>(namedId);

/** A version already found. */
export const findIdentified = prepareDetail(({ id }: ProductPath & Readonly<{ id: string }>, visible) =>
  idBy('id', id, visible),
);

/** The name of a version, as a label with or without a leading `v`. */
type VersionNames = Readonly<{ name: string; other: string }>;
export type NamedPath = ProductPath & VersionNames;
/** And without what it ends in; and the id of the latest version. */
type PagePath = NamedPath & Readonly<{ bare: string; otherBare: string; id: string }>;

const preparePage = (idOf: (path: PagePath, visible: VisibleRows) => Expression<string>) =>
  prepareDetail(idOf, { ofPage: true });
const findNamedPage = preparePage(namedId);
const findPageOrNamed = preparePage((path, visible) => {
  const { bare: name, otherBare: other } = path;
  return sql<string>`coalesce(${namedId(path, visible)}, ${namedId({ name, other }, visible)})`;
});
const findIdPage = preparePage(({ id }, visible) => idBy('id', id, visible));
const findPageOrId = preparePage(
  (path, visible) => sql<string>`coalesce(${namedId(path, visible)}, ${idBy('id', path.id, visible)})`,
);
