// Several products: all of them (R40), a team's, and the versions of a team (R64). Pages as HTML and as Markdown, and what
// language models and search engines read.

import { oneOf } from '../../domain/schema.ts';
import { yieldToEventLoop } from '../../event-loop.ts';
import {
  frameLlms,
  listPage,
  newestPages,
  SITEMAP_URLS_MAX,
  sitemapPages,
  URL_SET,
  writeLlmsProduct,
  writePageUrl,
} from '../../present/crawlers.ts';
import { productPath } from '../../present/links.ts';
import { writeListMarkdown, writeTimelineMarkdown } from '../../present/markdown-pages.ts';
import { addFramed } from '../../present/outputs/output.ts';
import { writeList, writeTimeline } from '../../present/pages/list-pages.ts';
import type { Reader } from '../../store/engine/engine.ts';
import { ALL_TEAMS, type Origin } from '../../store/engine/touches.ts';
import { findVersions } from '../../store/read/index.ts';
import {
  findAllList,
  findTeamList,
  type ListedProduct,
  type ProductList,
  type TeamList,
} from '../../store/read/lists/listing.ts';
import { findTimeline, type Timeline } from '../../store/read/lists/timeline.ts';
import type { AtRevision } from '../../store/read/reads.ts';
import { ContentChanged, type ReadMore, type WriteBody } from '../cache/body.ts';
import type { PathParams } from '../pipeline/exchange.ts';
import { HTML_TYPE, MARKDOWN_TYPE, TEXT_TYPE } from '../pipeline/send.ts';
import { FEED_PARAMETERS, type Parameters } from '../query/parameters.ts';
import { fullQuery, olderQuery, type Query } from '../query/query.ts';
import { type Read, readOf } from '../read.ts';
import { changelogAsMarkdown, changelogAt, viewOf } from './product-pages.ts';
import { allItems, asPage } from './writing.ts';

type Form = typeof HTML_TYPE | typeof MARKDOWN_TYPE;

const LIST_PRODUCTS = 100;

export const homeHtml = homeOf(changelogAt('home'), listAs(HTML_TYPE, 'all'));
export const homeAsMarkdown = homeOf(changelogAsMarkdown, listAs(MARKDOWN_TYPE, 'all'));

/** The changelog of the only public product, with its parameters, or else the list of all. */
function homeOf(ofOnly: Read, ofAll: Read): Read {
  return {
    contentType: ofAll.contentType,
    parameters: FEED_PARAMETERS,
    form: 'changelog',
    find: async (db, request, visible) => {
      const { revision, found: first } = await findAllList(db, { after: null, limit: 1 });
      const [only] = first?.end === null ? first.products : [];
      if (only === undefined) return await ofAll.find(db, request, visible);
      const params = { team: only.teamSlug, product: only.productSlug, versionId: '' };
      const page = await ofOnly.find(db, { ...request, params, path: productPath(only) }, visible);
      if (page.found === undefined) return await ofAll.find(db, request, visible);
      return {
        // A write in between may have published another product.
        revision: Math.min(revision, page.revision),
        found: { ...page.found, origin: ALL_TEAMS, isLong: true },
      };
    },
  };
}

type Of = 'all' | 'team';
type List = ProductList & Partial<TeamList>;

/** A team's list has no changes. */
function findList(
  db: Reader,
  of: Of,
  { team }: PathParams,
  after: ProductList['end'] = null,
  withChanges = false,
): Promise<AtRevision<List>> {
  const page = { after, limit: LIST_PRODUCTS };
  return of === 'team' ? findTeamList(db, { team, ...page }) : findAllList(db, { ...page, withChanges });
}

const originOf = ({ teamId }: List): Origin =>
  teamId === undefined ? ALL_TEAMS : { teamId, productId: null };

function listAs(contentType: Form, of: Of): Read {
  return readOf<List>({
    contentType,
    parameters: { cursor: FEED_PARAMETERS.cursor },
    find: (db, { params, query: { feed } }) =>
      findList(db, of, params, feed.after, contentType === HTML_TYPE),
    present: (found, request) => {
      const { team = null, products } = found;
      const { site } = request;
      const origin = originOf(found);
      const url = site.links.listUrl(team?.slug);
      const more = olderQuery(request, found);
      const view = { ...viewOf(request), team, products, moreUrl: more };
      if (contentType === MARKDOWN_TYPE) {
        const moreUrl = more && site.links.markdownOf(url) + more;
        return { text: writeListMarkdown(site, { ...view, moreUrl }), origin };
      }
      const text: WriteBody = (out) => writeList(out, request, view);
      return { ...asPage(request, null, url, text), origin };
    },
  });
}

