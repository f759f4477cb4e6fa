// Lists of changelogs: one team's, and all teams' (R40).
import { writeListMarkdown } from '../../present/markdown-pages.ts';
import { productPath, teamPath } from '../../present/page-paths.ts';
import { type ListView, writeListPage } from '../../present/pages/list-pages.ts';
import { ALL_TEAMS, type Origin } from '../../store/engine/touches.ts';
import {
  findAllList,
  findTeamList,
  type ListedProduct,
  type ProductList,
  type TeamList,
} from '../../store/read/lists/listing.ts';
import type { Representation } from '../cache/make-response.ts';
import { HTML_TYPE, MARKDOWN_TYPE } from '../pipeline/send.ts';
import { contextOf, formatCursor, requireOwnCursor } from '../query/cursor.ts';
import { olderQuery } from '../query/page-query.ts';
import { FEED_PARAMETERS } from '../query/parameters.ts';
import { type Read, type ReadRequest, type RowsRead, readOf } from '../read.ts';
import { asPage } from '../writing/page.ts';
import { afterOf, endOf } from '../writing/product-list.ts';
import { renderFirstChanges } from '../writing/rendered.ts';
import { changelogAsMarkdown, changelogAt } from './changelog-html.ts';

const LIST_PRODUCTS = 100;

const PARAMETERS = { cursor: FEED_PARAMETERS.cursor };

const TEAM = {
  parameters: PARAMETERS,
  find: (db, request) =>
    findTeamList(db, { team: request.params.team, after: afterOf(request), limit: LIST_PRODUCTS }),
} satisfies Partial<RowsRead<TeamList>>;

const ALL = {
  parameters: PARAMETERS,
  find: (db, request) => findAllList(db, { after: afterOf(request), limit: LIST_PRODUCTS }),
} satisfies Partial<RowsRead<ProductList>>;

const ofTeam = ({ teamId }: TeamList): Origin => ({ teamId, productId: null });

/** Reached from the page of a team with very many of them. */
export const teamProductsHtml = readOf({
  ...TEAM,
  contentType: HTML_TYPE,
  present: (found, request) => ({ ...writePage(request, found.team, found), origin: ofTeam(found) }),
});

const allHtml = readOf({
  ...ALL,
  find: (db, request) =>
    findAllList(db, { after: afterOf(request), limit: LIST_PRODUCTS, withChanges: true }),
  contentType: HTML_TYPE,
  present: (found, request) => ({ ...writePage(request, null, found), origin: ALL_TEAMS }),
});

export const homeHtml = homeOf(changelogAt('home'), allHtml);

/** The same for programs that read Markdown. A cursor of one is valid for the other. */
export const teamProductsAsMarkdown = readOf({
  ...TEAM,
  contentType: MARKDOWN_TYPE,
  present: (found, request) => ({ text: writeMarkdown(request, found.team, found), origin: ofTeam(found) }),
});

const allAsMarkdown = readOf({
  ...ALL,
  contentType: MARKDOWN_TYPE,
  present: (found, request) => ({ text: writeMarkdown(request, null, found), origin: ALL_TEAMS }),
});

export const homeAsMarkdown = homeOf(changelogAsMarkdown, allAsMarkdown);

/** The changelog of the only public product, with its parameters, or else the list of all. */
function homeOf(ofOnly: Read, ofAll: Read): Read {
  return {
    contentType: ofAll.contentType,
    parameters: FEED_PARAMETERS,
    form: 'changelog',
    find: async (db, request, visible) => {
      const { revision, found: first } = await findAllList(db, { after: null, limit: 1 });
      const [only] = first?.end === null ? first.products : [];
      const page = only && (await ofOnly.find(db, { ...request, ...placeOf(only) }, visible));
      if (page?.found === undefined) return await ofAll.find(db, request, visible);
      return {
        // A write in between may have published another product.
        revision: Math.min(revision, page.revision),
        found: { ...page.found, origin: ALL_TEAMS, isLong: true },
      };
    },
  };
}

/** What its own page is asked for with. */
function placeOf(product: ListedProduct): Pick<ReadRequest, 'params' | 'path'> {
  const { teamSlug: team, productSlug } = product;
  return { params: { team, product: productSlug, versionId: '' }, path: productPath(product) };
}

function writePage(
  request: ReadRequest,
  team: ListView['team'],
  found: ProductList,
): Omit<Representation, 'origin'> {
  const { site, render } = request;
  const view = viewOf(request, team, found);
  return asPage(request, null, site.links.listUrl(team?.slug), async (out) => {
    out.showImages(view.products.map(({ logo }) => logo));
    await out.add(
      writeListPage(site, { ...view, products: await renderFirstChanges(view.products, render) }),
    );
  });
}

function writeMarkdown(request: ReadRequest, team: ListView['team'], found: ProductList): string {
  const { links } = request.site;
  const view = viewOf(request, team, found);
  const moreUrl = view.moreUrl && links.markdownOf(links.listUrl(team?.slug)) + view.moreUrl;
  return writeListMarkdown(request.site, { ...view, moreUrl });
}

function viewOf(asked: ReadRequest, team: ListView['team'], found: ProductList): ListView {
  const request = { ...asked, path: team === null ? '/' : teamPath(team.slug) };
  requireOwnCursor(request, found);
  const { path, query } = request;
  const { end } = endOf(found);
  return {
    team,
    products: found.products,
    isContinued: query.cursor !== null,
    isFiltered: query.filterText !== '',
    moreUrl: end && olderQuery(request, formatCursor(found.cursorKey, contextOf(path, query), end)),
  };
}
