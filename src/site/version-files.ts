// What each version has: a page, a record, and notes in three forms.
import { renderVersion } from '../http/reads/writing.ts';
import { presentVersion } from '../present/changelog.ts';
import { writeVersionMarkdown } from '../present/markdown-pages.ts';
import { htmlNotes } from '../present/notes/document.ts';
import type { NotesForm } from '../present/notes/form.ts';
import { textNotes } from '../present/notes/text.ts';
import { markdownNotes } from '../present/outputs/markdown.ts';
import { frameVersion } from '../present/pages/product-pages.ts';
import { imagesOf, writeContent } from '../present/pages/version-parts.ts';
import { type Product, pagesOf, type Sources, type StaticFile } from './body.ts';
import { fromVersion, type VersionComparisons } from './comparison-pages.ts';
import type { WrittenVersions } from './written.ts';

export const NOTES: Readonly<Record<string, NotesForm>> = {
  'notes.md': markdownNotes,
  'notes.txt': textNotes,
  'notes.html': htmlNotes,
};

/** Read at once; more would only take more memory. */
const BATCH_VERSIONS = 50;

type VersionOptions = Readonly<{
  /** Receives each version. */
  written: WrittenVersions;
  comparisonsOf: (versionId: string) => VersionComparisons;
}>;

export async function* versionFiles(
  { db, render, site }: Sources,
  { path, nameOf, updatedAt }: Product,
  { written, comparisonsOf }: VersionOptions,
): AsyncGenerator<StaticFile> {
  for await (const { head, versions } of pagesOf(db, path, { limit: BATCH_VERSIONS, withChanges: true })) {
    for (const version of versions) {
      const name = `versions/${nameOf(version)}`;
      updatedAt.set(version.id, version.updatedAt);
      const rendered = await renderVersion(head, version, render, { level: 2 });
      await written.add(head, version, rendered, render);
      const view = { head, version: rendered, ...fromVersion(comparisonsOf(version.id)) };
      const { start, end } = frameVersion(site, view);
      const body = [start, ...writeContent(rendered, { head, url: '', level: 2 }), end].join('');
      yield { path: `${name}.html`, body, images: [head.logo, ...imagesOf(rendered)] };
      yield { path: `${name}.md`, body: await writeVersionMarkdown(site, { ...view, version }) };
      const data = await presentVersion(head, version, render);
      yield { path: `${name}.json`, body: JSON.stringify({ data }) };
      for (const [file, form] of Object.entries(NOTES)) {
        const frame = form.frame(head, `${head.productName} ${version.label}`);
        const notes = await form.writeVersion(version, { head, render, isTitled: false });
        yield { path: `${name}/${file}`, body: frame.start + notes + frame.end };
      }
    }
  }
}
