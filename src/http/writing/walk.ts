// Reads of any length, one part at a time, so that other requests are served in between. All parts show one state of
// the product: if it is written to in between, the response starts over.
import type { VisibleRows } from '../../domain/access/visibility.ts';
import type { FeedPosition, FeedQuery } from '../../domain/feed-query.ts';
import { yieldToEventLoop } from '../../event-loop.ts';
import { findMoreChanges } from '../../store/read/more-changes.ts';
import { findPage, type Page, type PageRow } from '../../store/read/pages.ts';
import type { ChangeRow, ProductPath, VersionDetail } from '../../store/read/reads.ts';
import { ContentChanged, type ReadMore } from '../cache/body.ts';

type Walk = Readonly<{ path: ProductPath; visible: VisibleRows; read: ReadMore }>;

/** The versions of a page already read, and of the pages after it: all of them, or as many as there may be at most. */
export async function* remainingVersions(
  first: Page,
  { path, visible, query, read }: Walk & Readonly<{ query: FeedQuery }>,
  versionsMax = Number.POSITIVE_INFINITY,
): AsyncGenerator<PageRow> {
  yield* first.versions;
  let count = first.versions.length;
  for (let { end } = first; end !== null && count < versionsMax; ) {
    const next = await read((db) => findPage(db, path, visible, { ...query, after: end as FeedPosition }));
    if (next.found?.writtenAt !== first.writtenAt) throw new ContentChanged();
    const versions = next.found.versions.slice(0, versionsMax - count);
    yield* versions;
    count += versions.length;
    end = next.found.end;
  }
}

/** All changes of a version whose first ones are already read. */
export async function allChanges(first: VersionDetail, { path, visible, read }: Walk): Promise<ChangeRow[]> {
  const versionId = first.version.id;
  const changes = [...first.changes];
  for (let { end } = first; end !== null; ) {
    const query = { ...path, versionId, after: end };
    const { found } = await read((db) => findMoreChanges(db, query, visible));
    if (found?.writtenAt !== first.writtenAt) throw new ContentChanged();
    for (const change of found.changes) changes.push(change);
    end = found.end;
    await yieldToEventLoop();
  }
  return changes;
}
