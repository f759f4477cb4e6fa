// What can be read of a product, on both surfaces: the changelog and its parts, and one version.
import { ApiError } from '../../errors.ts';
import { presentChangelog, presentSummary } from '../../present/changelog.ts';
import {
  Change,
  ChangelogEnvelope,
  FullChangelogEnvelope,
  RangeChange,
  RangeEnvelope,
  Version,
  VersionEnvelope,
  VersionSummary,
} from '../../present/schemas.ts';
import {
  groupRange,
  presentFull,
  presentRange,
  presentRangeChange,
  presentVersion,
  textsOf,
} from '../../present/version.ts';
import { recordWriter } from '../../present/write.ts';
import { findVersion } from '../../store/read/find-version.ts';
import { findPage, type Page } from '../../store/read/pages.ts';
import { findFeed } from '../../store/read/reads.ts';
import type { BodyWriter } from '../cache/body.ts';
import { formatCursor, isSigned } from '../query/cursor.ts';
import { FEED_PARAMETERS, parameterError, RANGE_PARAMETERS } from '../query/parameters.ts';
import { nextPageQuery, type Query } from '../query/query.ts';
import type { Resource, ResourceRequest, WriteBody } from './read-route.ts';
import { allChanges, remainingVersions } from './walk.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const BOTH = ['public', 'team'] as const;
const CHANGELOG = '/teams/:team/products/:product/changelog';

/** Versions that are read at a time where all of them are wanted. */
const SUMMARIES_AT_ONCE = 500;
/** A range is one response, and no longer than this (R51). */
const RANGE_VERSIONS_MAX = 500;
const RANGE_CHANGES_MAX = 5_000;

const writeChangelog = recordWriter(ChangelogEnvelope);
const writeSummary = recordWriter(VersionSummary);
const writeFull = recordWriter(Version);
const writeChange = recordWriter(Change);
const writeRange = recordWriter(RangeEnvelope);
const writeRangeChange = recordWriter(RangeChange);

