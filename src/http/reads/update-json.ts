import { LABEL_CHARACTERS_MAX, LABEL_PATTERN } from '../../domain/model.ts';
import { text } from '../../domain/schema.ts';
import { isPrerelease, versionOrder } from '../../domain/version-order.ts';
import { presentUpdate } from '../../present/changelog.ts';
import type { ProductUrls } from '../../present/links.ts';
import { findUpdate, type UpdateQuery, type UpdateRow } from '../../store/read/find-update.ts';
import { JSON_TYPE } from '../pipeline/send.ts';
import { ParameterError, type Parameters, TRUE_OR_FALSE } from '../query/parameters.ts';
import type { Query } from '../query/query.ts';
import { readOf } from '../read.ts';
import { isShortRange } from '../writing/range.ts';

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

/** Whether there is a newer version than the one in use, and what it brings (R55). */
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
