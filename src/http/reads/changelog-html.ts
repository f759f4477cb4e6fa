import { frameChangelog, writeVersionArticle } from '../../present/pages/changelog-page.ts';
import { beforeOf } from '../../present/pages/version-parts.ts';
import type { ChangelogView } from '../../present/pages/views.ts';
import { countMatches } from '../../store/read/count-matches.ts';
import { findPrevious } from '../../store/read/find-previous.ts';
import { findOutline, menuOf, type Outline } from '../../store/read/outline.ts';
import { findPage, type Page } from '../../store/read/pages.ts';
import type { WriteBody } from '../cache/body.ts';
import { HTML_TYPE } from '../pipeline/send.ts';
import { contextOf, formatCursor, requireOwnCursor } from '../query/cursor.ts';
import { olderQuery } from '../query/page-query.ts';
import { FEED_PARAMETERS } from '../query/parameters.ts';
import { type Read, type ReadRequest, readOf } from '../read.ts';
import { asPage } from '../writing/page.ts';
import { renderText, renderVersion } from '../writing/rendered.ts';
import { inStateOf } from '../writing/walk.ts';

const PAGE_VERSIONS = 20;

/** The newest versions in full, or those that match a filter. */
export const changelogHtml = changelogAt('changelog');

/** On its own page, or on the home page of a server with one product. */
export function changelogAt(depth: ChangelogView['depth']): Read {
  return readOf({
    contentType: HTML_TYPE,
    parameters: FEED_PARAMETERS,
    form: 'changelog',
    isLong: true,
    find: (db, { params, query: { feed } }, visible) =>
      findPage(db, params, visible, { ...feed, limit: feed.limit ?? PAGE_VERSIONS, withChanges: true }),
    present: (found, request, visible) => {
      requireOwnCursor(request, found);
      const { params, query, render, site } = request;
      const { feed } = query;
      const { head, versions } = found;
      const text: WriteBody = async (out, read) => {
        const readSame = inStateOf(found, read);
        const outline = await readSame((db) => findOutline(db, params, visible));
        const labels = versions.map(({ label }) => label);
        const before = await readSame((db) => findPrevious(db, params, visible, labels));
        const counted = feed.words && (await readSame((db) => countMatches(db, params, visible, feed)));
        const view = { ...viewOf(request, found, outline, depth), matches: counted?.matches ?? null };
        const description = isFirst(view) ? await renderText(head, found.description, render, 2) : null;
        const { start, end } = frameChangelog(site, { ...view, description });
        await out.add(start);
        for (const version of versions) {
          const rendered = await renderVersion(head, version, render, 3);
          const { label } = version;
          const options = {
            depth,
            before: beforeOf(site, head, { depth, label, before: before.labels.get(label) }),
            searched: feed.words,
          };
          for (const piece of writeVersionArticle(site, head, rendered, options)) await out.add(piece);
        }
        await out.add(end);
      };
      return { ...asPage(site, head, text), origin: head };
    },
  });
}

/** Whether the page is about the changelog, and not about some of its versions. */
const isFirst = ({ isFiltered, isContinued }: Pick<ChangelogView, 'isFiltered' | 'isContinued'>) =>
  !isFiltered && !isContinued;

function viewOf(
  request: ReadRequest,
  found: Page,
  outline: Outline,
  depth: ChangelogView['depth'],
): Omit<ChangelogView, 'description' | 'matches'> {
  const { form, query, path, site } = request;
  const { head, versions, end, cursorKey } = found;
  const { filtered } = site.links.fromProduct(depth, head);
  return {
    head,
    depth,
    form,
    isFiltered: query.filterText !== '',
    isContinued: query.cursor !== null,
    versionIds: versions.map(({ id }) => id),
    allCount: outline.versionCount,
    facets: outline.facets,
    menu: menuOf(outline),
    olderUrl: end && filtered(olderQuery(request, formatCursor(cursorKey, contextOf(path, query), end))),
  };
}
