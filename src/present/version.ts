// Turns rows with changes into records. Their texts are rendered beforehand.
import { imageOf, linksTo } from '../domain/content/content.ts';
import { type ChangeFilter, matchesChange } from '../domain/feed-query.ts';
import { andThen, type MaybePromise } from '../domain/maybe-promise.ts';
import { CHANGE_TYPES, type ChangeType } from '../domain/model.ts';
import type { FullVersion, PageRow } from '../store/read/pages.ts';
import type { ChangeRow, FullColumns, HeadRow, VersionDetail } from '../store/read/reads.ts';
import type { Render } from '../text/render.ts';
import { presentHead, presentSummary } from './changelog.ts';
import type { Change, RangeChange, RangeEnvelope, RangeVersion, Version } from './records.ts';
import { htmlFor, type TextHead } from './texts.ts';

export const textsOf = (changes: readonly ChangeRow[]): string[] => changes.map(({ text }) => text);

/** The HTML of a version's texts; that of the changes is in their order. */
export type VersionHtml = Readonly<{ description: string | null; changes: readonly string[] }>;

export function renderTextsOf(
  head: TextHead,
  { description }: Pick<FullColumns, 'description'>,
  changes: readonly ChangeRow[],
  render: Render,
): MaybePromise<VersionHtml> {
  const writer = htmlFor(head);
  const texts = textsOf(changes);
  if (description === null)
    return andThen(render(texts, writer), (html) => ({ description: null, changes: html }));
  return andThen(render([description, ...texts], writer), ([introduction = null, ...html]) => ({
    description: introduction,
    changes: html,
  }));
}

export function presentVersion(
  { head, version, changes }: Pick<VersionDetail, 'head' | 'version' | 'changes'>,
  html: VersionHtml,
): Version {
  return presentFull(head, { ...version, changeCount: changes.length, changes }, html);
}

/** One version of a changelog with `include=changes`. */
export function presentFull(head: HeadRow, version: Omit<PageRow, 'sortKey'>, html: VersionHtml): Version {
  return {
    ...presentSummary(version),
    description: version.description,
    descriptionHtml: html.description,
    yanked: version.yanked === 1,
    updatedAt: version.updatedAt,
    ...linksTo(version.compareUrl),
    ...imageOf(version.image),
    ...presentHead(head),
    changes: version.changes.map((change, index) => presentChange(change, html.changes[index] as string)),
  };
}

function presentChange(change: ChangeRow, html: string): Change {
  return {
    id: change.id,
    object: 'changelog.change',
    type: change.type,
    text: change.text,
    html,
    breaking: change.breaking === 1,
  };
}

export function presentRangeChange({ id, label }: PageRow, change: ChangeRow, html: string): RangeChange {
  return { ...presentChange(change, html), version: label, versionId: id };
}

export function presentRangeVersion(version: PageRow, descriptionHtml: string | null): RangeVersion {
  const { id, label, title, publishedAt, yanked, description } = version;
  return { id, version: label, title, publishedAt, yanked: yanked === 1, description, descriptionHtml };
}

type RangeData = RangeEnvelope['data'];
export type RangeStart = Readonly<{ data: Omit<RangeData, 'versions'> }>;

/** Without groups and versions, which are written one by one. */
export function presentRange(
  head: HeadRow,
  query: Pick<RangeData, 'from' | 'to' | 'changeCount'>,
): RangeStart {
  return { data: { object: 'changelog.range', ...presentHead(head), ...query, groups: [] } };
}

/** Groups the changes that match by type. In a type, breaking ones come first, then the newest version (R33). */
export function groupRange<T extends Grouped>(
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

type Grouped = Readonly<{ type: ChangeType; breaking: boolean }>;

/** A version without such a change is not found in the first place. */
export function onlyMatching<V extends FullVersion>(filter: ChangeFilter, version: V): V {
  return { ...version, changes: version.changes.filter((change) => matchesChange(filter, change)) };
}
