// Changelogs for other programs: all of it in their formats, or what passes a filter (R34, R53); the newest versions of a team
// for feed readers (R64); release notes of a version, or of all between two (R54); and what the latest version is called: a
// line for scripts, and badges for READMEs (R56).
import type { VisibleRows } from '../../domain/access/visibility.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import { text } from '../../domain/schema.ts';
import { ApiError } from '../../errors.ts';
import { DEFAULT_LABEL, onOneLine, presentBadge, writeBadgeSvg } from '../../present/badge.ts';
import { linkShared, onlyMatching, sharedVersions } from '../../present/changelog.ts';
import type { NotesContext, NotesForm } from '../../present/notes/form.ts';
import {
  addFramed,
  describeFeed,
  describeTeamFeed,
  entriesInTeam,
  formatLinks,
  type Output,
  writeOutput,
} from '../../present/outputs/output.ts';
import { filterTexts } from '../../present/pages/filters.ts';
import { type Locale, localeFor, localeOf, sharedLanguage } from '../../present/words/locale.ts';
import type { Reader } from '../../store/engine/engine.ts';
import { findLatest, findVersion, type LatestRow } from '../../store/read/find-version.ts';
import { findTimeline, type TimelineRow } from '../../store/read/lists/timeline.ts';
import { type FullVersion, findIndexedPage, findPage, type IndexedPage } from '../../store/read/pages.ts';
import type { AtRevision } from '../../store/read/reads.ts';
import type { ReadMore, WriteBody } from '../cache/body.ts';
import type { Representation } from '../cache/make-response.ts';
import { JSON_TYPE, TEXT_TYPE } from '../pipeline/send.ts';
import { FEED_PARAMETERS, fullQuery, limitUpTo, type Parameters, RANGE_PARAMETERS } from '../query.ts';
import { fileOf, type OperationText, type Read, type ReadRequest, readOf } from '../read.ts';
import { allChanges, allItems } from './writing.ts';

/** Feed readers want what is new; the changelog and CHANGELOG.md have all versions. */
const FEED_ENTRIES_MAX = 250;

const { limit: _limit, cursor: _cursor, include: _include, ...FILTERS } = FEED_PARAMETERS;
const limit = {
  ...limitUpTo(FEED_ENTRIES_MAX, `Maximum number of entries. Default: ${FEED_ENTRIES_MAX}.`),
  component: 'entries',
};

export function readOutput(output: Output): Read {
  const { name, summary, description, isWhole, versionsMax = FEED_ENTRIES_MAX } = output;
  return readOf({
    ...describe(output, { name, summary, description }),
    parameters: isWhole || output.versionsMax !== undefined ? FILTERS : { limit, ...FILTERS },
    output,
    find: (db, { params, query }, visible) => findPage(db, params, visible, fullQuery(query, versionsMax)),
    present: (found, request, visible) => {
      const { params: path, file, site, render } = request;
      const query = fullQuery(request.query, versionsMax);
      const { head, description: introduction, updatedAt } = found;
      const filter = filterOf(request, localeOf(head));
      const feed = describeFeed(head, { file, introduction, updatedAt, filter }, site);
      const text: WriteBody = (out, read) => {
        const versions = allItems(found, read, {
          findAfter: (db, after) => findPage(db, path, visible, { ...query, after }),
          itemsOf: (page) => page.versions.map((version) => onlyMatching(query, version)),
          itemsMax: isWhole ? undefined : query.limit,
        });
        return writeOutput(out, output, feed, versions, render);
      };
      return { text, link: formatLinks(feed), origin: head, writtenAt: found.writtenAt };
    },
  });
}

