import type { VisibleRows } from '../../domain/access/visibility.ts';
import { andThen } from '../../domain/maybe-promise.ts';
import {
  formatChangelog,
  presentChangelog,
  presentSummary,
  presentVersion,
} from '../../present/changelog.ts';
import type { Reader } from '../../store/engine/engine.ts';
import { findFeed } from '../../store/read/find-feed.ts';
import { findPage, type Page } from '../../store/read/pages.ts';
import type { AtRevision } from '../../store/read/reads.ts';
import { type BodyWriter, ContentChanged, type ReadMore, type WriteBody } from '../cache/body.ts';
import { JSON_TYPE } from '../pipeline/send.ts';
import { requireOwnCursor } from '../query/cursor.ts';
import { FEED_PARAMETERS } from '../query/parameters.ts';
import { linkToNext } from '../query/query.ts';
import type { Read, ReadRequest } from '../read.ts';
import { CLOSE_ENVELOPE, openEnvelope, writeVersion } from '../writing/json.ts';
import { linkToPage } from '../writing/page-link.ts';
import { remainingVersions } from '../writing/walk.ts';

/** Versions to read at a time when all are wanted. */
const BATCH_VERSIONS = 500;

export const changelogJson: Read = {
  operation: {
    name: 'Changelog',
    summary: 'The changelog of a product.',
    description:
      'All versions that are visible on this surface, each as a summary. Parameters filter or page them; without any, all are listed.',
    bodies: ['ChangelogEnvelope', 'FullChangelogEnvelope'],
  },
  parameters: FEED_PARAMETERS,
  contentType: JSON_TYPE,
  isLong: ({ text, feed }) => text !== '' && (feed.withChanges || feed.limit === null),
  find: (db, request, visible) => {
    if (request.query.text !== '') return findPart(db, request, visible);
    return andThen(findFeed(db, request.params, visible), ({ revision, found }) => {
      if (found === undefined) return { revision, found };
      const { head: origin } = found;
      const link = linkToPage(request, origin, visible);
      if (found.isWhole) return { revision, found: { text: formatChangelog(found), link, origin } };
      const text: WriteBody = async (out, read) => {
        const { found: first } = await read((reader) => findFirst(reader, request, visible));
        if (first === undefined) throw new ContentChanged();
        await writeAll(out, read, first, request, visible);
      };
      return { revision, found: { text, link, isLong: true, origin } };
    });
  },
};

/** The versions that match a filter, or one page of them (R32). */
const findPart: Read['find'] = async (db, request, visible) => {
  const { feed } = request.query;
  const { revision, found } = await findFirst(db, request, visible);
  if (found === undefined) return { revision, found };
  requireOwnCursor(request, found);
  const { head: origin } = found;
  const page = linkToPage(request, origin, visible);
  if (feed.limit === null && found.end !== null) {
    const text: WriteBody = (out, read) => writeAll(out, read, found, request, visible);
    return { revision, found: { text, link: page, isLong: true, origin } };
  }
  const text = feed.withChanges ? writeFullPage(found, request) : JSON.stringify(presentChangelog(found));
  const links = [linkToNext(request, found), page].filter((each) => each !== undefined);
  return { revision, found: { text, link: links.join(', ') || undefined, origin } };
};

const batchOf = ({ query: { feed } }: ReadRequest) => ({ ...feed, limit: feed.limit ?? BATCH_VERSIONS });

function findFirst(db: Reader, request: ReadRequest, visible: VisibleRows): Promise<AtRevision<Page>> {
  return findPage(db, request.params, visible, batchOf(request));
}

/** All versions, one batch at a time. */
async function writeAll(
  out: BodyWriter,
  read: ReadMore,
  first: Page,
  request: ReadRequest,
  visible: VisibleRows,
): Promise<void> {
  await out.add(openEnvelope(presentChangelog({ ...first, versions: [] })));
  const walk = { path: request.params, visible, query: batchOf(request), read };
  await out.addList(remainingVersions(first, walk), (version) => JSON.stringify(presentSummary(version)));
  await out.add(CLOSE_ENVELOPE);
}

function writeFullPage({ head, versions }: Page, request: ReadRequest): WriteBody {
  return async (out) => {
    await out.add(openEnvelope(presentChangelog({ head, versions: [] })));
    for (const [index, version] of versions.entries()) {
      if (index > 0) await out.add(',');
      await writeVersion(out, await presentVersion(head, version, request.render));
    }
    await out.add(CLOSE_ENVELOPE);
  };
}
