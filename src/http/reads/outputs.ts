// Published changelogs in other programs' formats (R34), all of it or what passes a filter (R53).

import { onlyMatching } from '../../present/changelog.ts';
import { describeFeed, formatLinks, type Output } from '../../present/outputs/output.ts';
import { filterTexts } from '../../present/pages/filters.ts';
import { localeOf } from '../../present/words/locale.ts';
import { type FullVersion, findPage } from '../../store/read/pages.ts';
import type { WriteBody } from '../cache/body.ts';
import { FEED_PARAMETERS, limitUpTo } from '../query/parameters.ts';
import { fullQuery, linkQuery } from '../query/query.ts';
import { fileOf, type OperationText, type Read, type ReadRequest, readOf } from '../read.ts';
import { remainingVersions } from '../writing/walk.ts';

/** Feed readers want what is new; the changelog and CHANGELOG.md have all versions. */
const FEED_ENTRIES_MAX = 250;

const { since, until, from, to, type, breaking, prerelease, q } = FEED_PARAMETERS;
const FILTERS = { since, until, from, to, type, breaking, prerelease, q };
const limit = {
  ...limitUpTo(FEED_ENTRIES_MAX, `Maximum number of entries. Default: ${FEED_ENTRIES_MAX}.`),
  component: 'entries',
};

/** Of the feeds of a product or a team. */
export const ENTRY_PARAMETERS = { limit, ...FILTERS };

export const entriesQuery = ({ query }: ReadRequest, versionsMax = FEED_ENTRIES_MAX) =>
  fullQuery(query, versionsMax);

export function readOutput(output: Output): Read {
  const { name, summary, description, bodies, mediaType, isWhole, versionsMax } = output;
  const example: OperationText['example'] = async (path, site) => {
    // Loaded only for the OpenAPI document.
    const { writeExample } = await import('../../reference/example.ts');
    return await writeExample({ ...output, file: fileOf(path) }, site);
  };
  return readOf({
    contentType: `${mediaType}; charset=utf-8`,
    parameters: isWhole || versionsMax !== undefined ? FILTERS : ENTRY_PARAMETERS,
    isLong: true,
    operation: {
      name,
      summary,
      description,
      publicTag: 'Feeds',
      ...(bodies === undefined ? { example } : { bodies }),
    },
    output,
    find: (db, request, visible) => findPage(db, request.params, visible, entriesQuery(request, versionsMax)),
    present: (found, request, visible) => {
      const { params, file, query: asked, site, render } = request;
      const query = entriesQuery(request, versionsMax);
      const { head, description: introduction, updatedAt } = found;
      const filter = { query: linkQuery(asked), texts: filterTexts(asked.linkText, localeOf(head)) };
      const feed = describeFeed(head, { file, introduction, updatedAt, filter }, site);
      const text: WriteBody = async (out, read) => {
        const walk = { path: params, visible, query, read };
        const versions = remainingVersions(found, walk, isWhole ? undefined : query.limit);
        const arranged = output.arrange?.(await Array.fromAsync(versions)) ?? versions;
        await out.addFramed<FullVersion>(output.frame(feed), arranged, (version) =>
          output.writeVersion(feed, onlyMatching(query, version), render),
        );
      };
      return { text, link: formatLinks(feed), origin: head };
    },
  });
}