export function teamFeed(output: Output): Read {
  return readOf({
    ...describe(output, {
      name: `Team${output.name}`,
      summary: `The versions of all products of a team as a feed (${output.label}).`,
      description:
        'The newest versions with their full content, each with its product. Entries have the ids and the dates that they have in the feed of the product. A change that several products published within an hour is in the newest of their entries, which names the others.',
    }),
    parameters: { limit, ...FILTERS },
    find: (db, { params, query }, visible) =>
      findTimeline(db, params.team, visible, fullQuery(query, FEED_ENTRIES_MAX), null),
    present: (found, request, visible) => {
      const { file, params, site, render } = request;
      const query = fullQuery(request.query, FEED_ENTRIES_MAX);
      const language = sharedLanguage(found.versions.map(({ head }) => head));
      const filter = filterOf(request, localeFor(language));
      const feed = describeTeamFeed({ ...found, language }, { file, filter }, site);
      const urlOf = (version: TimelineRow) => site.links.urlsOf(version.head).version(version);
      const text: WriteBody = (out, read) => {
        const versions = allItems(found, read, {
          findAfter: (db, after) => findTimeline(db, params.team, visible, { ...query, after }, null),
          itemsOf: (part) => part.versions.map((version) => onlyMatching(query, version)),
          itemsMax: query.limit,
        });
        return addFramed(out, output.frame(feed), sharedVersions(versions), ({ version, ...shared }) => {
          const entry = entriesInTeam(version.head, site.links);
          return output.writeVersion(entry, version, render, linkShared(shared, urlOf));
        });
      };
      return { text, link: formatLinks(feed), origin: { teamId: found.teamId, productId: null } };
    },
  });
}

/** The code of examples is loaded only for the OpenAPI document. */
function describe({ bodies, ...output }: Output, operation: OperationText) {
  const example: OperationText['example'] = async (path, site) => {
    const { writeExample } = await import('../../reference/example.ts');
    const isOfTeam = operation.name !== output.name;
    return await writeExample({ ...output, file: fileOf(path) }, site, isOfTeam);
  };
  const contentType = `${output.mediaType}; charset=utf-8`;
  const body = bodies === undefined ? { example } : { bodies };
  return { contentType, isLong: true, operation: { ...operation, publicTag: 'Feeds', ...body } } as const;
}

const filterOf = ({ query }: ReadRequest, locale: Locale) => ({
  query: query.linkText,
  texts: filterTexts(query.filterText, locale),
});

export function versionNotes(form: NotesForm): Read {
  return readOf({
    ...describeNotes(form, false, {
      name: `Notes${form.name}`,
      summary: `The release notes of a version as ${form.label}.`,
      description:
        'The description, then the changes: breaking ones first, then security fixes. Without a heading; empty if there is nothing to say.',
    }),
    find: (db, { params }, visible) => findVersion(db, params, params.versionId, visible),
    present: (found, { params: path, render }, visible) => {
      const { head, version } = found;
      const about = { head, render, title: `${head.productName} ${version.label}`, isTitled: false };
      return presentNotes(form, about, async (read) => [
        { ...version, changes: await allChanges(found, { path, visible, read }) },
      ]);
    },
  });
}

export function rangeNotes(form: NotesForm): Read {
  return readOf({
    ...describeNotes(form, true, {
      name: `Changes${form.name}`,
      summary: `The release notes between two versions as ${form.label}.`,
      description:
        'The notes of all versions after `from`, up to and including `to`, newest first, each below a heading with label, title and date. With `type` or `breaking`, only versions and changes that match. A range of more than 500 versions or 5,000 changes is 400.',
    }),
    parameters: RANGE_PARAMETERS,
    isLong: true,
    find: findRange,
    present: ({ head, versions }, { query, render }) =>
      presentNotes(form, { head, render, title: head.changelogName, isTitled: true }, () =>
        versions.map((version) => onlyMatching(query.feed, version)),
      ),
  });
}

function describeNotes(form: NotesForm, isTitled: boolean, operation: OperationText) {
  const example = async () => {
    const { exampleRows } = await import('../../reference/example.ts');
    const { renderAtOnce } = await import('../../text/parse.ts');
    const { head, version } = exampleRows();
    const { start, end } = form.frame(head, head.changelogName);
    return start + (await form.writeVersion(version, { head, render: renderAtOnce, isTitled })) + end;
  };
  const contentType = `${form.mediaType}; charset=utf-8`;
  return { contentType, operation: { ...operation, publicTag: 'Notes', example } };
}

function presentNotes(
  form: NotesForm,
  { title, ...context }: NotesContext & Readonly<{ title: string }>,
  versionsOf: (read: ReadMore) => MaybePromise<readonly FullVersion[]>,
): Representation {
  const { head } = context;
  const frame = form.frame(head, title);
  return {
    text: async (out, read) =>
      await addFramed(out, frame, await versionsOf(read), (version) => form.writeVersion(version, context)),
    head: frame.headers,
    origin: head,
  };
}

