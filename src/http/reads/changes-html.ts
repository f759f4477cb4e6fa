// The changes between two versions (R33), for people and as Markdown.
import { sectionsOf } from '../../domain/content/sections.ts';
import { matchesChange } from '../../domain/feed-query.ts';
import { endGroup, frameChanges, startGroup, writeRangeChange } from '../../present/pages/changes-page.ts';
import type { RangeItem } from '../../present/pages/views.ts';
import { frameRangeMarkdown, writeRangeSection } from '../../present/twins/changes.ts';
import { findOutline } from '../../store/read/outline.ts';
import type { WriteBody } from '../cache/body.ts';
import { HTML_TYPE, MARKDOWN_TYPE } from '../pipeline/send.ts';
import { RANGE_PARAMETERS } from '../query/parameters.ts';
import { readOf } from '../read.ts';
import { asPage } from '../writing/page.ts';
import { findRange } from '../writing/range.ts';
import { renderVersion } from '../writing/rendered.ts';
import { inStateOf } from '../writing/walk.ts';

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
      for (const version of versions) {
        const { changes } = await renderVersion(head, { ...version, description: null }, render, 2);
        for (const change of changes) items.push({ ...change, version });
      }
      const shown = items.filter((item) => matchesChange(query.feed, item));
      const isFiltered = query.filterText !== '';
      const { start, end } = frameChanges(site, { head, form, isFiltered, menu, changeCount: shown.length });
      await out.add(start);
      for (const { kind, changes } of sectionsOf(shown)) {
        await out.add(startGroup(head, kind, changes.length));
        for (const change of changes) await out.add(writeRangeChange(site, head, change));
        await out.add(endGroup());
      }
      await out.add(end);
    };
    const url = site.links.urlsOf(head).changes('') as string;
    return { ...asPage(request, head, url, text), origin: head };
  },
});

/** The same for programs that read Markdown. */
export const changesMarkdown = readOf({
  contentType: MARKDOWN_TYPE,
  parameters: RANGE_PARAMETERS,
  form: 'changes',
  isLong: true,
  find: findRange,
  present: ({ head, versions }, { query }) => {
    const changes = versions
      .flatMap(({ label, changes }) => changes.map((change) => ({ ...change, version: label })))
      .filter((change) => matchesChange(query.feed, change));
    const text: WriteBody = async (out) => {
      await out.add(frameRangeMarkdown(head, query.given, changes.length));
      for (const section of sectionsOf(changes)) await out.add(writeRangeSection(section));
    };
    return { text, origin: head };
  },
});
