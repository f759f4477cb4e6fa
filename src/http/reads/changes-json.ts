import type { VisibleRows } from '../../domain/access/visibility.ts';
import type { FeedQuery } from '../../domain/feed-query.ts';
import { ApiError } from '../../errors.ts';
import { withLinkBase } from '../../present/html/relative-links.ts';
import { type RangeChange, RangeEnvelope } from '../../present/schemas.ts';
import { groupRange, presentRange, presentRangeChange, textsOf } from '../../present/version.ts';
import type { Reader } from '../../store/engine/engine.ts';
import { findPage, type Page } from '../../store/read/pages.ts';
import type { AtRevision, ProductPath } from '../../store/read/reads.ts';
import type { WriteBody } from '../cache/body.ts';
import { JSON_TYPE } from '../pipeline/send.ts';
import { RANGE_PARAMETERS } from '../query/parameters.ts';
import { CLOSE_ENVELOPE, openEnvelope } from './json.ts';
import { CHANGELOG_PATTERN, type Resource } from './read.ts';

/** A range is one response, of bounded length (R51). */
const RANGE_VERSIONS_MAX = 500;
const RANGE_CHANGES_MAX = 5_000;

/** All changes between two versions (R33). */
export const rangeResource: Resource = {
  pattern: `${CHANGELOG_PATTERN}/changes`,
  surfaces: ['public', 'team'],
  name: 'Changes',
  summary: 'All changes between two versions.',
  description:
    'All changes after `from`, up to and including `to`: grouped by type, breaking changes first, each with its version. A range of more than 500 versions or 5,000 changes is 400.',
  parameters: RANGE_PARAMETERS,
  contentType: JSON_TYPE,
  bodies: [RangeEnvelope],
  isLong: () => true,
  find: async (db, { params, query, render }, visible) => {
    const { from, to, feed } = query;
    const { revision, found } = await findRange(db, params, visible, feed);
    if (found === undefined) return { revision, found };
    const { head, versions } = found;
    const renderResolved = withLinkBase(render, head.linkBase);
    const text: WriteBody = async (out) => {
      const changes: RangeChange[] = [];
      for (const version of versions) {
        const html = await renderResolved(textsOf(version.changes));
        for (const [index, change] of version.changes.entries())
          changes.push(presentRangeChange(version, change, html[index] as string));
      }
      const groups = groupRange(changes, feed.types);
      const changeCount = groups.reduce((sum, group) => sum + group.changes.length, 0);
      await out.add(openEnvelope(presentRange(head, { from, to, changeCount })));
      for (const [index, { type, changes }] of groups.entries()) {
        await out.add(`${index === 0 ? '' : ','}{"type":${JSON.stringify(type)},"changes":[`);
        await out.addList(changes, (change) => JSON.stringify(change));
        await out.add(']}');
      }
      await out.add(CLOSE_ENVELOPE);
    };
    return { revision, found: { text, origin: head } };
  },
};

/** The versions of a range, with their changes. */
export async function findRange(
  db: Reader,
  path: ProductPath,
  visible: VisibleRows,
  feed: FeedQuery,
): Promise<AtRevision<Page>> {
  const limits = { limit: RANGE_VERSIONS_MAX, withChanges: true };
  const range = await findPage(db, path, visible, { ...feed, ...limits });
  if (range.found !== undefined) requireShortRange(range.found);
  return range;
}

function requireShortRange({ versions, end }: Page): void {
  const changes = versions.reduce((sum, { changeCount }) => sum + changeCount, 0);
  if (end === null && changes <= RANGE_CHANGES_MAX) return;
  throw new ApiError('bad_request', {
    message: `The range has more than ${RANGE_VERSIONS_MAX} versions, ${RANGE_CHANGES_MAX} changes or 2 MB of text. Narrow it with from, to or type.`,
  });
}
