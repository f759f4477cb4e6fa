import { presentVersion } from '../../../present/changelog.ts';
import { presentTimeline } from '../../../present/team.ts';
import { findTimeline, type Timeline } from '../../../store/read/lists/timeline.ts';
import type { WriteBody } from '../../cache/body.ts';
import { JSON_TYPE } from '../../pipeline/send.ts';
import { requireOwnCursor } from '../../query/cursor.ts';
import { FEED_PARAMETERS, limitUpTo, PAGE_VERSIONS_MAX } from '../../query/parameters.ts';
import { linkToNext } from '../../query/query.ts';
import { type ReadRequest, readOf } from '../../read.ts';
import { CLOSE_ENVELOPE, openEnvelope, writeVersion } from '../../writing/json.ts';

/** The versions of all products of a team, a page at a time (R64). */
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
    limit: {
      ...limitUpTo(
        PAGE_VERSIONS_MAX,
        `Maximum number of versions. If there are more, a \`Link\` header with \`rel="next"\` has the URL of the next page. Default: ${PAGE_VERSIONS_MAX}.`,
      ),
      component: 'timelineLimit',
    },
  },
  contentType: JSON_TYPE,
  isLong: ({ feed }) => feed.withChanges,
  find: (db, { params, query: { feed }, products }, visible) =>
    findTimeline(db, params.team, visible, { ...feed, limit: feed.limit ?? PAGE_VERSIONS_MAX }, products),
  present: (found, request) => {
    requireOwnCursor(request, found);
    return {
      text: request.query.feed.withChanges
        ? writeFullPage(found, request)
        : JSON.stringify(presentTimeline(found)),
      link: linkToNext(request, found),
      origin: { teamId: found.teamId, productId: null },
    };
  },
});

function writeFullPage({ team, versions }: Timeline, { render }: ReadRequest): WriteBody {
  return async (out) => {
    await out.add(openEnvelope(presentTimeline({ team, versions: [] })));
    for (const [index, version] of versions.entries()) {
      if (index > 0) await out.add(',');
      await writeVersion(out, await presentVersion(version.head, version, render));
    }
    await out.add(CLOSE_ENVELOPE);
  };
}
