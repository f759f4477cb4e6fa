import { oneOf } from '../../../domain/schema.ts';
import { findTeamList } from '../../../store/read/lists/listing.ts';
import { findTimeline } from '../../../store/read/lists/timeline.ts';
import type { WriteBody } from '../../cache/body.ts';
import { HTML_TYPE } from '../../pipeline/send.ts';
import { contextOf, formatCursor, requireOwnCursor } from '../../query/cursor.ts';
import { olderQuery } from '../../query/page-query.ts';
import { FEED_PARAMETERS, type Parameters } from '../../query/parameters.ts';
import { type Read, type ReadRequest, readOf } from '../../read.ts';
import { asPage } from '../../writing/page.ts';
import { TIMELINE_VERSIONS, writeTimeline } from '../../writing/timeline-page.ts';
import { inStateOf } from '../../writing/walk.ts';
import { teamProductsHtml } from '../list-html.ts';

/** Four rows of three. The list of all products is a page of its own. */
const FIRST_PRODUCTS = 12;

const PARAMETERS = {
  ...FEED_PARAMETERS,
  products: {
    schema: oneOf(['all']),
    expected: 'all',
    description: '`all` lists the products instead of the versions.',
    example: 'all',
  },
} as const satisfies Parameters;

const ALL_PRODUCTS = '?products=all';

const queryOf = ({ query: { feed } }: ReadRequest) => ({
  ...feed,
  limit: feed.limit ?? TIMELINE_VERSIONS,
  withChanges: true,
});

const timelineHtml = readOf({
  contentType: HTML_TYPE,
  find: (db, request, visible) => findTimeline(db, request.params.team, visible, queryOf(request), null),
  present: (found, request, visible) => {
    requireOwnCursor(request, found);
    const { query: asked, render, site, params, form, path } = request;
    const { end, cursorKey } = found;
    const isFirst = asked.filterText === '' && asked.cursor === null;
    const text: WriteBody = async (out, read) => {
      const readSame = inStateOf(found, read);
      const first = { team: params.team, after: null, limit: FIRST_PRODUCTS };
      const list = isFirst ? await readSame((db) => findTeamList(db, first)) : null;
      const view = {
        products: list?.products ?? [],
        productsUrl: list?.end ? ALL_PRODUCTS : null,
        form,
        isFiltered: asked.filterText !== '',
        isContinued: asked.cursor !== null,
        olderUrl: end && olderQuery(request, formatCursor(cursorKey, contextOf(path, asked), end)),
      };
      const walk = { visible, query: queryOf(request), read };
      await writeTimeline(out, found, view, { site, walk, renderOf: () => render });
    };
    return {
      ...asPage(request, null, site.links.listUrl(params.team), text),
      origin: { teamId: found.teamId, productId: null },
    };
  },
});

/** A team's products and the versions of all of them, or all its products. */
export const teamHtml: Read = {
  contentType: HTML_TYPE,
  parameters: PARAMETERS,
  form: 'timeline',
  isLong: ({ given }) => given.products === undefined,
  find: (db, request, visible) =>
    (request.query.given.products === undefined ? timelineHtml : teamProductsHtml).find(db, request, visible),
};
