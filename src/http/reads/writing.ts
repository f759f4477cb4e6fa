// What the writers of several reads share: lists of any length.
import type { VisibleRows } from '../../domain/access/visibility.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import { yieldToEventLoop } from '../../event-loop.ts';
import type { Reader } from '../../store/engine/engine.ts';
import { findMoreChanges } from '../../store/read/find-version.ts';
import type { AtRevision, ChangesPart, ProductPath, VersionDetail } from '../../store/read/reads.ts';
import { ContentChanged, type ReadMore } from '../cache/body.ts';

/** `end` is where a part ends; null if it is the last one. */
type Part = Readonly<{ end: unknown; writtenAt: number }>;

/**
 * The items of a part already read, and of all parts after it, read one at a time, so that other requests are served in
 * between. All parts show one state of the content: if it is written to in between, the response starts over. No more
 * parts are read than `itemsMax` needs.
 */
export async function* allItems<P extends Part, T>(
  first: P,
  read: ReadMore,
  parts: Readonly<{
    findAfter: (db: Reader, end: NonNullable<P['end']>) => MaybePromise<AtRevision<P>>;
    itemsOf: (part: P) => readonly T[];
    itemsMax?: number | undefined;
  }>,
): AsyncGenerator<T> {
  for (let part = first, left = parts.itemsMax ?? Number.POSITIVE_INFINITY; ; ) {
    const items = parts.itemsOf(part);
    yield* items.slice(0, left);
    left -= items.length;
    const end = part.end as NonNullable<P['end']> | null;
    if (left <= 0 || end === null) return;
    const { found } = await read((db) => parts.findAfter(db, end));
    if (found?.writtenAt !== first.writtenAt) throw new ContentChanged();
    part = found;
    await yieldToEventLoop();
  }
}

/** All changes of a version whose first ones are already read. */
export function allChanges(
  first: VersionDetail,
  { path, visible, read }: Readonly<{ path: ProductPath; visible: VisibleRows; read: ReadMore }>,
) {
  const versionId = first.version.id;
  const changes = allItems(first as ChangesPart, read, {
    findAfter: (db, after) => findMoreChanges(db, { ...path, versionId, after }, visible),
    itemsOf: (part) => part.changes,
  });
  return Array.fromAsync(changes);
}
