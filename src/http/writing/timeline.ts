// The versions of a team's timeline, with each change that products share shown once in the response (R64).
import type { VisibleRows } from '../../domain/access/visibility.ts';
import { type Shared, SharedChanges } from '../../domain/content/shared-changes.ts';
import type { LimitedQuery } from '../../domain/feed-query.ts';
import { onlyMatching } from '../../present/changelog.ts';
import { findTimeline, type Timeline, type TimelineRow } from '../../store/read/lists/timeline.ts';
import type { ReadMore } from '../cache/body.ts';
import { allParts, itemsIn } from './walk.ts';

export type Walk = Readonly<{
  visible: VisibleRows;
  query: LimitedQuery;
  read: ReadMore;
  /** Whether a version has all its changes, also those that a filter does not match. */
  isWhole?: boolean;
}>;

/** The versions of a page already read, and more of the timeline if more are asked for. */
export async function* sharedVersions(
  first: Timeline,
  { visible, query, read, isWhole = false }: Walk,
  versionsMax = first.versions.length,
): AsyncGenerator<Shared<TimelineRow>> {
  const shared = new SharedChanges<TimelineRow>();
  const pages = allParts(first, read, (db, after) =>
    findTimeline(db, first.team.slug, visible, { ...query, after }, null),
  );
  for await (const version of itemsIn(pages, ({ versions }) => versions, versionsMax))
    yield* shared.add(isWhole ? version : onlyMatching(query, version));
  yield* shared.finish();
}
