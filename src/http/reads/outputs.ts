// Changelogs in other programs' formats, all of it or what passes a filter (R34, R53), and the newest versions of a team for
// feed readers (R64).
import { onlyMatching } from '../../present/changelog.ts';
import {
  describeFeed,
  describeTeamFeed,
  entriesInTeam,
  formatLinks,
  type Output,
} from '../../present/outputs/output.ts';
import { filterTexts } from '../../present/pages/filters.ts';
import { linkShared } from '../../present/team.ts';
import { type Locale, localeFor, localeOf, sharedLanguage } from '../../present/words/locale.ts';
import { findTimeline, type TimelineRow } from '../../store/read/lists/timeline.ts';
import { findPage } from '../../store/read/pages.ts';
import type { WriteBody } from '../cache/body.ts';
import { FEED_PARAMETERS, limitUpTo } from '../query/parameters.ts';
import { fullQuery, linkQuery } from '../query/query.ts';
import {
  type ExampleSite,
  fileOf,
  type OperationText,
  type Read,
  type ReadRequest,
  readOf,
} from '../read.ts';
import { allItems, remainingVersions, sharedVersions } from './writing.ts';

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
      const text: WriteBody = async (out, read) => {
        const walk = { path, visible, query, read };
        const versions = remainingVersions(found, walk, isWhole ? undefined : query.limit);
        const arranged = output.arrange?.(await Array.fromAsync(versions)) ?? versions;
        await out.addFramed(output.frame(feed), arranged as typeof versions, (version) =>
          output.writeVersion(feed, onlyMatching(query, version), render),
        );
      };
      return { text, link: formatLinks(feed), origin: head };
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
        return out.addFramed(output.frame(feed), sharedVersions(versions), ({ version, ...shared }) => {
          const entry = entriesInTeam(version.head, site.links);
          return output.writeVersion(entry, version, render, linkShared(shared, urlOf));
        });
      };
      return { text, link: formatLinks(feed), origin: { teamId: found.teamId, productId: null } };
    },
  });
}

function describe({ bodies, ...output }: Output, text: OperationText) {
  /** Its code is loaded only for the OpenAPI document. */
  const example = async (path: string, site: ExampleSite) => {
    const { writeExample, writeTeamExample } = await import('../../reference/example.ts');
    const write = text.name === output.name ? writeExample : writeTeamExample;
    return await write({ ...output, file: fileOf(path) }, site);
  };
  return {
    contentType: `${output.mediaType}; charset=utf-8`,
    isLong: true,
    operation: { ...text, publicTag: 'Feeds', ...(bodies === undefined ? { example } : { bodies }) },
  } as const;
}

const filterOf = ({ query }: ReadRequest, locale: Locale) => ({
  query: linkQuery(query),
  texts: filterTexts(query.filterText, locale),
});
