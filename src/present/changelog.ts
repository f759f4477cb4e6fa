// Turns rows into API records.
import { imageOf, linksTo } from '../domain/content/content.ts';
import { type ChangeFilter, matchesChange } from '../domain/feed-query.ts';
import { andThen, type MaybePromise } from '../domain/maybe-promise.ts';
import { CHANGE_TYPES, type ChangeType } from '../domain/model.ts';
import type { FeedText } from '../store/read/find-feed.ts';
import type { UpdateRow } from '../store/read/find-update.ts';
import type { FullVersion, PageRow } from '../store/read/pages.ts';
import type { HeadRow, LatestVersionRow, VersionRow } from '../store/read/reads.ts';
import type { Render } from '../text/render.ts';
import type {
  Change,
  FeedRecord,
  LatestVersion,
  Range,
  RangeChange,
  RangeVersion,
  Update,
  Version,
  VersionSummary,
} from './records.ts';
import { htmlFor } from './texts.ts';

type Feed = Readonly<{ head: HeadRow; versions: readonly VersionRow[] }>;

export function presentChangelog({ head, versions }: Feed): { data: FeedRecord } {
  return { data: { object: 'changelog', ...presentHead(head), versions: versions.map(presentSummary) } };
}

/**
 * The same as JSON, from a JSON array of rows. They have the same fields as records in the same order, except that
 * `label` becomes `object` and `version`. Quotes inside a text are escaped, so this never matches content.
 */
export function formatChangelog({ head, versions }: Omit<FeedText, 'isWhole'>): string {
  const records = versions.replaceAll(',"label":', ',"object":"changelog.version","version":');
  const empty = JSON.stringify(presentChangelog({ head, versions: [] }));
  return `${empty.slice(0, -'[]}}'.length)}${records}}}`;
}

export function presentHead(head: HeadRow) {
  return {
    team: { slug: head.teamSlug, name: head.teamName },
    product: { slug: head.productSlug, name: head.productName },
    changelog: { id: head.changelogId, name: head.changelogName, status: head.changelogStatus },
  };
}

export function presentSummary(version: VersionRow): VersionSummary {
  return {
    id: version.id,
    object: 'changelog.version',
    version: version.label,
    title: version.title,
    status: version.status,
    publishedAt: version.publishedAt,
    changeCount: version.changeCount,
  };
}

export function presentLatest(version: LatestVersionRow): LatestVersion {
  return { ...presentSummary(version), yanked: version.yanked === 1 };
}

export function presentUpdate(
  { from, latest, versionCount, changeCount, hasSecurity, hasBreaking }: UpdateRow,
  url: string,
): { data: Update } {
  return {
    data: {
      object: 'changelog.update',
      from: from && { version: from.version, known: from.known, yanked: from.yanked },
      updateAvailable: versionCount > 0,
      latest: latest && presentLatest(latest),
      versionCount,
      changeCount,
      security: hasSecurity,
      breaking: hasBreaking,
      url,
    },
  };
}

/** With its changes; texts are rendered. */
export function presentVersion(
  head: HeadRow,
  { changes, ...version }: Omit<PageRow, 'sortKey'>,
  render: Render,
): MaybePromise<Version> {
  const texts = [
    ...changes.map(({ text }) => text),
    ...(version.description === null ? [] : [version.description]),
  ];
  return andThen(render(texts, htmlFor(head)), (html) => ({
    ...presentSummary(version),
    description: version.description,
    descriptionHtml: html[changes.length] ?? null,
    yanked: version.yanked === 1,
    updatedAt: version.updatedAt,
    ...linksTo(version.compareUrl),
    ...imageOf(version.image),
    ...presentHead(head),
    changes: changes.map(({ id, type, text, breaking }, index) => ({
      id,
      object: 'changelog.change',
      type,
      text,
      html: html[index] as string,
      breaking: breaking === 1,
    })),
  }));
}

/** One of a changelog file: without what only a database has. */
export async function presentFileVersion(
  version: FullVersion,
  head: HeadRow,
  render: Render,
): Promise<object> {
  const full = await presentVersion(head, { ...version, changeCount: version.changes.length }, render);
  const { id: _, updatedAt, team, product, changelog, image, ...record } = full;
  return { ...record, changes: record.changes.map(({ id: _, ...change }) => change) };
}

export function presentRangeChange({ id, version }: Version, change: Change): RangeChange {
  return { ...change, version, versionId: id };
}

export function presentRangeVersion(record: Version): RangeVersion {
  const { id, version, title, publishedAt, yanked, description, descriptionHtml } = record;
  return { id, version, title, publishedAt, yanked, description, descriptionHtml };
}

/** Without groups and versions, which are written one by one. */
export function presentRange(
  head: HeadRow,
  query: Pick<Range, 'from' | 'to' | 'changeCount'>,
): { data: Omit<Range, 'versions'> } {
  return { data: { object: 'changelog.range', ...presentHead(head), ...query, groups: [] } };
}

/** Groups the changes that match by type. In a type, breaking ones come first, then the newest version (R33). */
export function groupRange<T extends Pick<Change, 'type' | 'breaking'>>(
  changes: readonly T[],
  filter: ChangeFilter,
): { type: ChangeType; changes: T[] }[] {
  const matching = changes.filter((change) => matchesChange(filter, change));
  return CHANGE_TYPES.map((type) => ({
    type,
    changes: matching
      .filter((change) => change.type === type)
      .toSorted((one, other) => Number(other.breaking) - Number(one.breaking)),
  })).filter((group) => group.changes.length > 0);
}

/** A version without such a change is not found in the first place. */
export function onlyMatching<V extends FullVersion>(filter: ChangeFilter, version: V): V {
  return { ...version, changes: version.changes.filter((change) => matchesChange(filter, change)) };
}
