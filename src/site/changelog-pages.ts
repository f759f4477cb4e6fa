// The pages with versions in full, newest first: all of them, those of a year, those with changes of a type.
import { type FeedQuery, NO_FILTER } from '../domain/feed-query.ts';
import { CHANGE_TYPES } from '../domain/model.ts';
import { parsePageQuery } from '../http/query/page-query.ts';
import { FEED_PARAMETERS } from '../http/query/parameters.ts';
import { renderText } from '../http/reads/writing.ts';
import { type ChangelogView, frameChangelog } from '../present/pages/product-pages.ts';
import { findOutline } from '../store/read/index.ts';
import { findPage, PAGE_CHANGES_MAX, PAGE_TEXT_BYTES_MAX } from '../store/read/pages.ts';
import {
  type Product,
  PUBLIC_ROWS,
  pagesOf,
  type Sources,
  type StaticFile,
  VERSIONS_AT_ONCE,
} from './body.ts';
import { type PageFilter, pageFile } from './layout.ts';
import type { WrittenVersions } from './written.ts';

export const PAGE_VERSIONS = 20;

/** The filter as a server's page has it in its query. */
function queryOf({ type, year }: PageFilter): string {
  if (year !== undefined) return `?since=${year}-01-01&until=${year}-12-31`;
  return type === undefined ? '' : `?type=${type}`;
}

const parse = (filter: PageFilter) => parsePageQuery(queryOf(filter), FEED_PARAMETERS);

export async function* changelogPages(
  sources: Sources,
  product: Product,
  written: WrittenVersions,
): AsyncGenerator<StaticFile> {
  const { db, render, site } = sources;
  const { found: outline } = await findOutline(db, product.path, PUBLIC_ROWS);
  if (outline === undefined) return;
  const { facets } = outline;
  const types = CHANGE_TYPES.filter((type) => facets.some(({ mark }) => mark === type));
  const years = facets.filter(({ year, mark }) => year !== '' && mark === '').map(({ year }) => year);
  const filters: PageFilter[] = [
    {},
    ...types.map((type) => ({ type })),
    ...(years.length > 1 ? years.map((year) => ({ year })) : []),
  ];
  const { found: first } = await findPage(db, product.path, PUBLIC_ROWS, { ...NO_FILTER, ...DESCRIBED });
  if (first === undefined) return;
  const { head } = first;
  const description = await renderText(head, first.description, render, 2);
  for (const filter of filters) {
    const { form, query } = parse(filter);
    const listed = await listVersions(sources, product, query.feed);
    const pages = cutPages(listed, written);
    for (const [index, ids] of pages.entries()) {
      const number = index + 1;
      const isFiltered = query.filterText !== '';
      const view: ChangelogView = {
        head,
        depth: 'changelog',
        ...outline,
        form,
        description: number === 1 && !isFiltered ? description : null,
        isFiltered,
        isContinued: number > 1,
        versionIds: ids,
        matches: { count: listed.length, isMore: false },
        olderUrl: number < pages.length ? pageFile(filter, number + 1) : null,
      };
      const { start, end } = frameChangelog(site, view);
      const articles: Buffer[] = [];
      const images = view.description === null ? [] : [head.image, ...view.description.images];
      images.push(head.logo);
      for (const id of ids) {
        const version = await written.of(id);
        articles.push(version.article);
        images.push(...version.images);
      }
      yield { path: pageFile(filter, number), body: [start, ...articles, end], images };
    }
  }
}

/** Only a query with changes has the description. */
const DESCRIBED = { limit: 1, withChanges: true };

async function listVersions({ db }: Sources, { path }: Product, feed: FeedQuery): Promise<string[]> {
  const ids: string[] = [];
  for await (const { versions } of pagesOf(db, path, { ...feed, limit: VERSIONS_AT_ONCE }))
    for (const { id } of versions) ids.push(id);
  return ids;
}

/** By the limits of a server's page. At least one page, which may say that there are no versions. */
function cutPages(ids: readonly string[], written: WrittenVersions): string[][] {
  let page: string[] = [];
  const pages = [page];
  let [changes, textBytes] = [0, 0];
  for (const id of ids) {
    const size = written.sizeOf(id);
    changes += size.changes;
    textBytes += size.textBytes;
    const isFull =
      page.length === PAGE_VERSIONS || changes > PAGE_CHANGES_MAX || textBytes > PAGE_TEXT_BYTES_MAX;
    if (isFull && page.length > 0) {
      page = [];
      pages.push(page);
      ({ changes, textBytes } = size);
    }
    page.push(id);
  }
  return pages;
}