/** A range is one response of bounded length (R51). */
const RANGE_VERSIONS_MAX = 500;
const RANGE_CHANGES_MAX = 5_000;

export async function findRange(
  db: Reader,
  { params, query }: Pick<ReadRequest, 'params' | 'query'>,
  visible: VisibleRows,
): Promise<AtRevision<IndexedPage>> {
  const limits = { limit: RANGE_VERSIONS_MAX, withChanges: true };
  const range = await findIndexedPage(db, params, visible, { ...query.feed, ...limits });
  const { versions = [], end = null } = range.found ?? {};
  const changes = versions.reduce((sum, { changeCount }) => sum + changeCount, 0);
  if (end === null && isShortRange(versions.length, changes)) return range;
  throw new ApiError('bad_request', {
    message: `The range has more than ${RANGE_VERSIONS_MAX} versions, ${RANGE_CHANGES_MAX} changes or 2 MB of text. Narrow it with from, to or type.`,
  });
}

/** Whether the range routes accept a range, if its texts are not extremely long. */
export const isShortRange = (versions: number, changes: number) =>
  versions <= RANGE_VERSIONS_MAX && changes <= RANGE_CHANGES_MAX;

const EXAMPLE = { label: '2.1.0', isYanked: false } as const;

export const latestTxt = readLatest({
  name: 'LatestLabel',
  summary: 'The label of the latest version, on one line.',
  description: 'The version is that of `latest`. Without a published version it is 404.',
  example: () => `${EXAMPLE.label}\n`,
  contentType: TEXT_TYPE,
  write: ({ latest }) => (latest === null ? null : `${onOneLine(latest.label)}\n`),
});

const LABEL_CHARACTERS_MAX = 40;

const BADGE_PARAMETERS = {
  label: {
    schema: text({ pattern: '\\S', maxLength: LABEL_CHARACTERS_MAX }),
    expected: `a text of 1 to ${LABEL_CHARACTERS_MAX} characters`,
    description: `The text of the left half. Default: \`${DEFAULT_LABEL}\`.`,
    example: 'release',
    part: 'page',
  },
} as const satisfies Parameters;

const BADGE_TEXT = 'A changelog without a published version has one too, with `none yet`.';

export const badgeJson = readLatest({
  name: 'Badge',
  summary: 'The latest version as a badge that shields draws.',
  description: `The form of shields' endpoint badges. ${BADGE_TEXT}`,
  bodies: ['Badge'],
  contentType: JSON_TYPE,
  parameters: BADGE_PARAMETERS,
  write: (row, label) => JSON.stringify(presentBadge(row, label)),
});

export const badgeSvg = readLatest({
  name: 'BadgeImage',
  summary: 'The latest version as a badge.',
  description: `An SVG image that loads nothing else. ${BADGE_TEXT}`,
  example: () => writeBadgeSvg(presentBadge({ head: { accent: null }, latest: EXAMPLE })),
  contentType: 'image/svg+xml; charset=utf-8',
  parameters: BADGE_PARAMETERS,
  write: (row, label) => writeBadgeSvg(presentBadge(row, label)),
  head: [
    // Opened on its own, an image is a document of this site.
    ...['content-security-policy', "default-src 'none'; sandbox"],
    ...['cross-origin-resource-policy', 'cross-origin'],
  ],
});

type LatestOptions = OperationText &
  Pick<Read, 'parameters'> &
  Readonly<{
    contentType: string;
    /** Null for a 404. */
    write: (row: LatestRow, label: string | undefined) => string | null;
    head?: readonly string[];
  }>;

function readLatest({ contentType, parameters = {}, write, head, ...operation }: LatestOptions): Read {
  return readOf({
    contentType,
    parameters,
    operation: { ...operation, publicTag: 'Latest version' },
    find: (db, { params }, visible) => findLatest(db, params, visible),
    present: (row, { query }) => {
      const text = write(row, query.given.label?.[0]);
      return text === null ? null : { text, head, origin: row.head };
    },
  });
}
