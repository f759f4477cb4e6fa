// Lists of any length, read one part at a time, so that other requests are served in between. All parts show one state of
// the content: if it is written to in between, the response starts over.
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
import { type BodyWriter, ContentChanged, type ReadMore } from '../cache/body.ts';

/** `end` is where a part ends; null if it is the last one. */
type Part = Readonly<{ end: unknown; writtenAt: number }>;

type Parts<P extends Part, T> = Readonly<{
  findAfter: (db: Reader, end: NonNullable<P['end']>) => MaybePromise<AtRevision<P>>;
  itemsOf: (part: P) => readonly T[];
  /** By default all of them. No more parts are read than it needs. */
  itemsMax?: number | undefined;
}>;

/** The items of a part already read, and of all parts after it. */
export async function* allItems<P extends Part, T>(
  first: P,
  read: ReadMore,
  { findAfter, itemsOf, itemsMax = Number.POSITIVE_INFINITY }: Parts<P, T>,
): AsyncGenerator<T> {
  for (let part = first, left = itemsMax; ; ) {
    const items = itemsOf(part);
    yield* items.slice(0, left);
    left -= items.length;
    const end = part.end as NonNullable<P['end']> | null;
    if (left <= 0 || end === null) return;
    const { found } = await read((db) => findAfter(db, end));
    if (found?.writtenAt !== first.writtenAt) throw new ContentChanged();
    part = found;
  }
}

type Walk = Readonly<{ path: ProductPath; visible: VisibleRows; read: ReadMore }>;

/** The versions of a page already read, and of the pages after it. */
export const remainingVersions = (
  first: Page,
  { path, visible, query, read }: Walk & Readonly<{ query: FeedQuery }>,
  itemsMax?: number,
): AsyncGenerator<PageRow> =>
  allItems(first, read, {
    findAfter: (db, after) => findPage(db, path, visible, { ...query, after }),
    itemsOf: ({ versions }) => versions,
    itemsMax,
  });

/** All changes of a version whose first ones are already read. */
export async function allChanges(first: VersionDetail, { path, visible, read }: Walk): Promise<ChangeRow[]> {
  const versionId = first.version.id;
  const all: ChangeRow[] = [];
  const parts = allItems<ChangesPart, readonly ChangeRow[]>(first, read, {
    findAfter: (db, after) => findMoreChanges(db, { ...path, versionId, after }, visible),
    itemsOf: ({ changes }) => [changes],
  });
  for await (const changes of parts) {
    for (const change of changes) all.push(change);
    await yieldToEventLoop();
  }
  return all;
}

/** JSON that ends in an empty list, with the items of that list: one at a time, because there may be very many. */
export async function writeWithList<T extends object>(
  out: BodyWriter,
  record: object,
  items: Iterable<T> | AsyncIterable<T>,
  present: (item: T) => object = (item) => item,
): Promise<void> {
  const json = JSON.stringify(record);
  const end = json.lastIndexOf(']');
  await out.add(json.slice(0, end));
  await out.addList(items, (item) => JSON.stringify(present(item)));
  await out.add(json.slice(end));
}
