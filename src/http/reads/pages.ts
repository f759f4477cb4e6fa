// Pages, each as HTML and as Markdown. Of a product: its changelog, a version, and the changes between two (R33, R37). Of
// several: all of them (R40), a team's, and the versions of a team (R64). And what language models and search engines read.
import { oneOf } from '../../domain/schema.ts';
import { otherLabel } from '../../domain/version-names.ts';
import { yieldToEventLoop } from '../../event-loop.ts';
import * as crawlers from '../../present/crawlers.ts';
import { alternateLink, type Depth, productPath } from '../../present/links.ts';
import {
  writeChangelogMarkdown,
  writeListMarkdown,
  writeTimelineMarkdown,
  writeVersionMarkdown,
} from '../../present/markdown-pages.ts';
import { markdownNotes } from '../../present/outputs/markdown.ts';
import { addFramed } from '../../present/outputs/output.ts';
import { writeList, writeTimeline } from '../../present/pages/list-pages.ts';
import { writeChangelog, writeChanges, writeVersion } from '../../present/pages/product-pages.ts';
import { addOrigin } from '../../present/pages/style.ts';
import type { Reader } from '../../store/engine/engine.ts';
import { ALL_TEAMS, type Origin } from '../../store/engine/touches.ts';
import { findVersionPage } from '../../store/read/find-version.ts';
import { findVersions, highestOrder, outlineOf, previousOf } from '../../store/read/index.ts';
import {
  findAllList,
  findTeamList,
  type ProductList,
  type TeamList,
} from '../../store/read/lists/listing.ts';
import { findTimeline, type Timeline } from '../../store/read/lists/timeline.ts';
import { findIndexedPage } from '../../store/read/pages.ts';
import type { AtRevision, HeadRow } from '../../store/read/reads.ts';
import { ContentChanged, type ReadMore, type WriteBody } from '../cache/body.ts';
import type { Representation } from '../cache/make-response.ts';
import type { PathParams } from '../pipeline/exchange.ts';
import { SEGMENT_CHARACTERS_MAX } from '../pipeline/path.ts';
import { HTML_TYPE, MARKDOWN_TYPE, TEXT_TYPE } from '../pipeline/send.ts';
import { FEED_PARAMETERS, fullQuery, olderQuery, RANGE_PARAMETERS } from '../query.ts';
import { type Read, type ReadRequest, readOf } from '../read.ts';
import { pageHead } from '../site.ts';
import { findRange, rangeNotes } from './outputs.ts';
import { allChanges, allItems } from './writing.ts';

type Form = typeof HTML_TYPE | typeof MARKDOWN_TYPE;

const PAGE_VERSIONS = 20;

/** The newest versions in full, or those that match a filter: on a page of their own, or on the home page. */
export function changelogAs(contentType: Form, depth: Extract<Depth, 'changelog' | 'home'> = 'changelog') {
  return readOf({
    contentType,
    parameters: FEED_PARAMETERS,
    form: 'changelog',
    isLong: true,
    find: (db, { params, query }, visible) => {
      // Only what a filter finds is counted.
      const limits = contentType === MARKDOWN_TYPE || query.filterText === '' ? null : {};
      return findIndexedPage(db, params, visible, fullQuery(query, PAGE_VERSIONS), limits);
    },
    present: (found, request) => {
      const { site, query } = request;
      const { head, index } = found;
      const url = site.links.urlsOf(head).changelog;
      const older = olderQuery(request, found);
      return asPage(contentType, request, { origin: head, url }, (out) => {
        if (contentType === MARKDOWN_TYPE) {
          const view = { ...viewOf(request), olderUrl: older && site.links.markdownOf(url) + older };
          return writeChangelogMarkdown(out, site, found, view);
        }
        return writeChangelog(out, request, {
          ...{ ...found, ...viewOf(request), ...outlineOf(index), depth, searched: query.feed.words },
          previousOf: (label) => previousOf(index, label)?.label,
          olderUrl: older && site.links.fromProduct(depth, head).filtered(older),
        });
      });
    },
  });
}

