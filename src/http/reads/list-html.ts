// Lists of changelogs: one team's, and all teams' (R40).
import { productPath } from '../../present/page-paths.ts';
import { writeListPage } from '../../present/pages/list-page.ts';
import type { ListView } from '../../present/pages/views.ts';
import { ALL_TEAMS } from '../../store/engine/touches.ts';
import {
  findAllList,
  findTeamList,
  type ListedProduct,
  type ProductList,
} from '../../store/read/lists/listing.ts';
import type { Representation } from '../cache/make-response.ts';
import { HTML_TYPE } from '../pipeline/send.ts';
import { contextOf, formatCursor, requireOwnCursor } from '../query/cursor.ts';
import { olderQuery } from '../query/page-query.ts';
import { FEED_PARAMETERS } from '../query/parameters.ts';
import { type Read, type ReadRequest, readOf } from '../read.ts';
import { asPage } from '../writing/page.ts';
import { afterOf, endOf } from '../writing/product-list.ts';
import { changelogAt } from './changelog-html.ts';

const LIST_PRODUCTS = 100;

const LIST = {
  contentType: HTML_TYPE,
  parameters: { cursor: FEED_PARAMETERS.cursor },
} as const;

export const teamHtml = readOf({
  ...LIST,
  find: (db, request) =>
    findTeamList(db, { team: request.params.team, after: afterOf(request), limit: LIST_PRODUCTS }),
  present: (found, request) => ({
    ...writeList(request, found.team, found),
    origin: { teamId: found.teamId, productId: null },
  }),
});

const allHtml = readOf({
  ...LIST,
  find: (db, request) => findAllList(db, { after: afterOf(request), limit: LIST_PRODUCTS }),
  present: (found, request) => ({ ...writeList(request, null, found), origin: ALL_TEAMS }),
});

const onlyHtml = changelogAt('home');

/** The changelog of the only public product, with its parameters, or else the list of all. */
export const homeHtml: Read = {
  ...LIST,
  parameters: FEED_PARAMETERS,
  form: 'changelog',
  find: async (db, request, visible) => {
    const { revision, found: first } = await findAllList(db, { after: null, limit: 1 });
    const [only] = first?.end === null ? first.products : [];
    const page = only && (await onlyHtml.find(db, { ...request, ...placeOf(only) }, visible));
    if (page?.found === undefined) return await allHtml.find(db, request, visible);
    return {
      // A write in between may have published another product.
      revision: Math.min(revision, page.revision),
      found: { ...page.found, origin: ALL_TEAMS, isLong: true },
    };
  },
};

/** What its own page is asked for with. */
function placeOf(product: ListedProduct): Pick<ReadRequest, 'params' | 'path'> {
  const { teamSlug: team, productSlug } = product;
  return { params: { team, product: productSlug, versionId: '' }, path: productPath(product) };
}

function writeList(
  request: ReadRequest,
  team: ListView['team'],
  found: ProductList,
): Pick<Representation, 'text' | 'head'> {
  requireOwnCursor(request, found);
  const { path, query, site } = request;
  const { products, cursorKey } = found;
  const { end } = endOf(found);
  const moreUrl = end && olderQuery(request, formatCursor(cursorKey, contextOf(path, query), end));
  const text = writeListPage(site, {
    team,
    products,
    isContinued: query.cursor !== null,
    moreUrl,
  });
  return asPage(site, null, (out) => out.add(text));
}
