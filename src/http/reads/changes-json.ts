import { onlyMatching, presentRange, presentVersion } from '../../present/changelog.ts';
import type { Version } from '../../present/records.ts';
import type { WriteBody } from '../cache/body.ts';
import { JSON_TYPE } from '../pipeline/send.ts';
import { RANGE_PARAMETERS } from '../query/parameters.ts';
import { readOf } from '../read.ts';
import { CLOSE_ENVELOPE, openEnvelope } from '../writing/json.ts';
import { linkToPage } from '../writing/page-link.ts';
import { findRange } from '../writing/range.ts';

/** All changes between two versions (R33). */
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
      await out.add(openEnvelope({ data: { ...range, groups: [] } }));
      for (const [index, { type, changes }] of groups.entries()) {
        await out.add(`${index === 0 ? '' : ','}{"type":${JSON.stringify(type)},"changes":[`);
        await out.addList(changes, (change) => JSON.stringify(change));
        await out.add(']}');
      }
      await out.add('],"versions":[');
      await out.addList(texts, (version) => JSON.stringify(version));
      await out.add(CLOSE_ENVELOPE);
    };
    return { text, link: linkToPage(request, head, visible), origin: head };
  },
});
