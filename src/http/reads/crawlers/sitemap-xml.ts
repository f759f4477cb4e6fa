import type { VisibleRows } from '../../../domain/access/visibility.ts';
import { yieldToEventLoop } from '../../../event-loop.ts';
import {
  listPage,
  newestPages,
  SITEMAP_URLS_MAX,
  type SitemapPage,
  sitemapPages,
  URL_SET,
  writePageUrl,
} from '../../../present/crawlers/sitemap.ts';
import type { Links } from '../../../present/links.ts';
import { ALL_TEAMS } from '../../../store/engine/touches.ts';
import { findVersions } from '../../../store/read/index.ts';
import { findAllList, type ProductList } from '../../../store/read/lists/listing.ts';
import { ContentChanged, type ReadMore, type WriteBody } from '../../cache/body.ts';
import { readOf } from '../../read.ts';
import { allParts } from '../../writing/walk.ts';

const LIST_PRODUCTS = 100;
const URLS_AT_ONCE = 500;

/** All pages for search engines; above 50,000, the most recently changed (R40). */
export const sitemapXml = readOf({
  contentType: 'application/xml; charset=utf-8',
  isLong: true,
  find: (db) => findAllList(db, { after: null, limit: LIST_PRODUCTS }),
  present: (found, { site: { links } }, visible) => {
    const text: WriteBody = async (out, read) => {
      const lists = allParts(found, read, (db, after) => findAllList(db, { after, limit: LIST_PRODUCTS }));
      const pages = await collectPages(links, lists, read, visible);
      await out.add(URL_SET.start);
      for (let index = 0; index < pages.length; index += URLS_AT_ONCE) {
        const some = pages.slice(index, index + URLS_AT_ONCE);
        await out.add(some.map(writePageUrl).join(''));
      }
      await out.add(URL_SET.end);
    };
    return { text, origin: ALL_TEAMS };
  },
});

async function collectPages(
  links: Links,
  lists: AsyncIterable<ProductList>,
  read: ReadMore,
  visible: VisibleRows,
): Promise<readonly SitemapPage[]> {
  let pages = [listPage(links.listUrl())];
  let team: string | null = null;
  let productCount = 0;
  for await (const { products, writtenAt } of lists) {
    for (const product of products) {
      const path = { team: product.teamSlug, product: product.productSlug };
      const { found } = await read((db) => findVersions(db, path, visible));
      if (found === undefined || found.writtenAt > writtenAt) throw new ContentChanged();
      pages.push(...sitemapPages(links, product, found.versions, team));
      team = product.teamSlug;
      productCount += 1;
      if (pages.length > SITEMAP_URLS_MAX * 2) pages = newestPages(pages, SITEMAP_URLS_MAX);
      await yieldToEventLoop();
    }
  }
  // The home page of a server with one product is that product's page.
  return newestPages(productCount === 1 ? pages.slice(1) : pages, SITEMAP_URLS_MAX);
}
