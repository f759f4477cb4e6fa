// The newest versions of all products of a team, for feed readers (R64).
import {
  describeTeamFeed,
  entriesInTeam,
  formatLinks,
  type Output,
} from '../../../present/outputs/output.ts';
import { filterTexts } from '../../../present/pages/filters.ts';
import { linkShared } from '../../../present/team.ts';
import { localeFor, sharedLanguage } from '../../../present/words/locale.ts';
import { findTimeline, type TimelineRow } from '../../../store/read/lists/timeline.ts';
import type { WriteBody } from '../../cache/body.ts';
import { linkQuery } from '../../query/query.ts';
import { fileOf, type OperationText, type Read, readOf } from '../../read.ts';
import { sharedVersions } from '../../writing/timeline.ts';
import { ENTRY_PARAMETERS, entriesQuery } from '../outputs.ts';

export function teamFeed(output: Output): Read {
  const { name, label, bodies, mediaType } = output;
  const example: OperationText['example'] = async (path, site) => {
    // Loaded only for the OpenAPI document.
    const { writeTeamExample } = await import('../../../reference/example.ts');
    return await writeTeamExample({ ...output, file: fileOf(path) }, site);
  };
  return readOf({
    contentType: `${mediaType}; charset=utf-8`,
    parameters: ENTRY_PARAMETERS,
    isLong: true,
    operation: {
      name: `Team${name}`,
      summary: `The versions of all products of a team as a feed (${label}).`,
      description:
        'The newest versions with their full content, each with its product. Entries have the ids and the dates that they have in the feed of the product. A change that several products published within an hour is in the newest of their entries, which names the others.',
      publicTag: 'Feeds',
      ...(bodies === undefined ? { example } : { bodies }),
    },
    find: (db, request, visible) =>
      findTimeline(db, request.params.team, visible, entriesQuery(request), null),
    present: (found, request, visible) => {
      const { file, query: asked, site, render } = request;
      const language = sharedLanguage(found.versions.map(({ head }) => head));
      const filter = { query: linkQuery(asked), texts: filterTexts(asked.linkText, localeFor(language)) };
      const feed = describeTeamFeed({ ...found, language }, { file, filter }, site);
      const versionUrl = (version: TimelineRow) => site.links.urlsOf(version.head).version(version);
      const query = entriesQuery(request);
      const text: WriteBody = (out, read) =>
        out.addFramed(
          output.frame(feed),
          sharedVersions(found, { visible, query, read }, query.limit),
          ({ version, ...shared }) =>
            output.writeVersion(
              entriesInTeam(version.head, site.links),
              version,
              render,
              linkShared(shared, versionUrl),
            ),
        );
      return { text, link: formatLinks(feed), origin: { teamId: found.teamId, productId: null } };
    },
  });
}
