import { yieldToEventLoop } from '../../../event-loop.ts';
import {
  listPage,
  newestPages,
  SITEMAP_TYPE,
  SITEMAP_URLS_MAX,
  type SitemapPage,
  sitemapPages,
  URL_SET,
  writePageUrl,
} from '../../../present/crawlers/sitemap.ts';
import type { Links } from '../../../present/links.ts';
import { ALL_TEAMS } from '../../../store/engine/touches.ts';
import { findSitemapBatch, type SitemapBatch } from '../../../store/read/lists/sitemap.ts';
import type { WriteBody } from '../../cache/body.ts';
import { readOf } from '../../read.ts';
import { allParts } from '../../writing/walk.ts';

/** Small enough that a synchronous SQLite read does not hold up other requests. */
const BATCH_ENTRIES = 1_000;
const URLS_AT_ONCE = 500;

/** All pages for search engines; above 50,000, the most recently changed (R40). */
export const sitemapXml = readOf({
  contentType: SITEMAP_TYPE,
  isLong: true,
  find: (db) => findSitemapBatch(db, null, BATCH_ENTRIES),
  present: (found, { site: { links } }) => {
    const text: WriteBody = async (out, read) => {
      const batches = allParts(found, read, (db, after) => findSitemapBatch(db, after, BATCH_ENTRIES));
      const pages = await collectPages(links, batches);
      await out.add(URL_SET.start);
      for (let index = 0; index < pages.length; index += URLS_AT_ONCE) {
        const urls = pages
          .slice(index, index + URLS_AT_ONCE)
          .map(({ url, updatedAt }) => writePageUrl(url, updatedAt));
        await out.add(urls.join(''));
      }
      await out.add(URL_SET.end);
    };
    return { text, origin: ALL_TEAMS };
  },
});

async function collectPages(
  links: Links,
  batches: AsyncIterable<SitemapBatch>,
): Promise<readonly SitemapPage[]> {
  let pages = [listPage(links.listUrl())];
  let team: string | null = null;
  let productCount = 0;
  for await (const { entries } of batches) {
    for (const entry of entries) {
      pages.push(...sitemapPages(links, entry, team));
      team = entry.teamSlug;
      if (entry.version === null) productCount += 1;
    }
    if (pages.length > SITEMAP_URLS_MAX * 2) pages = newestPages(pages, SITEMAP_URLS_MAX);
    await yieldToEventLoop();
  }
  // The home page of a server with one product is that product's page.
  return newestPages(productCount === 1 ? pages.slice(1) : pages, SITEMAP_URLS_MAX);
}
