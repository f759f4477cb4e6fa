// The products of a team and the versions of all of them, as JSON (R64).
import { type Shared, SharedChanges } from '../../domain/content/shared-changes.ts';
import { presentProducts, presentTimeline } from '../../present/team.ts';
import { findTeamList } from '../../store/read/lists/listing.ts';
import { findTimeline, type TimelineRow } from '../../store/read/lists/timeline.ts';
import { JSON_TYPE } from '../pipeline/send.ts';
import { FEED_PARAMETERS, limitUpTo, PAGE_VERSIONS_MAX } from '../query/parameters.ts';
import { linkToNext, requireOwnCursor } from '../query/query.ts';
import { readOf } from '../read.ts';
import { writeVersions } from './records.ts';

const upToOnPage = (maximum: number, items: string) =>
  limitUpTo(
    maximum,
    `Maximum number of ${items}. If there are more, a \`Link\` header with \`rel="next"\` has the URL of the next page. Default: ${maximum}.`,
  );

const PRODUCTS_MAX = 100;

export const productsJson = readOf({
  operation: {
    name: 'Products',
    summary: 'The products of a team.',
    description:
      'Those that are visible on this surface and have a changelog, each with its newest published version: a page of them, with a `Link` to the next.',
    bodies: ['ProductsEnvelope'],
  },
  parameters: {
    limit: { ...upToOnPage(PRODUCTS_MAX, 'products'), component: 'productsLimit' },
    cursor: FEED_PARAMETERS.cursor,
  },
  contentType: JSON_TYPE,
  find: (db, { params: { team }, query: { feed }, products }, visible) =>
    findTeamList(db, { team, after: feed.after, limit: feed.limit ?? PRODUCTS_MAX, products }, visible),
  present: (found, request, visible) => {
    requireOwnCursor(request, found);
    return {
      text: JSON.stringify(presentProducts(found, visible.team ? request.site.links : null)),
      link: linkToNext(request, found),
      origin: { teamId: found.teamId, productId: null },
    };
  },
});

export const timelineJson = readOf({
  operation: {
    name: 'Timeline',
    summary: 'The versions of all products of a team.',
    description:
      'All versions that are visible on this surface, each with its product: a page of the newest, with a `Link` to the next. Parameters filter them.',
    bodies: ['TimelineEnvelope', 'FullTimelineEnvelope'],
  },
  parameters: {
    ...FEED_PARAMETERS,
    limit: { ...upToOnPage(PAGE_VERSIONS_MAX, 'versions'), component: 'timelineLimit' },
  },
  contentType: JSON_TYPE,
  isLong: ({ feed }) => feed.withChanges,
  find: (db, { params, query: { feed }, products }, visible) =>
    findTimeline(db, params.team, visible, { ...feed, limit: feed.limit ?? PAGE_VERSIONS_MAX }, products),
  present: (found, request) => {
    requireOwnCursor(request, found);
    const { team, teamId, versions } = found;
    return {
      text: request.query.feed.withChanges
        ? writeVersions(presentTimeline({ team, versions: [] }), versions, request.render)
        : JSON.stringify(presentTimeline(found)),
      link: linkToNext(request, found),
      origin: { teamId, productId: null },
    };
  },
});

/** With each change that products share shown once among these versions. */
export async function* sharedVersions(
  versions: Iterable<TimelineRow> | AsyncIterable<TimelineRow>,
): AsyncGenerator<Shared<TimelineRow>> {
  const shared = new SharedChanges<TimelineRow>();
  for await (const version of versions) yield* shared.add(version);
  yield* shared.finish();
}
