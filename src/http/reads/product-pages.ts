// The pages of a product, as HTML and as Markdown: its changelog, a version, and the changes between two (R33, R37).
import { matchesChange } from '../../domain/feed-query.ts';
import { sectionsOf } from '../../domain/model.ts';
import { otherLabel } from '../../domain/version-names.ts';
import { productPath } from '../../present/links.ts';
import {
  frameChangelogMarkdown,
  markdownComparisons,
  writeListedVersion,
  writeVersionMarkdown,
} from '../../present/markdown-pages.ts';
import { markdownNotes } from '../../present/outputs/markdown.ts';
import {
  afterUrlOf,
  type ChangelogView,
  frameChangelog,
  frameChanges,
  frameVersion,
  isTold,
  type RangeItem,
  writeRangeChange,
  writeTold,
} from '../../present/pages/product-pages.ts';
import {
  beforeOf,
  END_SECTION,
  imagesOf,
  type RenderedVersion,
  renderVersion,
  startSection,
  writeArticle,
  writeContent,
} from '../../present/pages/version-parts.ts';
import { renderText } from '../../present/texts.ts';
import { findVersionPage } from '../../store/read/find-version.ts';
import { highestOrder, outlineOf, previousOf } from '../../store/read/index.ts';
import { findIndexedPage, findPage, type Page } from '../../store/read/pages.ts';
import type { WriteBody } from '../cache/body.ts';
import { SEGMENT_CHARACTERS_MAX } from '../pipeline/path.ts';
import { HTML_TYPE, MARKDOWN_TYPE } from '../pipeline/send.ts';
import { FEED_PARAMETERS, RANGE_PARAMETERS } from '../query/parameters.ts';
import { fullQuery, olderQuery, type Query, requireOwnCursor } from '../query/query.ts';
import { type Read, type ReadRequest, readOf } from '../read.ts';
import { findRange, rangeNotes } from './outputs.ts';
import { allChanges, asPage } from './writing.ts';

const PAGE_VERSIONS = 20;

const CHANGELOG = { parameters: FEED_PARAMETERS, form: 'changelog', isLong: true } as const;

/** The newest versions in full, or those that match a filter. */
export const changelogHtml = changelogAt('changelog');

/** On its own page, or on the home page of a server with one product. */
export function changelogAt(depth: ChangelogView['depth']): Read {
  return readOf({
    ...CHANGELOG,
    contentType: HTML_TYPE,
    find: (db, { params, query }, visible) =>
      findIndexedPage(db, params, visible, fullQuery(query, PAGE_VERSIONS), countOf(query)),
    present: (found, request) => {
      requireOwnCursor(request, found);
      const { query, render, site } = request;
      const { words: searched } = query.feed;
      const { head, versions, index, matches } = found;
      const links = site.links.fromProduct(depth, head);
      const older = olderQuery(request, found);
      const text: WriteBody = async (out) => {
        const isFirst = query.filterText === '' && query.cursor === null;
        const description = isFirst ? await renderText(head, found.description, render, 2) : null;
        if (isFirst) out.showImages([head.image, ...(description?.images ?? [])]);
        const olderUrl = older && links.filtered(older);
        const view = { ...viewOf(request, found), ...outlineOf(index), head, depth };
        const { start, end } = frameChangelog(site, { ...view, description, matches, olderUrl });
        await out.add(start);
        for (const version of versions) {
          const rendered = await renderVersion(head, version, render, { level: 3, searched });
          out.showImages(imagesOf(rendered));
          const before = beforeOf(links.changes, version.label, previousOf(index, version.label)?.label);
          const options = { head, url: links.version(version), before, searched };
          for (const piece of writeArticle(rendered, options)) await out.add(piece);
        }
        await out.add(end);
      };
      return { ...asPage(request, head, site.links.urlsOf(head).changelog, text), origin: head };
    },
  });
}

/** A cursor of the page is valid here, and the other way round. */
export const changelogAsMarkdown = readOf({
  ...CHANGELOG,
  contentType: MARKDOWN_TYPE,
  find: (db, { params, query }, visible) => findPage(db, params, visible, fullQuery(query, PAGE_VERSIONS)),
  present: (found, asked) => {
    const { team, product } = asked.params;
    const request = { ...asked, path: productPath({ teamSlug: team, productSlug: product }) };
    requireOwnCursor(request, found);
    const { site } = request;
    const { head, versions } = found;
    // A static site has the other versions in CHANGELOG.md.
    const older = site.isStatic ? null : olderQuery(request, found);
    const olderUrl = older && site.links.markdownOf(site.links.urlsOf(head).changelog) + older;
    const text: WriteBody = async (out) => {
      const view = { ...viewOf(request, found), olderUrl };
      const { start, end } = await frameChangelogMarkdown(site, found, view);
      await out.add(start);
      for (const version of versions) await out.add(await writeListedVersion(site, head, version));
      await out.add(end);
    };
    return { text, language: head.language, origin: head };
  },
});

