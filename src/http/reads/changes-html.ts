// The changes between two versions (R33), for people and as Markdown.
import { sectionsOf } from '../../domain/content/sections.ts';
import { matchesChange } from '../../domain/feed-query.ts';
import { markdownNotes } from '../../present/outputs/markdown.ts';
import {
  frameChanges,
  isTold,
  type RangeItem,
  writeRangeChange,
  writeTold,
} from '../../present/pages/product-pages.ts';
import {
  END_SECTION,
  imagesOf,
  type RenderedVersion,
  startSection,
} from '../../present/pages/version-parts.ts';
import { findOutline } from '../../store/read/outline.ts';
import type { WriteBody } from '../cache/body.ts';
import { HTML_TYPE } from '../pipeline/send.ts';
import { RANGE_PARAMETERS } from '../query/parameters.ts';
import { type Read, readOf } from '../read.ts';
import { asPage } from '../writing/page.ts';
import { findRange } from '../writing/range.ts';
import { renderText, renderVersion } from '../writing/rendered.ts';
import { inStateOf } from '../writing/walk.ts';
import { rangeNotes } from './notes.ts';

export const changesHtml = readOf({
  contentType: HTML_TYPE,
  parameters: RANGE_PARAMETERS,
  form: 'changes',
  isLong: true,
  find: findRange,
  present: (found, request, visible) => {
    const { params, query, form, render, site } = request;
    const { head, versions } = found;
    const text: WriteBody = async (out, read) => {
      const { menu } = await inStateOf(found, read)((db) => findOutline(db, params, visible));
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
      const { start, end } = frameChanges(site, {
        head,
        form,
        isFiltered,
        menu,
        isEmpty: versions.length === 0,
      });
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
