import { oneOf } from '../../../domain/schema.ts';
import { teamPath } from '../../../present/page-paths.ts';
import { findTeamList } from '../../../store/read/lists/listing.ts';
import { findTimeline } from '../../../store/read/lists/timeline.ts';
import type { WriteBody } from '../../cache/body.ts';
import { HTML_TYPE, MARKDOWN_TYPE } from '../../pipeline/send.ts';
import { contextOf, formatCursor, requireOwnCursor } from '../../query/cursor.ts';
import { olderQuery } from '../../query/page-query.ts';
import { FEED_PARAMETERS, type Parameters } from '../../query/parameters.ts';
import { fullQuery } from '../../query/query.ts';
import { type Read, type ReadRequest, readOf } from '../../read.ts';
import { asPage } from '../../writing/page.ts';
import {
  TIMELINE_VERSIONS,
  type WriteTimeline,
  writeTimeline,
  writeTimelineMarkdown,
} from '../../writing/timeline-page.ts';
import { inStateOf } from '../../writing/walk.ts';
import { teamProductsAsMarkdown, teamProductsHtml } from '../list-html.ts';

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

const queryOf = ({ query }: ReadRequest) => fullQuery(query, TIMELINE_VERSIONS);

/** As a page, or as Markdown; a cursor of one is valid for the other. */
function timelineAs(contentType: string, write: WriteTimeline): Read {
  return readOf({
    contentType,
    find: (db, request, visible) => findTimeline(db, request.params.team, visible, queryOf(request), null),
    present: (found, asked, visible) => {
      const request = { ...asked, path: teamPath(found.team.slug) };
      requireOwnCursor(request, found);
      const { query, render, site, params, form, path } = request;
      const { end, cursorKey } = found;
      const isFirst = query.filterText === '' && query.cursor === null;
      const text: WriteBody = async (out, read) => {
        const readSame = inStateOf(found, read);
        const first = { team: params.team, after: null, limit: FIRST_PRODUCTS };
        const list = isFirst ? await readSame((db) => findTeamList(db, first)) : null;
        const view = {
          products: list?.products ?? [],
          productsUrl: list?.end ? ALL_PRODUCTS : null,
          form,
          isFiltered: query.filterText !== '',
          isContinued: query.cursor !== null,
          olderUrl: end && olderQuery(request, formatCursor(cursorKey, contextOf(path, query), end)),
        };
        const walk = { visible, query: queryOf(request), read };
        await write(out, found, view, { site, walk, renderOf: () => render });
      };
      const origin = { teamId: found.teamId, productId: null };
      if (contentType !== HTML_TYPE) return { text, origin };
      return { ...asPage(request, null, site.links.listUrl(params.team), text), origin };
    },
  });
}

export const teamHtml = teamOf(timelineAs(HTML_TYPE, writeTimeline), teamProductsHtml);
export const teamAsMarkdown = teamOf(
  timelineAs(MARKDOWN_TYPE, writeTimelineMarkdown),
  teamProductsAsMarkdown,
);

/** A team's products and the versions of all of them, or all its products. */
function teamOf(timeline: Read, products: Read): Read {
  return {
    contentType: timeline.contentType,
    parameters: PARAMETERS,
    form: 'timeline',
    isLong: ({ given }) => given.products === undefined,
    find: (db, request, visible) =>
      (request.query.given.products === undefined ? timeline : products).find(db, request, visible),
  };
}