export const changelogResource: Resource = {
  pattern: CHANGELOG,
  surfaces: BOTH,
  parameters: FEED_PARAMETERS,
  contentType: JSON_TYPE,
  answers: [ChangelogEnvelope, FullChangelogEnvelope],
  isLong: ({ text, feed }) => text !== '' && (feed.withChanges || feed.limit === null),
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
const findPart: Resource['find'] = async (db, asked, visible) => {
  const { feed } = asked.query;
  const query = { ...feed, limit: feed.limit ?? SUMMARIES_AT_ONCE };
  const { revision, found } = await findPage(db, asked.params, visible, query);
  if (found === undefined) return { revision, found };
  requireOwnCursor(asked, found);
  const origin = found.head;
  if (feed.withChanges)
    return { revision, found: { text: writeFullPage(found, asked), link: linkToNext(asked, found), origin } };
  if (feed.limit !== null || found.end === null) {
    const text = writeChangelog(presentChangelog(found));
    return { revision, found: { text, link: linkToNext(asked, found), origin } };
  }
  const text: WriteBody = async (out, read) => {
    await out.add(openEnvelope(found));
    let separator = '';
    for await (const version of remainingVersions(found, { path: asked.params, visible, query, read })) {
      await out.add(separator + writeSummary(presentSummary(version)));
      separator = ',';
    }
    await out.add(CLOSE_ENVELOPE);
  };
  return { revision, found: { text, origin } };
};

/** The changelog up to where its versions begin. */
function openEnvelope({ head }: Pick<Page, 'head'>): string {
  return writeChangelog(presentChangelog({ head, versions: [] })).slice(0, -CLOSE_ENVELOPE.length);
}

const CLOSE_ENVELOPE = ']}}';

function writeFullPage({ head, versions }: Page, { render }: ResourceRequest): WriteBody {
  return async (out) => {
    await out.add(openEnvelope({ head }));
    for (const [index, version] of versions.entries()) {
      if (index > 0) await out.add(',');
      await writeVersion(out, presentFull(head, version, await render(textsOf(version.changes))));
    }
    await out.add(CLOSE_ENVELOPE);
  };
}

/** Change by change: a version may have very many of them, and nobody should wait for all. */
async function writeVersion(out: BodyWriter, { changes, ...version }: Version): Promise<void> {
  await out.add(writeFull({ ...version, changes: [] }).slice(0, -CLOSE_VERSION.length));
  for (const [index, change] of changes.entries())
    await out.add((index === 0 ? '' : ',') + writeChange(change));
  await out.add(CLOSE_VERSION);
}

const CLOSE_VERSION = ']}';

/** A cursor is good for the address and the filter that it was given out for. */
const contextOf = (path: string, { filterText }: Query) => `${path}?${filterText}`;

function requireOwnCursor({ path, query }: ResourceRequest, { cursorKey }: Page): void {
  if (query.cursor !== null && !isSigned(query.cursor, cursorKey, contextOf(path, query)))
    throw parameterError('cursor');
}

function linkToNext({ baseUrl, path, query }: ResourceRequest, { end, cursorKey }: Page): string | undefined {
  if (end === null) return undefined;
  const cursor = formatCursor(cursorKey, contextOf(path, query), end);
  return `<${baseUrl}${path}${nextPageQuery(query, cursor)}>; rel="next"`;
}

export const versionResource: Resource = {
  pattern: `${CHANGELOG}/versions/:versionId`,
  surfaces: BOTH,
  parameters: [],
  contentType: JSON_TYPE,
  answers: [VersionEnvelope],
  isLong: () => false,
  find: async (db, { params, render }, visible) => {
    const name = decodeURIComponent(params.versionId);
    const { revision, found } = await findVersion(db, params, name, visible);
    if (found === undefined) return { revision, found };
    const text: WriteBody = async (out, read) => {
      const changes = await allChanges(found, (position) =>
        read((reader) => findVersion(reader, params, name, visible, position)),
      );
      const { data } = presentVersion({ ...found, changes }, await render(textsOf(changes)));
      await out.add('{"data":');
      await writeVersion(out, data);
      await out.add('}');
    };
    return { revision, found: { text, origin: found.head } };
  },
};

/** All changes between two versions (R33). */
export const rangeResource: Resource = {
  pattern: `${CHANGELOG}/changes`,
  surfaces: BOTH,
  parameters: RANGE_PARAMETERS,
  contentType: JSON_TYPE,
  answers: [RangeEnvelope],
  isLong: () => true,
  find: async (db, { params, query, render }, visible) => {
    const { from, to, feed } = query;
    const { revision, found } = await findPage(db, params, visible, {
      ...feed,
      limit: RANGE_VERSIONS_MAX,
      withChanges: true,
    });
    if (found === undefined) return { revision, found };
    requireShortRange(found);
    const { head, versions } = found;
    const text: WriteBody = async (out) => {
      const changes: RangeChange[] = [];
      for (const version of versions) {
        const html = await render(textsOf(version.changes));
        for (const [index, change] of version.changes.entries())
          changes.push(presentRangeChange(version, change, html[index] as string));
      }
      const groups = groupRange(changes, feed.types);
      const changeCount = groups.reduce((sum, group) => sum + group.changes.length, 0);
      await out.add(
        writeRange(presentRange(head, { from, to, changeCount })).slice(0, -CLOSE_ENVELOPE.length),
      );
      for (const [place, group] of groups.entries()) {
        await out.add(`${place === 0 ? '' : ','}{"type":${JSON.stringify(group.type)},"changes":[`);
        for (const [index, change] of group.changes.entries())
          await out.add((index === 0 ? '' : ',') + writeRangeChange(change));
        await out.add(']}');
      }
      await out.add(CLOSE_ENVELOPE);
    };
    return { revision, found: { text, origin: head } };
  },
};

function requireShortRange({ versions, end }: Page): void {
  const changes = versions.reduce((sum, { changeCount }) => sum + changeCount, 0);
  if (end === null && changes <= RANGE_CHANGES_MAX) return;
  throw new ApiError('bad_request', {
    message: `The range holds more than ${RANGE_VERSIONS_MAX} versions, ${RANGE_CHANGES_MAX} changes or 2 MB of text. Narrow it with from, to or type.`,
  });
}
