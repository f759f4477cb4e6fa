import { versionOrder } from '../../domain/version-order.ts';
import { PAGES_PATH } from '../../present/page-paths.ts';
import { frameChangelog, writeVersionArticle } from '../../present/pages/changelog-page.ts';
import type { ChangelogView } from '../../present/pages/views.ts';
import { findYears } from '../../store/read/listing.ts';
import { findPage, type Page, type PageRow } from '../../store/read/pages.ts';
import { ContentChanged, type WriteBody } from '../cache/body.ts';
import { formatCursor } from '../query/cursor.ts';
import { olderQuery } from '../query/page-query.ts';
import { FEED_PARAMETERS } from '../query/parameters.ts';
import { contextOf, requireOwnCursor } from './changelog-json.ts';
import { type PageRequest, type PageResource, PUBLIC } from './page-route.ts';
import { renderVersion } from './rendered.ts';
import { pageHead } from './site.ts';

export const PRODUCT_PATTERN = `${PAGES_PATH}/:team/:product`;
const PAGE_VERSIONS = 20;

/** The newest versions in full, or those that match a filter. */
export const changelogPage: PageResource = {
  pattern: PRODUCT_PATTERN,
  parameters: FEED_PARAMETERS,
  form: 'changelog',
  isLong: true,
  find: async (db, request) => {
    const { params, query, render, site } = request;
    const limit = query.feed.limit ?? PAGE_VERSIONS;
    const { revision, found } = await findPage(db, params, PUBLIC, {
      ...query.feed,
      limit,
      withChanges: true,
    });
    if (found === undefined) return { revision, found };
    requireOwnCursor(request, found);
    const { head, versions } = found;
    const text: WriteBody = async (out, read) => {
      const years = await read((reader) => findYears(reader, params, PUBLIC));
      if (years.found?.writtenAt !== found.writtenAt) throw new ContentChanged();
      const { start, end } = frameChangelog(site, viewOf(request, found, years.found.years));
      await out.add(start);
      for (const version of versions) {
        const rendered = await renderVersion(head, version, render, 3);
        for (const piece of writeVersionArticle(head, rendered)) await out.add(piece);
      }
      await out.add(end);
    };
    return { revision, found: { text, head: pageHead(site, head), origin: head } };
  },
};

function viewOf(request: PageRequest, found: Page, years: readonly number[]): ChangelogView {
  const { form, query, path } = request;
  const { head, versions, end, cursorKey } = found;
  return {
    head,
    form,
    isFiltered: query.filterText !== '',
    isContinued: query.cursor !== null,
    versionCount: versions.length,
    labels: comparableLabels(versions),
    years,
    range: rangeOf(versions),
    olderQuery: end && olderQuery(request, formatCursor(cursorKey, contextOf(path, query), end)),
  };
}

export function comparableLabels(versions: readonly Pick<PageRow, 'label'>[]): string[] {
  return versions.map(({ label }) => label).filter((label) => versionOrder(label) !== null);
}

function rangeOf(versions: readonly PageRow[]): ChangelogView['range'] {
  const ordered = versions
    .map(({ label }) => ({ label, order: versionOrder(label) ?? '' }))
    .filter(({ order }) => order !== '')
    .sort((one, other) => (one.order < other.order ? -1 : 1));
  const [from, to] = [ordered.at(0), ordered.at(-1)];
  return from === undefined || to === undefined || from.order === to.order
    ? null
    : { from: from.label, to: to.label };
}