const viewOf = ({ query }: ReadRequest) => ({
  form: query.form,
  isFiltered: query.filterText !== '',
  isContinued: query.cursor !== null,
});

/**
 * `origin` is the head on the page of a product. The HTML at this URL with the same parameters is also Markdown. Its
 * policy allows the images that it shows (R63), so that it is made after the body.
 */
function asPage(
  contentType: Form,
  { site, query: { text: query } }: ReadRequest,
  { origin, url }: Readonly<{ origin: HeadRow | Origin; url: string }>,
  write: WriteBody,
): Representation {
  const head = 'language' in origin ? origin : null;
  const page = { contentType, origin, ...(head !== null && { language: head.language }) };
  if (contentType === MARKDOWN_TYPE) return { ...page, text: write };
  const images = new Set<string>();
  const text: WriteBody = (out, read) => {
    out.showImages = (urls) => {
      for (const image of urls) addOrigin(image ?? '', images);
    };
    return write(out, read);
  };
  const link = alternateLink(site.links.markdownOf(url) + query, 'text/markdown');
  return { ...page, text, link, head: () => pageHead(site, head, images) };
}

/** As Markdown at the same path with `.md`: the name decides, unless a version has all of it. */
export const version = readOf({
  contentType: HTML_TYPE,
  find: (db, { params }, visible) => findVersionPage(db, params, params.versionId, visible),
  present: (found, request, visible) => {
    const { params: path, site } = request;
    const { head, isMarkdown, index } = found;
    const { id, label } = found.version;
    const write: WriteBody = async (out, read) => {
      const version = { ...found.version, changes: await allChanges(found, { path, visible, read }) };
      const others = { previous: previousOf(index, label)?.label, highest: highestOrder(index) };
      if (isMarkdown) await out.add(await writeVersionMarkdown(site, { head, version, ...others }));
      else await writeVersion(out, request, { head, version, ...others });
    };
    // By its id if its label with `.md` is too long or leads elsewhere.
    const name = `${label}.md`;
    const isTaken = index.versions.some((other) => [name, otherLabel(name)].includes(other.label));
    const isLabel = !isTaken && [...name].length <= SEGMENT_CHARACTERS_MAX;
    const url = site.links.urlsOf(head).version({ id, label: isLabel ? label : id });
    return asPage(isMarkdown ? MARKDOWN_TYPE : HTML_TYPE, request, { origin: head, url }, write);
  },
});

export const changes = readOf({
  contentType: HTML_TYPE,
  parameters: RANGE_PARAMETERS,
  form: 'changes',
  isLong: true,
  find: findRange,
  present: (found, request) => {
    const { query, site } = request;
    const { head } = found;
    const { menu } = outlineOf(found.index);
    const view = { ...found, ...viewOf(request), menu, filter: query.feed };
    const url = site.links.urlsOf(head).changes('') as string;
    return asPage(HTML_TYPE, request, { origin: head, url }, (out) => writeChanges(out, request, view));
  },
});

/** The same for programs that read Markdown: the notes of the API, with the errors of a page. */
export const changesMarkdown: Read = { ...rangeNotes(markdownNotes), form: 'changes' };

const LIST_PRODUCTS = 100;

