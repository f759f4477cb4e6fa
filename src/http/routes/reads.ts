// What can be read of a product, on both surfaces: the changelog and its parts, and one version.
import { presentChangelog } from '../../present/changelog.ts';
import {
  ChangelogEnvelope,
  FullChangelogEnvelope,
  RangeEnvelope,
  VersionEnvelope,
} from '../../present/schemas.ts';
import { recordWriter } from '../../present/write.ts';
import { findVersion } from '../../store/names.ts';
import { findPage, type Page } from '../../store/pages.ts';
import { findFeed } from '../../store/reads.ts';
import { isSealed, writeCursor } from '../cursor.ts';
import { FEED_PARAMETERS, RANGE_PARAMETERS, refuseParameter } from '../parameters.ts';
import { type Query, textOfNext } from '../query.ts';
import type { Asked, Read } from './read-route.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const BOTH = ['public', 'team'] as const;
const CHANGELOG = '/teams/:team/products/:product/changelog';

const writeChangelog = recordWriter(ChangelogEnvelope);
const writeFullChangelog = recordWriter(FullChangelogEnvelope);
const writeVersion = recordWriter(VersionEnvelope);
const writeRange = recordWriter(RangeEnvelope);

export const changelogRead: Read = {
  pattern: CHANGELOG,
  surfaces: BOTH,
  parameters: FEED_PARAMETERS,
  contentType: JSON_TYPE,
  answers: [ChangelogEnvelope, FullChangelogEnvelope],
  find: async (db, asked, visible) => {
    if (asked.query.text !== '') return await findPart(db, asked, visible);
    const { revision, found } = await findFeed(db, asked.params, visible);
    return {
      revision,
      found: found && { text: writeChangelog(presentChangelog(found)), origin: found.head },
    };
  },
};

/** What passes a filter, or a page of it (R32). */
const findPart: Read['find'] = async (db, asked, visible) => {
  const { revision, found } = await findPage(db, asked.params, visible, asked.query.feed);
  if (found === undefined) return { revision, found };
  refuseForeignCursor(asked, found);
  const { head, versions } = found;
  const text = asked.query.feed.withChanges
    ? async () => writeFullChangelog(await (await loadPresenter()).presentFullChangelog(head, versions))
    : writeChangelog(presentChangelog(found));
  return { revision, found: { text, link: linkToNext(asked, found), origin: head } };
};

/** A cursor is good for the address and the filter that it was given out for. */
const contextOf = (path: string, { filterText }: Query) => `${path}?${filterText}`;

function refuseForeignCursor({ path, query }: Asked, { cursorKey }: Page): void {
  if (query.cursor !== null && !isSealed(query.cursor, cursorKey, contextOf(path, query)))
    throw refuseParameter('cursor');
}

function linkToNext({ baseUrl, path, query }: Asked, { end, cursorKey }: Page): string | undefined {
  if (end === null) return undefined;
  const cursor = writeCursor(cursorKey, contextOf(path, query), end);
  return `<${baseUrl}${path}${textOfNext(query, cursor)}>; rel="next"`;
}

export const versionRead: Read = {
  pattern: `${CHANGELOG}/versions/:versionId`,
  surfaces: BOTH,
  parameters: [],
  contentType: JSON_TYPE,
  answers: [VersionEnvelope],
  find: async (db, { params }, visible) => {
    const name = decodeURIComponent(params.versionId);
    const { revision, found } = await findVersion(db, params, name, visible);
    if (found === undefined) return { revision, found };
    const { presentVersion } = await loadPresenter();
    return { revision, found: { text: writeVersion(presentVersion(found)), origin: found.head } };
  },
};

/** All changes between two versions (R33). */
export const rangeRead: Read = {
  pattern: `${CHANGELOG}/changes`,
  surfaces: BOTH,
  parameters: RANGE_PARAMETERS,
  contentType: JSON_TYPE,
  answers: [RangeEnvelope],
  find: async (db, { params, query }, visible) => {
    const { from, to, feed } = query;
    const { revision, found } = await findPage(db, params, visible, { ...feed, withChanges: true });
    if (found === undefined) return { revision, found };
    const text = async () => {
      const { presentRange } = await loadPresenter();
      return writeRange(await presentRange({ ...found, from, to, types: feed.types }));
    };
    return { revision, found: { text, origin: found.head } };
  },
};

/** Loaded after the start of which it would be a good part, or when it is asked for. */
export const loadPresenter = () => import('../../present/version.ts');
