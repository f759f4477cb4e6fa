// A product's changelog as JSON: all of it or a page (R32), a version, the changes between two (R33), and what is new (R55).
import type { VisibleRows } from '../../domain/access/visibility.ts';
import { andThen } from '../../domain/maybe-promise.ts';
import { LABEL_CHARACTERS_MAX, LABEL_PATTERN } from '../../domain/model.ts';
import { text } from '../../domain/schema.ts';
import { isPrerelease, versionOrder } from '../../domain/version-order.ts';
import {
  formatChangelog,
  onlyMatching,
  presentChangelog,
  presentRange,
  presentSummary,
  presentUpdate,
  presentVersion,
} from '../../present/changelog.ts';
import { alternateLink, type ProductUrls } from '../../present/links.ts';
import type { Version } from '../../present/records.ts';
import { findFeed } from '../../store/read/find-feed.ts';
import { findUpdate, type UpdateQuery, type UpdateRow } from '../../store/read/find-update.ts';
import { findVersion } from '../../store/read/find-version.ts';
import { findPage, type PageRow } from '../../store/read/pages.ts';
import { type HeadRow, mapFound } from '../../store/read/reads.ts';
import type { Render } from '../../text/render.ts';
import type { BodyWriter, WriteBody } from '../cache/body.ts';
import { JSON_TYPE } from '../pipeline/send.ts';
import {
  FEED_PARAMETERS,
  ParameterError,
  type Parameters,
  RANGE_PARAMETERS,
  TRUE_OR_FALSE,
} from '../query/parameters.ts';
import { linkToNext, type Query, requireOwnCursor } from '../query/query.ts';
import { type Read, type ReadRequest, readOf } from '../read.ts';
import { allChanges, remainingVersions, writeWithList } from '../writing/walk.ts';
import { findRange, isShortRange } from './notes.ts';

/** Versions to read at a time when all are wanted. */
const BATCH_VERSIONS = 500;

const batchOf = ({ query: { feed } }: ReadRequest) => ({ ...feed, limit: feed.limit ?? BATCH_VERSIONS });

/** One page, or all versions that match. */
const changelogPart = readOf({
  contentType: JSON_TYPE,
  find: (db, request, visible) => findPage(db, request.params, visible, batchOf(request)),
  present: (found, request, visible) => {
    requireOwnCursor(request, found);
    const { params: path, query, render } = request;
    const { head: origin } = found;
    const page = linkToPage(request, origin, visible);
    if (query.feed.limit === null && found.end !== null) {
      const text: WriteBody = (out, read) => {
        const versions = remainingVersions(found, { path, visible, query: batchOf(request), read });
        return writeWithList(out, presentChangelog({ ...found, versions: [] }), versions, presentSummary);
      };
      return { text, link: page, isLong: true, origin };
    }
    const links = [linkToNext(request, found), page].filter((each) => each !== undefined);
    const versions = found.versions.map((version) => ({ ...version, head: origin }));
    const text = query.feed.withChanges
      ? writeVersions(presentChangelog({ ...found, versions: [] }), versions, render)
      : JSON.stringify(presentChangelog(found));
    return { text, link: links.join(', ') || undefined, origin };
  },
});

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
    if (request.query.text !== '') return changelogPart.find(db, request, visible);
    const feed = findFeed(db, request.params, visible);
    return andThen(feed, (read) =>
      read.found?.isWhole === false
        ? changelogPart.find(db, request, visible)
        : mapFound(read, (found) => ({
            text: formatChangelog(found),
            link: linkToPage(request, found.head, visible),
            origin: found.head,
          })),
    );
  },
};

/** Programs that link to the page of a product with its own domain find it here; the others know where it is. */
function linkToPage({ site: { links } }: ReadRequest, head: HeadRow, { team }: VisibleRows) {
  if (links.ownRoot(head.domain) === null || team === undefined) return undefined;
  return alternateLink(links.urlsOf(head).changelog, 'text/html');
}

/** Full records in an envelope whose list is empty. */
export function writeVersions(
  envelope: object,
  versions: readonly (PageRow & Readonly<{ head: HeadRow }>)[],
  render: Render,
): WriteBody {
  return async (out) => {
    const json = JSON.stringify(envelope);
    const end = json.lastIndexOf(']');
    await out.add(json.slice(0, end));
    for (const [index, version] of versions.entries()) {
      if (index > 0) await out.add(',');
      await writeVersion(out, await presentVersion(version.head, version, render));
    }
    await out.add(json.slice(end));
  };
}

/** A version may have very many changes. */
const writeVersion = (out: BodyWriter, version: Version) =>
  writeWithList(out, { ...version, changes: [] }, version.changes);

