// Lists of changelogs: one team's, and all teams' (R40).
import type { FeedPosition } from '../../domain/feed-query.ts';
import { writeListPage } from '../../present/pages/list-page.ts';
import type { ListView } from '../../present/pages/views.ts';
import { ALL_TEAMS } from '../../store/engine/touches.ts';
import { findAllList, findTeamList, type ProductList } from '../../store/read/lists/listing.ts';
import type { ProductPath } from '../../store/read/reads.ts';
import type { Representation } from '../cache/make-response.ts';
import { HTML_TYPE } from '../pipeline/send.ts';
import { contextOf, formatCursor, requireOwnCursor } from '../query/cursor.ts';
import { olderQuery } from '../query/page-query.ts';
import { FEED_PARAMETERS } from '../query/parameters.ts';
import { type ReadRequest, readOf } from '../read.ts';
import { asPage } from '../writing/page.ts';

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

export const homeHtml = readOf({
  ...LIST,
  find: (db, request) => findAllList(db, { after: afterOf(request), limit: LIST_PRODUCTS }),
  present: (found, request) => ({ ...writeList(request, null, found), origin: ALL_TEAMS }),
});

function writeList(
  request: ReadRequest,
  team: ListView['team'],
  found: ProductList,
): Pick<Representation, 'text' | 'head'> {
  requireOwnCursor(request, found);
  const { path, query, site } = request;
  const { products, end, cursorKey } = found;
  const moreUrl =
    end && olderQuery(request, formatCursor(cursorKey, contextOf(path, query), positionOf(end)));
  const text = writeListPage(site, {
    team,
    products,
    isContinued: query.cursor !== null,
    moreUrl,
  });
  return asPage(site, null, (out) => out.add(text));
}

/** A cursor has two parts: the slugs of the team and the product. */
function positionOf({ team, product }: ProductPath): FeedPosition {
  return { sortKey: team, id: product };
}

function afterOf({ query }: ReadRequest): ProductPath | null {
  const position = query.cursor?.position;
  return position === undefined ? null : { team: position.sortKey, product: position.id };
}