/** The changelog of the only public product, with its parameters, or else the list of all. */
export function homeAs(contentType: Form): Read {
  const [ofOnly, ofAll] = [changelogAs(contentType, 'home'), listAs(contentType)];
  return {
    contentType,
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

type List = ProductList & Partial<TeamList>;

/** Of all teams where the path has none. A team's list has no changes. */
function findList(
  db: Reader,
  { team }: PathParams,
  after: ProductList['end'] = null,
  withChanges = false,
): Promise<AtRevision<List>> {
  const page = { after, limit: LIST_PRODUCTS };
  return team === '' ? findAllList(db, { ...page, withChanges }) : findTeamList(db, { team, ...page });
}

const originOf = ({ teamId }: List): Origin =>
  teamId === undefined ? ALL_TEAMS : { teamId, productId: null };

function listAs(contentType: Form): Read {
  return readOf<List>({
    contentType,
    parameters: { cursor: FEED_PARAMETERS.cursor },
    find: (db, { params, query: { feed } }) => findList(db, params, feed.after, contentType === HTML_TYPE),
    present: (found, request) => {
      const { team = null, products } = found;
      const { site } = request;
      const url = site.links.listUrl(team?.slug);
      const more = olderQuery(request, found);
      const view = { ...viewOf(request), team, products, moreUrl: more };
      return asPage(contentType, request, { origin: originOf(found), url }, (out) => {
        if (contentType === HTML_TYPE) return writeList(out, request, view);
        const moreUrl = more && site.links.markdownOf(url) + more;
        return out.add(writeListMarkdown(site, { ...view, moreUrl }));
      });
    },
  });
}

/** A team's first products and the versions of all of them, or all its products. */
export function teamAs(contentType: Form): Read {
  const [timeline, products] = [timelineAs(contentType), listAs(contentType)];
  return {
    contentType,
    parameters: {
      ...FEED_PARAMETERS,
      products: {
        schema: oneOf(['all']),
        expected: 'all',
        description: '`all` lists the products instead of the versions.',
        example: 'all',
      },
    },
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

function timelineAs(contentType: Form): Read {
  return readOf<Timeline & Readonly<{ list?: TeamList | undefined }>>({
    contentType,
    find: async (db, { params: { team }, query }, visible) => {
      const asked = fullQuery(query, TIMELINE_VERSIONS);
      const { revision, found } = await findTimeline(db, team, visible, asked, null);
      if (found === undefined || query.filterText !== '' || query.cursor !== null) return { revision, found };
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
      const shown = { origin: { teamId, productId: null }, url: site.links.listUrl(team.slug) };
      const options = { site, renderOf: () => render, searched: query.feed.words };
      return asPage(contentType, request, shown, (out) =>
        contentType === HTML_TYPE
          ? writeTimeline(out, options, page)
          : writeTimelineMarkdown(out, site, page),
      );
    },
  });
}

/** The products of a list already read, and of those after it. */
const allProducts = (found: List, params: PathParams, read: ReadMore) =>
  allItems(found, read, {
    findAfter: (db, after) => findList(db, params, after),
    itemsOf: ({ products }) => products,
  });

export const llmsTxt = readOf<List>({
  // Browsers display plain text, but download Markdown.
  contentType: TEXT_TYPE,
  isLong: true,
  find: (db, { params }) => findList(db, params),
  present: (found, { params, site }) => {
    const text: WriteBody = (out, read) =>
      addFramed(out, crawlers.frameLlms(site, found.team), allProducts(found, params, read), (product) =>
        crawlers.writeLlmsProduct(site, product),
      );
    return { text, origin: originOf(found) };
  },
});

/** All pages; above 50,000, the most recently changed. */
export const sitemapXml = readOf<List>({
  contentType: 'application/xml; charset=utf-8',
  isLong: true,
  find: (db, { params }) => findList(db, params),
  present: (found, { params, site: { links } }, visible) => {
    const text: WriteBody = async (out, read) => {
      let pages = [crawlers.listPage(links.listUrl())];
      let team: string | null = null;
      let productCount = 0;
      for await (const product of allProducts(found, params, read)) {
        const path = { team: product.teamSlug, product: product.productSlug };
        const { found: own } = await read((db) => findVersions(db, path, visible));
        if (own === undefined || own.writtenAt > found.writtenAt) throw new ContentChanged();
        pages.push(...crawlers.sitemapPages(links, product, own.versions, team));
        team = product.teamSlug;
        productCount += 1;
        if (pages.length > crawlers.SITEMAP_URLS_MAX * 2)
          pages = crawlers.newestPages(pages, crawlers.SITEMAP_URLS_MAX);
        await yieldToEventLoop();
      }
      // The home page of a server with one product is that product's page.
      const shown = crawlers.newestPages(
        productCount === 1 ? pages.slice(1) : pages,
        crawlers.SITEMAP_URLS_MAX,
      );
      await addFramed(out, crawlers.URL_SET, shown, crawlers.writePageUrl);
    };
    return { text, origin: ALL_TEAMS };
  },
});
