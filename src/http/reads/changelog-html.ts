import { frameChangelogMarkdown, writeListedVersion } from '../../present/markdown-pages.ts';
import { productPath } from '../../present/page-paths.ts';
import { type ChangelogView, frameChangelog } from '../../present/pages/product-pages.ts';
import { beforeOf, imagesOf, writeArticle } from '../../present/pages/version-parts.ts';
import { findPrevious } from '../../store/read/find-version.ts';
import { findOutline } from '../../store/read/outline.ts';
import { countMatches, findPage, type Page } from '../../store/read/pages.ts';
import type { WriteBody } from '../cache/body.ts';
import { HTML_TYPE, MARKDOWN_TYPE } from '../pipeline/send.ts';
import { contextOf, formatCursor, requireOwnCursor } from '../query/cursor.ts';
import { olderQuery } from '../query/page-query.ts';
import { FEED_PARAMETERS } from '../query/parameters.ts';
import { fullQuery } from '../query/query.ts';
import { type Read, type ReadRequest, type RowsRead, readOf } from '../read.ts';
import { asPage } from '../writing/page.ts';
import { renderText, renderVersion } from '../writing/rendered.ts';
import { inStateOf } from '../writing/walk.ts';

const PAGE_VERSIONS = 20;

const CHANGELOG = {
  parameters: FEED_PARAMETERS,
  form: 'changelog',
  isLong: true,
  find: (db, { params, query }, visible) => findPage(db, params, visible, fullQuery(query, PAGE_VERSIONS)),
} as const satisfies Omit<RowsRead<Page>, 'contentType' | 'present'>;

/** The newest versions in full, or those that match a filter. */
export const changelogHtml = changelogAt('changelog');

/** On its own page, or on the home page of a server with one product. */
export function changelogAt(depth: ChangelogView['depth']): Read {
  return readOf({
    ...CHANGELOG,
    contentType: HTML_TYPE,
    present: (found, request, visible) => {
      requireOwnCursor(request, found);
      const { params, query, render, site } = request;
      const { feed } = query;
      const { head, versions } = found;
      const links = site.links.fromProduct(depth, head);
      const text: WriteBody = async (out, read) => {
        const readSame = inStateOf(found, read);
        const outline = await readSame((db) => findOutline(db, params, visible));
        const labels = versions.map(({ label }) => label);
        const before = await readSame((db) => findPrevious(db, params, visible, labels));
        const { matches } =
          query.filterText === ''
            ? { matches: null }
            : await readSame((db) => countMatches(db, params, visible, feed));
        const isFirst = query.filterText === '' && query.cursor === null;
        const description = isFirst ? await renderText(head, found.description, render, 2) : null;
        if (isFirst) out.showImages([head.image, ...(description?.images ?? [])]);
        const older = olderOf(request, found);
        const { start, end } = frameChangelog(site, {
          ...viewOf(request, found),
          ...outline,
          head,
          depth,
          description,
          matches,
          olderUrl: older && links.filtered(older),
        });
        await out.add(start);
        for (const version of versions) {
          const rendered = await renderVersion(head, version, render, { level: 3, searched: feed.words });
          out.showImages(imagesOf(rendered));
          const { label } = version;
          const options = {
            head,
            url: links.version(version),
            before: beforeOf(links.changes, label, before.labels.get(label)),
            searched: feed.words,
          };
          for (const piece of writeArticle(rendered, options)) await out.add(piece);
        }
        await out.add(end);
      };
      return { ...asPage(request, head, site.links.urlsOf(head).changelog, text), origin: head };
    },
  });
}

/** The same for programs that read Markdown. A cursor of one is valid for the other. */
export const changelogAsMarkdown = readOf({
  ...CHANGELOG,
  contentType: MARKDOWN_TYPE,
  present: (found, asked) => {
    const { team, product } = asked.params;
    const request = { ...asked, path: productPath({ teamSlug: team, productSlug: product }) };
    requireOwnCursor(request, found);
    const { site } = request;
    const { head, versions } = found;
    // A static site has the other versions in CHANGELOG.md.
    const older = site.isStatic ? null : olderOf(request, found);
    const view = {
      ...viewOf(request, found),
      olderUrl: older && site.links.markdownOf(site.links.urlsOf(head).changelog) + older,
    };
    const text: WriteBody = async (out) => {
      const { start, end } = await frameChangelogMarkdown(site, found, view);
      await out.add(start);
      for (const version of versions) await out.add(await writeListedVersion(site, head, version));
      await out.add(end);
    };
    return { text, language: head.language, origin: head };
  },
});

const viewOf = ({ form, query }: ReadRequest, { versions }: Page) => ({
  form,
  isFiltered: query.filterText !== '',
  isContinued: query.cursor !== null,
  versionIds: versions.map(({ id }) => id),
});

function olderOf(request: ReadRequest, { end, cursorKey }: Page): string | null {
  return end && olderQuery(request, formatCursor(cursorKey, contextOf(request.path, request.query), end));
}
