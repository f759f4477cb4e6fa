// A changelog of any length, some versions at a time: nobody waits for all of it, and it is never in memory as a whole.
import type { FeedPosition, FeedQuery } from '../../domain/feed-query.ts';
import type { VisibleRows } from '../../domain/visibility.ts';
import { findPage, type Page, type PageRow } from '../../store/pages.ts';
import type { ProductPath } from '../../store/reads.ts';
import { ChangedMeanwhile, type ReadMore } from '../answers.ts';

type Walk = Readonly<{ path: ProductPath; visible: VisibleRows; query: FeedQuery; read: ReadMore }>;

/** The versions of a page that was read already, and of all pages after it. All of them show one state of the product. */
export async function* walkFrom(first: Page, { path, visible, query, read }: Walk): AsyncGenerator<PageRow> {
  yield* first.versions;
  for (let end = first.end; end !== null; ) {
    const next = await read((db) => findPage(db, path, visible, { ...query, after: end as FeedPosition }));
    if (next.found?.writtenAt !== first.writtenAt) throw new ChangedMeanwhile();
    yield* next.found.versions;
    end = next.found.end;
  }
}
