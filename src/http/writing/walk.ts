// Reads of any length, one part at a time, so that other requests are served in between. All parts show one state of
// the product: if it is written to in between, the response starts over.
import type { VisibleRows } from '../../domain/access/visibility.ts';
import type { FeedQuery } from '../../domain/feed-query.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import { yieldToEventLoop } from '../../event-loop.ts';
import type { Reader } from '../../store/engine/engine.ts';
import { findMoreChanges } from '../../store/read/find-version.ts';
import { findPage, type Page, type PageRow } from '../../store/read/pages.ts';
import type {
  AtRevision,
  ChangeRow,
  ChangesPart,
  ProductPath,
  VersionDetail,
} from '../../store/read/reads.ts';
import { ContentChanged, type ReadMore } from '../cache/body.ts';

/** Reads more, in the state of what is already read. */
export function inStateOf({ writtenAt }: Readonly<{ writtenAt: number }>, read: ReadMore) {
  return async <T extends Readonly<{ writtenAt: number }>>(
    find: (db: Reader) => MaybePromise<AtRevision<T>>,
  ): Promise<T> => {
    const { found } = await read(find);
    if (found?.writtenAt !== writtenAt) throw new ContentChanged();
    return found;
  };
}

type Walk = Readonly<{ path: ProductPath; visible: VisibleRows; read: ReadMore }>;

/** Where a part ends; null if it is the last one. */
type Part = Readonly<{ end: unknown; writtenAt: number }>;

/** A part already read, and all parts after it. */
export async function* allParts<P extends Part>(
  first: P,
  read: ReadMore,
  findAfter: (db: Reader, end: NonNullable<P['end']>) => MaybePromise<AtRevision<P>>,
): AsyncGenerator<P> {
  const readSame = inStateOf(first, read);
  yield first;
  for (let { end } = first; end !== null; ) {
    const after = end as NonNullable<P['end']>;
    const part = await readSame((db) => findAfter(db, after));
    yield part;
    end = part.end;
  }
}

/** The versions of a page already read, and of the pages after it: all of them, or as many as there may be at most. */
export async function* remainingVersions(
  first: Page,
  { path, visible, query, read }: Walk & Readonly<{ query: FeedQuery }>,
  versionsMax = Number.POSITIVE_INFINITY,
): AsyncGenerator<PageRow> {
  const pages = allParts(first, read, (db, after) => findPage(db, path, visible, { ...query, after }));
  yield* itemsIn(pages, ({ versions }) => versions, versionsMax);
}

/** All of them, or as many as there may be at most. Reads no more parts than it needs. */
export async function* itemsIn<P, T>(
  parts: AsyncIterable<P>,
  itemsOf: (part: P) => readonly T[],
  itemsMax = Number.POSITIVE_INFINITY,
): AsyncGenerator<T> {
  let left = itemsMax;
  for await (const part of parts) {
    const items = itemsOf(part);
    yield* items.slice(0, left);
    left -= items.length;
    if (left <= 0) return;
  }
}

/** All changes of a version whose first ones are already read. */
export async function allChanges(first: VersionDetail, { path, visible, read }: Walk): Promise<ChangeRow[]> {
  const versionId = first.version.id;
  const all: ChangeRow[] = [];
  const parts = allParts<ChangesPart>(first, read, (db, after) =>
    findMoreChanges(db, { ...path, versionId, after }, visible),
  );
  for await (const { changes } of parts) {
    for (const change of changes) all.push(change);
    await yieldToEventLoop();
  }
  return all;
}