/** Only what a filter finds is counted. */
const countOf = ({ filterText }: Query) => (filterText === '' ? null : {});

const viewOf = ({ form, query }: ReadRequest, { versions }: Page) => ({
  form,
  isFiltered: query.filterText !== '',
  isContinued: query.cursor !== null,
  versionIds: versions.map(({ id }) => id),
});

/** As Markdown at the same path with `.md`: the name decides, unless a version has all of it. */
export const versionHtml = readOf({
  contentType: HTML_TYPE,
  find: (db, { params }, visible) => findVersionPage(db, params, params.versionId, visible),
  present: (found, request, visible) => {
    const { params: path, site, render } = request;
    const { head, isMarkdown, index } = found;
    const { id, label } = found.version;
    const urlOf = isMarkdown
      ? markdownComparisons(site, head)
      : site.links.fromProduct('version', head).changes;
    const text: WriteBody = async (out, read) => {
      const version = { ...found.version, changes: await allChanges(found, { path, visible, read }) };
      const before = beforeOf(urlOf, label, previousOf(index, label)?.label);
      const around = { head, before, afterUrl: afterUrlOf(urlOf, label, highestOrder(index)) };
      if (isMarkdown) return await out.add(await writeVersionMarkdown(site, { version, ...around }));
      const rendered = await renderVersion(head, version, render, { level: 2 });
      out.showImages(imagesOf(rendered));
      const { start, end } = frameVersion(site, { version: rendered, ...around });
      await out.add(start);
      for (const piece of writeContent(rendered, { head, url: '', level: 2 })) await out.add(piece);
      await out.add(end);
    };
    if (isMarkdown) return { text, contentType: MARKDOWN_TYPE, language: head.language, origin: head };
    // By its id if its label with `.md` is too long or leads elsewhere.
    const name = `${label}.md`;
    const isTaken = index.versions.some((other) => [name, otherLabel(name)].includes(other.label));
    const isLabel = !isTaken && [...name].length <= SEGMENT_CHARACTERS_MAX;
    const url = site.links.urlsOf(head).version({ id, label: isLabel ? label : id });
    return { ...asPage(request, head, url, text), origin: head };
  },
});

export const changesHtml = readOf({
  contentType: HTML_TYPE,
  parameters: RANGE_PARAMETERS,
  form: 'changes',
  isLong: true,
  find: findRange,
  present: (found, request) => {
    const { query, form, render, site } = request;
    const { head, versions, index } = found;
    const text: WriteBody = async (out) => {
      const items: RangeItem[] = [];
      const told: RenderedVersion[] = [];
      for (const version of versions) {
        const { description } = version;
        const rendered = await renderVersion(head, { ...version, description: null }, render, { level: 2 });
        const shown = rendered.changes.filter((change) => matchesChange(query.feed, change));
        items.push(...shown.map((change) => ({ ...change, version })));
        if (isTold({ description, changes: shown }))
          told.push({ ...rendered, description: await renderText(head, description, render, 3) });
        else out.showImages(imagesOf(rendered));
      }
      for (const version of told) out.showImages(imagesOf(version));
      const isFiltered = query.filterText !== '';
      const isEmpty = versions.length === 0;
      const { menu } = outlineOf(index);
      const { start, end } = frameChanges(site, { head, form, isFiltered, menu, isEmpty });
      await out.add(start);
      for (const { kind, changes } of sectionsOf(items)) {
        await out.add(startSection(kind, head, 2, changes.length));
        for (const change of changes) await out.add(writeRangeChange(site, head, change));
        await out.add(END_SECTION);
      }
      for (const version of told) await out.add(writeTold(site, head, version));
      await out.add(end);
    };
    const url = site.links.urlsOf(head).changes('') as string;
    return { ...asPage(request, head, url, text), origin: head };
  },
});

/** The same for programs that read Markdown: the notes of the API, with the errors of a page. */
export const changesMarkdown: Read = { ...rangeNotes(markdownNotes), form: 'changes' };
