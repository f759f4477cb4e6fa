// Public products for language models and search engines (R40).
import { yieldToEventLoop } from '../../event-loop.ts';
import { frameLlms, writeLlmsProduct } from '../../present/crawlers/llms.ts';
import {
  listPage,
  newestPages,
  SITEMAP_URLS_MAX,
  sitemapPages,
  URL_SET,
  writePageUrl,
} from '../../present/crawlers/sitemap.ts';
import type { Reader } from '../../store/engine/engine.ts';
import { ALL_TEAMS } from '../../store/engine/touches.ts';
import { findVersions } from '../../store/read/index.ts';
import {
  findAllList,
  findTeamList,
  type ProductList,
  type TeamList,
} from '../../store/read/lists/listing.ts';
import { ContentChanged, type ReadMore, type WriteBody } from '../cache/body.ts';
import { TEXT_TYPE } from '../pipeline/send.ts';
import { type Read, type ReadRequest, readOf } from '../read.ts';
import { allItems } from './writing.ts';

const LIST_PRODUCTS = 200;

type List = ProductList & Partial<TeamList>;
type FindList = (
  db: Reader,
  request: ReadRequest,
  after: ProductList['end'],
) => ReturnType<typeof findAllList>;

const findAll: FindList = (db, _request, after) => findAllList(db, { after, limit: LIST_PRODUCTS });
const findOfTeam: FindList = (db, { params: { team } }, after) =>
  findTeamList(db, { team, after, limit: LIST_PRODUCTS });

const productsIn = (found: List, read: ReadMore, request: ReadRequest, find: FindList) =>
  allItems<ProductList, ProductList['products'][number]>(found, read, {
    findAfter: (db, after) => find(db, request, after),
    itemsOf: ({ products }) => products,
  });

export const llmsTxt = llmsOf(findAll);
export const teamLlmsTxt = llmsOf(findOfTeam);

function llmsOf(find: FindList): Read {
  return readOf<List>({
    // Browsers display plain text, but download Markdown.
    contentType: TEXT_TYPE,
    isLong: true,
    find: (db, request) => find(db, request, null),
    present: (found, request) => {
      const { site } = request;
      const text: WriteBody = (out, read) =>
        out.addFramed(frameLlms(site, found.team), productsIn(found, read, request, find), (product) =>
          writeLlmsProduct(site, product),
        );
      const { teamId } = found;
      return { text, origin: teamId === undefined ? ALL_TEAMS : { teamId, productId: null } };
    },
  });
}

/** All pages; above 50,000, the most recently changed. */
export const sitemapXml = readOf({
  contentType: 'application/xml; charset=utf-8',
  isLong: true,
  find: (db, request) => findAll(db, request, null),
  present: (found, request, visible) => {
    const { links } = request.site;
    const text: WriteBody = async (out, read) => {
      let pages = [listPage(links.listUrl())];
      let team: string | null = null;
      let productCount = 0;
      for await (const product of productsIn(found, read, request, findAll)) {
        const path = { team: product.teamSlug, product: product.productSlug };
        const { found: own } = await read((db) => findVersions(db, path, visible));
        if (own === undefined || own.writtenAt > found.writtenAt) throw new ContentChanged();
        pages.push(...sitemapPages(links, product, own.versions, team));
        team = product.teamSlug;
        productCount += 1;
        if (pages.length > SITEMAP_URLS_MAX * 2) pages = newestPages(pages, SITEMAP_URLS_MAX);
        await yieldToEventLoop();
      }
      // The home page of a server with one product is that product's page.
      const shown = newestPages(productCount === 1 ? pages.slice(1) : pages, SITEMAP_URLS_MAX);
      await out.addFramed(URL_SET, shown, writePageUrl);
    };
    return { text, origin: ALL_TEAMS };
  },
});
