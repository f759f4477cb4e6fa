import { presentProducts } from '../../../present/team.ts';
import { findTeamList } from '../../../store/read/lists/listing.ts';
import { JSON_TYPE } from '../../pipeline/send.ts';
import { requireOwnCursor } from '../../query/cursor.ts';
import { FEED_PARAMETERS, limitUpTo } from '../../query/parameters.ts';
import { linkToNext } from '../../query/query.ts';
import { readOf } from '../../read.ts';
import { afterOf, endOf } from '../../writing/product-list.ts';

const PRODUCTS_MAX = 100;

/** The products of a team, a page at a time (R64). */
export const productsJson = readOf({
  operation: {
    name: 'Products',
    summary: 'The products of a team.',
    description:
      'Those that are visible on this surface and have a changelog, each with its newest published version: a page of them, with a `Link` to the next.',
    bodies: ['ProductsEnvelope'],
  },
  parameters: {
    limit: {
      ...limitUpTo(
        PRODUCTS_MAX,
        `Maximum number of products. If there are more, a \`Link\` header with \`rel="next"\` has the URL of the next page. Default: ${PRODUCTS_MAX}.`,
      ),
      component: 'productsLimit',
    },
    cursor: FEED_PARAMETERS.cursor,
  },
  contentType: JSON_TYPE,
  find: (db, request, visible) => {
    const { params, query, products } = request;
    const limit = query.feed.limit ?? PRODUCTS_MAX;
    return findTeamList(db, { team: params.team, after: afterOf(request), limit, products }, visible);
  },
  present: (found, request, visible) => {
    requireOwnCursor(request, found);
    return {
      text: JSON.stringify(presentProducts(found, visible.team ? request.site.links : null)),
      link: linkToNext(request, endOf(found)),
      origin: { teamId: found.teamId, productId: null },
    };
  },
});
