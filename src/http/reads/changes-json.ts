import { withLinks } from '../../present/html/links/repository-links.ts';
import { type RangeChange, RangeEnvelope } from '../../present/schemas.ts';
import { groupRange, presentRange, presentRangeChange, textsOf } from '../../present/version.ts';
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
      'All changes after `from`, up to and including `to`: grouped by type, in each type breaking changes first, each with its version. A range of more than 500 versions or 5,000 changes is 400.',
    bodies: [RangeEnvelope],
  },
  parameters: RANGE_PARAMETERS,
  contentType: JSON_TYPE,
  isLong: true,
  find: findRange,
  present: ({ head, versions }, request, visible) => {
    const { given, feed } = request.query;
    const [from, to] = [given.from?.[0] ?? null, given.to?.[0] ?? null];
    const renderLinked = withLinks(request.render, head);
    const text: WriteBody = async (out) => {
      const changes: RangeChange[] = [];
      for (const version of versions) {
        const html = await renderLinked(textsOf(version.changes));
        for (const [index, change] of version.changes.entries())
          changes.push(presentRangeChange(version, change, html[index] as string));
      }
      const groups = groupRange(changes, feed);
      const changeCount = groups.reduce((sum, group) => sum + group.changes.length, 0);
      await out.add(openEnvelope(presentRange(head, { from, to, changeCount })));
      for (const [index, { type, changes }] of groups.entries()) {
        await out.add(`${index === 0 ? '' : ','}{"type":${JSON.stringify(type)},"changes":[`);
        await out.addList(changes, (change) => JSON.stringify(change));
        await out.add(']}');
      }
      await out.add(CLOSE_ENVELOPE);
    };
    return { text, link: linkToPage(request, head, visible), origin: head };
  },
});
