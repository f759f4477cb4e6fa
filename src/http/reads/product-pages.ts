// The pages of a product, as HTML and as Markdown: its changelog, a version, and the changes between two (R33, R37).
import { otherLabel } from '../../domain/version-names.ts';
import type { Depth } from '../../present/links.ts';
import { writeChangelogMarkdown, writeVersionMarkdown } from '../../present/markdown-pages.ts';
import { markdownNotes } from '../../present/outputs/markdown.ts';
import { writeChangelog, writeChanges, writeVersion } from '../../present/pages/product-pages.ts';
import { findVersionPage } from '../../store/read/find-version.ts';
import { highestOrder, outlineOf, previousOf } from '../../store/read/index.ts';
import { findIndexedPage, findPage } from '../../store/read/pages.ts';
import type { WriteBody } from '../cache/body.ts';
import { SEGMENT_CHARACTERS_MAX } from '../pipeline/path.ts';
import { HTML_TYPE, MARKDOWN_TYPE } from '../pipeline/send.ts';
import { FEED_PARAMETERS, RANGE_PARAMETERS } from '../query/parameters.ts';
import { fullQuery, olderQuery, type Query } from '../query/query.ts';
import { type Read, type ReadRequest, readOf } from '../read.ts';
import { findRange, rangeNotes } from './outputs.ts';
import { allChanges, asPage } from './writing.ts';

const PAGE_VERSIONS = 20;

const CHANGELOG = { parameters: FEED_PARAMETERS, form: 'changelog', isLong: true } as const;

/** The newest versions in full, or those that match a filter. */
export const changelogHtml = changelogAt('changelog');

/** On its own page, or on the home page of a server with one product. */
export function changelogAt(depth: Extract<Depth, 'changelog' | 'home'>): Read {
  return readOf({
    ...CHANGELOG,
    contentType: HTML_TYPE,
    find: (db, { params, query }, visible) =>
      findIndexedPage(db, params, visible, fullQuery(query, PAGE_VERSIONS), countOf(query)),
    present: (found, request) => {
      const { site, query } = request;
      const { head, index } = found;
      const older = olderQuery(request, found);
      const view = {
        ...{ ...found, ...viewOf(request), ...outlineOf(index), depth, searched: query.feed.words },
        previousOf: (label: string) => previousOf(index, label)?.label,
        olderUrl: older && site.links.fromProduct(depth, head).filtered(older),
      };
      const text: WriteBody = (out) => writeChangelog(out, request, view);
      return { ...asPage(request, head, site.links.urlsOf(head).changelog, text), origin: head };
    },
  });
}

export const changelogAsMarkdown = readOf({
  ...CHANGELOG,
  contentType: MARKDOWN_TYPE,
  find: (db, { params, query }, visible) => findPage(db, params, visible, fullQuery(query, PAGE_VERSIONS)),
  present: (found, request) => {
    const { site } = request;
    const { head } = found;
    const older = olderQuery(request, found);
    const olderUrl = older && site.links.markdownOf(site.links.urlsOf(head).changelog) + older;
    const view = { ...viewOf(request), olderUrl };
    const text: WriteBody = (out) => writeChangelogMarkdown(out, site, found, view);
    return { text, language: head.language, origin: head };
  },
});

/** Only what a filter finds is counted. */
const countOf = ({ filterText }: Query) => (filterText === '' ? null : {});

export const viewOf = ({ query }: ReadRequest) => ({
  form: query.form,
  isFiltered: query.filterText !== '',
  isContinued: query.cursor !== null,
});

/** As Markdown at the same path with `.md`: the name decides, unless a version has all of it. */
export const versionHtml = readOf({
  contentType: HTML_TYPE,
  find: (db, { params }, visible) => findVersionPage(db, params, params.versionId, visible),
  present: (found, request, visible) => {
    const { params: path, site } = request;
    const { head, isMarkdown, index } = found;
    const { id, label } = found.version;
    const text: WriteBody = async (out, read) => {
      const version = { ...found.version, changes: await allChanges(found, { path, visible, read }) };
      const others = { previous: previousOf(index, label)?.label, highest: highestOrder(index) };
      if (isMarkdown) await out.add(await writeVersionMarkdown(site, { head, version, ...others }));
      else await writeVersion(out, request, { head, version, ...others });
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
    const { query, site } = request;
    const { head } = found;
    const { menu } = outlineOf(found.index);
    const view = { ...found, ...viewOf(request), menu, filter: query.feed };
    const text: WriteBody = (out) => writeChanges(out, request, view);
    const url = site.links.urlsOf(head).changes('') as string;
    return { ...asPage(request, head, url, text), origin: head };
  },
});

/** The same for programs that read Markdown: the notes of the API, with the errors of a page. */
export const changesMarkdown: Read = { ...rangeNotes(markdownNotes), form: 'changes' };