const TEAM_PARAMETERS = {
  ...FEED_PARAMETERS,
  products: {
    schema: oneOf(['all']),
    expected: 'all',
    description: '`all` lists the products instead of the versions.',
    example: 'all',
  },
} as const satisfies Parameters;

export const teamHtml = teamAs(HTML_TYPE);
export const teamAsMarkdown = teamAs(MARKDOWN_TYPE);

/** A team's first products and the versions of all of them, or all its products. */
function teamAs(contentType: Form): Read {
  const [timeline, products] = [timelineAs(contentType), listAs(contentType, 'team')];
  return {
    contentType,
    parameters: TEAM_PARAMETERS,
    form: 'timeline',
    isLong: ({ given }) => given.products === undefined,
    find: (db, request, visible) =>
      (request.query.given.products === undefined ? timeline : products).find(db, request, visible),
  };
}

/** Four rows of three. The list of all products is a page of its own. */
const FIRST_PRODUCTS = 12;
const ALL_PRODUCTS = '?products=all';
const TIMELINE_VERSIONS = 20;

const isFirst = ({ filterText, cursor }: Query) => filterText === '' && cursor === null;

function timelineAs(contentType: Form): Read {
  return readOf<Timeline & Readonly<{ list: TeamList | undefined }>>({
    contentType,
    find: async (db, { params: { team }, query }, visible) => {
      const asked = fullQuery(query, TIMELINE_VERSIONS);
      const { revision, found } = await findTimeline(db, team, visible, asked, null);
      if (found === undefined || !isFirst(query))
        return { revision, found: found && { ...found, list: undefined } };
      const list = await findTeamList(db, { team, after: null, limit: FIRST_PRODUCTS });
      // A write in between may have changed the versions.
      return { revision: Math.min(revision, list.revision), found: { ...found, list: list.found } };
    },
    present: (found, request) => {
      const { query, site, render } = request;
      const { teamId, team, versions, list } = found;
      const page = {
        ...viewOf(request),
        team,
        versions,
        products: list?.products ?? [],
        productsUrl: list?.end ? ALL_PRODUCTS : null,
        olderUrl: olderQuery(request, found),
      };
      const origin = { teamId, productId: null };
      if (contentType === MARKDOWN_TYPE)
        return { text: (out) => writeTimelineMarkdown(out, site, page), origin };
      const options = { site, renderOf: () => render, searched: query.feed.words };
      const text: WriteBody = (out) => writeTimeline(out, options, page);
      return { ...asPage(request, null, site.links.listUrl(team.slug), text), origin };
    },
  });
}

/** The products of a list already read, and of those after it. */
const allProducts = (found: List, of: Of, params: PathParams, read: ReadMore) =>
  allItems<List, ListedProduct>(found, read, {
    findAfter: (db, after) => findList(db, of, params, after),
    itemsOf: ({ products }) => products,
  });

export const llmsTxt = llmsOf('all');
export const teamLlmsTxt = llmsOf('team');

function llmsOf(of: Of): Read {
  return readOf<List>({
    // Browsers display plain text, but download Markdown.
    contentType: TEXT_TYPE,
    isLong: true,
    find: (db, { params }) => findList(db, of, params),
    present: (found, { params, site }) => {
      const text: WriteBody = (out, read) =>
        addFramed(out, frameLlms(site, found.team), allProducts(found, of, params, read), (product) =>
          writeLlmsProduct(site, product),
        );
      return { text, origin: originOf(found) };
    },
  });
}

/** All pages; above 50,000, the most recently changed. */
export const sitemapXml = readOf<List>({
  contentType: 'application/xml; charset=utf-8',
  isLong: true,
  find: (db, { params }) => findList(db, 'all', params),
  present: (found, { params, site: { links } }, visible) => {
    const text: WriteBody = async (out, read) => {
      let pages = [listPage(links.listUrl())];
      let team: string | null = null;
      let productCount = 0;
      for await (const product of allProducts(found, 'all', params, read)) {
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
      await addFramed(out, URL_SET, shown, writePageUrl);
    };
    return { text, origin: ALL_TEAMS };
  },
});
