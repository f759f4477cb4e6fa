// Records as JSON. Of a product: its changelog or a page of it (R32), a version, the changes between two (R33), and what is new
// (R55). Of a team: its products, and the versions of all of them (R64).
import type { VisibleRows } from '../../domain/access/visibility.ts';
import { andThen } from '../../domain/maybe-promise.ts';
import { LABEL_CHARACTERS_MAX, LABEL_PATTERN } from '../../domain/model.ts';
import { text } from '../../domain/schema.ts';
import { isPrerelease, versionOrder } from '../../domain/version-order.ts';
import {
  formatChangelog,
  onlyMatching,
  presentChangelog,
  presentProducts,
  presentRange,
  presentSummary,
  presentTimeline,
  presentUpdate,
  presentVersion,
  type Version,
} from '../../present/changelog.ts';
import { alternateLink, type ProductUrls } from '../../present/links.ts';
import { addFramed, type Frame } from '../../present/outputs/output.ts';
import { findFeed } from '../../store/read/find-feed.ts';
import { findUpdate, type UpdateQuery, type UpdateRow } from '../../store/read/find-update.ts';
import { findVersion } from '../../store/read/find-version.ts';
import { findTeamList } from '../../store/read/lists/listing.ts';
import { findTimeline } from '../../store/read/lists/timeline.ts';
import { findPage, type PageRow } from '../../store/read/pages.ts';
import { type HeadRow, mapFound } from '../../store/read/reads.ts';
import type { WriteBody } from '../cache/body.ts';
import {
  type Ending,
  FEED_PARAMETERS,
  olderQuery,
  PAGE_VERSIONS_MAX,
  ParameterError,
  type Parameters,
  pageUpTo,
  type Query,
  RANGE_PARAMETERS,
  TRUE_OR_FALSE,
} from '../query.ts';
import { type Read, type ReadRequest, readOf } from '../read.ts';
import { findRange, isShortRange } from './outputs.ts';
import { allChanges, allItems } from './writing.ts';

/** Versions to read at a time when all are wanted. */
const BATCH_VERSIONS = 500;

const batchOf = ({ query: { feed } }: ReadRequest) => ({ ...feed, limit: feed.limit ?? BATCH_VERSIONS });

/** One page, or all versions that match. */
const changelogPart = readOf({
  find: (db, request, visible) => findPage(db, request.params, visible, batchOf(request)),
  present: (found, request, visible) => {
    const { params: path, query } = request;
    const { head: origin } = found;
    const page = linkToPage(request, origin, visible);
    const { data } = presentChangelog(found);
    if (query.feed.limit === null && found.end !== null) {
      const text: WriteBody = (out, read) => {
        const versions = allItems(found, read, {
          findAfter: (db, after) => findPage(db, path, visible, { ...batchOf(request), after }),
          itemsOf: (page) => page.versions.map(presentSummary),
        });
        return addFramed(out, frameJson(data, 'versions'), versions, JSON.stringify);
      };
      return { text, link: page, isLong: true, origin, writtenAt: found.writtenAt };
    }
    const links = [linkToNext(request, found), page].filter((each) => each !== undefined);
    const full = found.versions.map((version) => ({ ...version, head: origin }));
    const text = writeVersions(data, full, request);
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

/** The value of the `Link` header for the next page; undefined for the last one. */
function linkToNext(request: ReadRequest, ending: Ending): string | undefined {
  const older = olderQuery(request, ending);
  return older === null ? undefined : `<${request.site.baseUrl}${request.path}${older}>; rel="next"`;
}

/** Around the items of the list that ends a record, each of which is written on its own. */
function frameJson(record: object, list: string): Frame {
  const text = JSON.stringify({ data: { ...record, [list]: [] } });
  const end = ']}}';
  return { start: text.slice(0, -end.length), between: ',', end };
}

/** A record, with full records of its versions instead of their summaries if the query asks for them. */
function writeVersions(
  data: object,
  versions: readonly (PageRow & Readonly<{ head: HeadRow }>)[],
  { query, render }: ReadRequest,
): string | WriteBody {
  if (!query.feed.withChanges) return JSON.stringify({ data });
  return (out) =>
    addFramed(out, frameJson(data, 'versions'), versions, async (version) =>
      JSON.stringify(await presentVersion(version.head, version, render)),
    );
}

export const versionJson = readOf({
  operation: {
    name: 'Version',
    summary: 'One version with its changes.',
    description: 'A version is found only under its own team, product and changelog.',
    bodies: ['VersionEnvelope'],
  },
  find: (db, { params }, visible) => findVersion(db, params, params.versionId, visible),
  present: (found, { params: path, render }, visible) => {
    const { head, version } = found;
    const text: WriteBody = async (out, read) => {
      const changes = await allChanges(found, { path, visible, read });
      const record = await presentVersion(head, { ...version, changes }, render);
      await addFramed(out, frameJson(record, 'changes'), record.changes, JSON.stringify);
    };
    return { text, origin: head };
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
  isLong: true,
  find: findRange,
  present: ({ head, versions }, request, visible) => {
    const { given, feed } = request.query;
    const [from, to] = [given.from?.[0] ?? null, given.to?.[0] ?? null];
    const text: WriteBody = async (out) => {
      const records: Version[] = [];
      for (const version of versions)
        records.push(await presentVersion(head, onlyMatching(feed, version), request.render));
      await out.add(JSON.stringify({ data: presentRange(head, { from, to }, records) }));
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
    default: 'false',
    parse: ([value]) => ({ withPrereleases: value === 'true' }),
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
    limit: { ...pageUpTo(PRODUCTS_MAX, 'products'), component: 'productsLimit' },
    cursor: FEED_PARAMETERS.cursor,
  },
  find: (db, { params: { team }, query: { feed }, products }, visible) =>
    findTeamList(db, { team, after: feed.after, limit: feed.limit ?? PRODUCTS_MAX, products }, visible),
  present: (found, request, visible) => ({
    text: JSON.stringify(presentProducts(found, visible.team ? request.site.links : null)),
    link: linkToNext(request, found),
    origin: { teamId: found.teamId, productId: null },
  }),
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
    limit: { ...pageUpTo(PAGE_VERSIONS_MAX, 'versions'), component: 'timelineLimit' },
  },
  isLong: ({ feed }) => feed.withChanges,
  find: (db, { params, query: { feed }, products }, visible) =>
    findTimeline(db, params.team, visible, { ...feed, limit: feed.limit ?? PAGE_VERSIONS_MAX }, products),
  present: (found, request) => ({
    text: writeVersions(presentTimeline(found).data, found.versions, request),
    link: linkToNext(request, found),
    origin: { teamId: found.teamId, productId: null },
  }),
});
