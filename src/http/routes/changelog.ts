import { andThen } from '../../domain/maybe-promise.ts';
import { formatChangelog, presentChangelog, presentSummary } from '../../present/changelog.ts';
import { withLinkBase } from '../../present/html/relative-links.ts';
import { ChangelogEnvelope, FullChangelogEnvelope } from '../../present/schemas.ts';
import { presentFull, textsOf } from '../../present/version.ts';
import { findPage, type Page } from '../../store/read/pages.ts';
import { findFeed } from '../../store/read/reads.ts';
import type { WriteBody } from '../cache/respond.ts';
import { JSON_TYPE } from '../line/send.ts';
import { formatCursor, isSigned } from '../query/cursor.ts';
import { FEED_PARAMETERS, parameterError } from '../query/parameters.ts';
import { nextPageQuery, type Query } from '../query/query.ts';
import { CHANGELOG_PATTERN, type Resource, type ResourceRequest } from './read-route.ts';
import { remainingVersions } from './walk.ts';
import { CLOSE_ENVELOPE, openEnvelope, writeVersion } from './write.ts';

/** Versions to read at a time where all of them are wanted. */
const BATCH_VERSIONS = 500;

export const changelogResource: Resource = {
  pattern: CHANGELOG_PATTERN,
  surfaces: ['public', 'team'],
  name: 'Changelog',
  summary: 'The changelog of a product.',
  description:
    'All versions that are visible on this surface, each as a summary. Parameters filter or page them; without any, all are listed.',
  parameters: FEED_PARAMETERS,
  contentType: JSON_TYPE,
  bodies: [ChangelogEnvelope, FullChangelogEnvelope],
  isLong: ({ text, feed }) => text !== '' && (feed.withChanges || feed.limit === null),
  find: (db, request, visible) => {
    if (request.query.text !== '') return findPart(db, request, visible);
    return andThen(findFeed(db, request.params, visible), ({ revision, found }) => {
      if (found === undefined) return { revision, found };
      return { revision, found: { text: formatChangelog(found), origin: found.head } };
    });
  },
};

/** The versions that match a filter, or a page of them (R32). */
const findPart: Resource['find'] = async (db, request, visible) => {
  const { feed } = request.query;
  const query = { ...feed, limit: feed.limit ?? BATCH_VERSIONS };
  const { revision, found } = await findPage(db, request.params, visible, query);
  if (found === undefined) return { revision, found };
  requireOwnCursor(request, found);
  const { head: origin } = found;
  if (feed.limit === null && found.end !== null) {
    const text: WriteBody = async (out, read) => {
      await out.add(openEnvelope(presentChangelog({ ...found, versions: [] })));
      const versions = remainingVersions(found, { path: request.params, visible, query, read });
      await out.addList(versions, (version) => JSON.stringify(presentSummary(version)));
      await out.add(CLOSE_ENVELOPE);
    };
    return { revision, found: { text, origin } };
  }
  const text = feed.withChanges ? writeFullPage(found, request) : JSON.stringify(presentChangelog(found));
  return { revision, found: { text, link: linkToNext(request, found), origin } };
};

function writeFullPage({ head, versions }: Page, request: ResourceRequest): WriteBody {
  const render = withLinkBase(request.render, head.linkBase);
  return async (out) => {
    await out.add(openEnvelope(presentChangelog({ head, versions: [] })));
    for (const [index, version] of versions.entries()) {
      if (index > 0) await out.add(',');
      await writeVersion(out, presentFull(head, version, await render(textsOf(version.changes))));
    }
    await out.add(CLOSE_ENVELOPE);
  };
}

/** A cursor is valid for the path and the filter that it was issued for. */
export const contextOf = (path: string, { filterText }: Query) => `${path}?${filterText}`;

export function requireOwnCursor(
  { path, query }: Readonly<{ path: string; query: Query }>,
  { cursorKey }: Pick<Page, 'cursorKey'>,
): void {
  if (query.cursor !== null && !isSigned(query.cursor, cursorKey, contextOf(path, query)))
    throw parameterError('cursor');
}

function linkToNext({ baseUrl, path, query }: ResourceRequest, { end, cursorKey }: Page): string | undefined {
  if (end === null) return undefined;
  const cursor = formatCursor(cursorKey, contextOf(path, query), end);
  return `<${baseUrl}${path}${nextPageQuery(query, cursor)}>; rel="next"`;
}
