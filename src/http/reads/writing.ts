// What the writers of several reads share: lists of any length, and pages.
import type { VisibleRows } from '../../domain/access/visibility.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import { yieldToEventLoop } from '../../event-loop.ts';
import { alternateLink } from '../../present/links.ts';
import type { Frame } from '../../present/outputs/output.ts';
import { addOrigin } from '../../present/pages/style.ts';
import type { Reader } from '../../store/engine/engine.ts';
import { findMoreChanges } from '../../store/read/find-version.ts';
import type {
  AtRevision,
  ChangeRow,
  ChangesPart,
  HeadRow,
  ProductPath,
  VersionDetail,
} from '../../store/read/reads.ts';
import { ContentChanged, type ReadMore, type WriteBody } from '../cache/body.ts';
import type { Representation } from '../cache/make-response.ts';
import type { ReadRequest } from '../read.ts';
import { pageHead } from '../site.ts';

/** `end` is where a part ends; null if it is the last one. */
type Part = Readonly<{ end: unknown; writtenAt: number }>;

type Parts<P extends Part, T> = Readonly<{
  findAfter: (db: Reader, end: NonNullable<P['end']>) => MaybePromise<AtRevision<P>>;
  itemsOf: (part: P) => readonly T[];
  /** By default all of them. No more parts are read than it needs. */
  itemsMax?: number | undefined;
}>;

/**
 * The items of a part already read, and of all parts after it, read one at a time, so that other requests are served in
 * between. All parts show one state of the content: if it is written to in between, the response starts over.
 */
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
    await yieldToEventLoop();
  }
}

/** All changes of a version whose first ones are already read. */
export function allChanges(
  first: VersionDetail,
  { path, visible, read }: Readonly<{ path: ProductPath; visible: VisibleRows; read: ReadMore }>,
): Promise<ChangeRow[]> {
  const versionId = first.version.id;
  const changes = allItems<ChangesPart, ChangeRow>(first, read, {
    findAfter: (db, after) => findMoreChanges(db, { ...path, versionId, after }, visible),
    itemsOf: (part) => part.changes,
  });
  return Array.fromAsync(changes);
}

/** Around the items of the list that ends a record, each of which is written on its own. */
export function frameJson(record: object, list: string): Frame {
  const text = JSON.stringify({ data: { ...record, [list]: [] } });
  const end = ']}}';
  return { start: text.slice(0, -end.length), between: ',', end };
}

/**
 * `head` is null for a page without a product. The page at this URL with the same parameters is also Markdown. Its policy
 * allows the images that it shows (R63), so that it is made after the body.
 */
export function asPage(
  { site, query: { text: query } }: Pick<ReadRequest, 'site' | 'query'>,
  head: HeadRow | null,
  url: string,
  text: WriteBody,
): Pick<Representation, 'text' | 'link' | 'head' | 'language'> {
  const origins = new Set<string>();
  return {
    text: (out, read) => {
      out.showImages = (urls) => {
        for (const image of urls) addOrigin(image ?? '', origins);
      };
      return text(out, read);
    },
    link: alternateLink(site.links.markdownOf(url) + query, 'text/markdown'),
    head: () => pageHead(site, head, origins),
    ...(head !== null && { language: head.language }),
  };
}