export const versionJson = readOf({
  operation: {
    name: 'Version',
    summary: 'One version with its changes.',
    description: 'A version is found only under its own team, product and changelog.',
    bodies: ['VersionEnvelope'],
  },
  contentType: JSON_TYPE,
  find: (db, { params }, visible) => findVersion(db, params, params.versionId, visible),
  present: (found, { params: path, render }, visible) => {
    const { head, version, changes, end } = found;
    const writeShort: WriteBody = (out) =>
      andThen(presentVersion(head, { ...version, changes }, render), (data) =>
        out.add(JSON.stringify({ data })),
      );
    const writeLong: WriteBody = async (out, read) => {
      const all = await allChanges(found, { path, visible, read });
      await out.add('{"data":');
      await writeVersion(out, await presentVersion(head, { ...version, changes: all }, render));
      await out.add('}');
    };
    return { text: end === null ? writeShort : writeLong, origin: head };
  },
});

export const changesJson = readOf({
  operation: {
    name: 'Changes',
    summary: 'All changes between two versions.',
    description:
      'All changes after `from`, up to and including `to`: grouped by type, in each type breaking changes first, each with its version. `versions` are all versions of the range, newest first, with their descriptions. A range of more than 500 versions or 5,000 changes is 400.',
    bodies: ['RangeEnvelope'],
  },
  parameters: RANGE_PARAMETERS,
  contentType: JSON_TYPE,
  isLong: true,
  find: findRange,
  present: ({ head, versions }, request, visible) => {
    const { given, feed } = request.query;
    const [from, to] = [given.from?.[0] ?? null, given.to?.[0] ?? null];
    const text: WriteBody = async (out) => {
      const records: Version[] = [];
      for (const version of versions)
        records.push(await presentVersion(head, onlyMatching(feed, version), request.render));
      const { groups, versions: texts, ...range } = presentRange(head, { from, to }, records);
      await out.add(JSON.stringify({ data: { ...range, groups: [] } }).slice(0, -']}}'.length));
      for (const [index, { type, changes }] of groups.entries()) {
        if (index > 0) await out.add(',');
        await writeWithList(out, { type, changes: [] }, changes);
      }
      await out.add('],"versions":[');
      await out.addList(texts, (version) => JSON.stringify(version));
      await out.add(']}}');
    };
    return { text, link: linkToPage(request, head, visible), origin: head };
  },
});

export const UPDATE_PARAMETERS = {
  from: {
    schema: text({ pattern: LABEL_PATTERN, maxLength: LABEL_CHARACTERS_MAX }),
    expected: 'the label of a version of this changelog, or a semantic version, such as 1.4.0',
    component: 'updateFrom',
    description:
      'The label of the version in use. A semantic version need not be in the changelog; any other label must. Without it, the response has only `latest`.',
    example: '1.4.0',
  },
  prerelease: {
    ...TRUE_OR_FALSE,
    component: 'updatePrerelease',
    description: '`true` counts prereleases such as 2.0.0-rc.1, and `latest` may be one.',
    example: 'false',
    parse: ([value]) => ({ withPrereleases: value === 'true' }),
    format: ({ withPrereleases }) => (withPrereleases ? ['true'] : []),
  },
} as const satisfies Parameters;

export const updateJson = readOf({
  operation: {
    name: 'Update',
    summary: 'Whether there is a newer version.',
    description:
      "What's new after the version in use, up to the latest one: how much, whether it has security or breaking changes, and the page to read. Versions are compared as semantic versions, and by date where a label is not one.",
    bodies: ['UpdateEnvelope'],
  },
  parameters: UPDATE_PARAMETERS,
  contentType: JSON_TYPE,
  find: (db, { params, query }, visible) => findUpdate(db, params, askedBy(query), visible),
  present: (found, { query, site: { links } }) => {
    if (found.from?.known === false && !found.from.isOrderable)
      throw new ParameterError('from', UPDATE_PARAMETERS.from);
    const url = pageToRead(links.urlsOf(found.head), found, askedBy(query));
    return { text: JSON.stringify(presentUpdate(found, url)), origin: found.head };
  },
});

const askedBy = ({ given: { from, prerelease } }: Query): UpdateQuery => ({
  from: from?.[0] ?? null,
  withPrereleases: prerelease?.[0] === 'true',
});

/** The page with exactly what was counted, if there can be one. */
function pageToRead(pages: ProductUrls, found: UpdateRow, { withPrereleases }: UpdateQuery): string {
  const { from, latest, versionCount, changeCount } = found;
  if (latest === null) return pages.changelog;
  const isComparable = from?.isOrderable && versionOrder(latest.label) !== null;
  if (!isComparable || versionCount === 0 || !isShortRange(versionCount, changeCount))
    return pages.version(latest);
  const stable = !withPrereleases && !isPrerelease(latest.label) && { prerelease: 'false' };
  const query = new URLSearchParams({ from: from.version, to: latest.label, ...stable });
  return pages.changes(`?${query}`) ?? pages.version(latest);
}
