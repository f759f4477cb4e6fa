// A version for people, and as Markdown at the same path with `.md`: the name decides, unless a version has all of it.
import { markdownComparisons, writeVersionMarkdown } from '../../present/markdown-pages.ts';
import type { NamedVersion } from '../../present/page-paths.ts';
import { afterUrlOf, frameVersion, type VersionView } from '../../present/pages/product-pages.ts';
import { beforeOf, imagesOf, writeContent } from '../../present/pages/version-parts.ts';
import { findPrevious, findVersionPage, type VersionPage } from '../../store/read/find-version.ts';
import type { FullVersion } from '../../store/read/pages.ts';
import type { BodyWriter, WriteBody } from '../cache/body.ts';
import { SEGMENT_CHARACTERS_MAX } from '../pipeline/path.ts';
import { HTML_TYPE, MARKDOWN_TYPE } from '../pipeline/send.ts';
import { type ReadRequest, readOf } from '../read.ts';
import { asPage } from '../writing/page.ts';
import { renderVersion } from '../writing/rendered.ts';
import { allChanges, inStateOf } from '../writing/walk.ts';

export const versionHtml = readOf({
  contentType: HTML_TYPE,
  find: (db, { params }, visible) => findVersionPage(db, params, params.versionId, visible),
  present: (found, request, visible) => {
    const { params, site } = request;
    const { head, isMarkdown } = found;
    const { changes: comparison } = site.links.fromProduct('version', head);
    const urlOf = isMarkdown ? markdownComparisons(site, head) : comparison;
    const text: WriteBody = async (out, read) => {
      const changes = await allChanges(found, { path: params, visible, read });
      const { label } = found.version;
      const previous = await inStateOf(found, read)((db) => findPrevious(db, params, visible, [label]));
      const around = {
        before: beforeOf(urlOf, label, previous.labels.get(label)),
        afterUrl: afterUrlOf(urlOf, label, previous.highest),
      };
      const version = { ...found.version, changes };
      if (isMarkdown) await out.add(await writeVersionMarkdown(site, { head, version, ...around }));
      else await writePage(out, request, { head, version, ...around });
    };
    if (isMarkdown) return { text, contentType: MARKDOWN_TYPE, language: head.language, origin: head };
    const url = site.links.urlsOf(head).version(namedForMarkdown(found));
    return { ...asPage(request, head, url, text), origin: head };
  },
});

const LABEL_CHARACTERS_MAX = SEGMENT_CHARACTERS_MAX - '.md'.length;

/** By its id if its label with `.md` leads elsewhere. */
function namedForMarkdown({ version: { id, label }, isMarkdownTaken }: VersionPage): NamedVersion {
  return { id, label: isMarkdownTaken || [...label].length > LABEL_CHARACTERS_MAX ? id : label };
}

async function writePage(
  out: BodyWriter,
  { render, site }: ReadRequest,
  { head, version, ...around }: VersionView<FullVersion>,
): Promise<void> {
  const rendered = await renderVersion(head, version, render, { level: 2 });
  out.showImages(imagesOf(rendered));
  const { start, end } = frameVersion(site, { head, version: rendered, ...around });
  await out.add(start);
  for (const piece of writeContent(rendered, { head, url: '', level: 2 })) await out.add(piece);
  await out.add(end);
}
