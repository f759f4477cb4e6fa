// Renders rows for pages: their texts as HTML that fits a page.

import { withLinks } from '../../present/html/links/repository-links.ts';
import { adaptForPage } from '../../present/html/page-html.ts';
import type { Render } from '../../present/html/render.ts';
import { renderNotes } from '../../present/notes/rendered.ts';
import { plainText } from '../../present/pages/document.ts';
import type { RenderedVersion } from '../../present/pages/views.ts';
import { localeOf } from '../../present/words/locale.ts';
import type { ListedProduct } from '../../store/read/lists/listing.ts';
import type { FullVersion } from '../../store/read/pages.ts';
import type { HeadRow } from '../../store/read/reads.ts';

type TextHead = Pick<HeadRow, 'linkBase' | 'repositoryUrl' | 'language'>;

/** A description's headings are one level below the version's, like those of the change types. */
export async function renderVersion(
  head: TextHead,
  version: FullVersion,
  render: Render,
  typeLevel: 2 | 3,
): Promise<RenderedVersion> {
  const locale = localeOf(head);
  const linked = withLinks(render, head);
  const { description, changes } = await renderNotes(version, linked, (html, part) =>
    adaptForPage(html, { level: part === 'change' ? typeLevel + 1 : typeLevel, locale }),
  );
  return {
    ...version,
    yanked: version.yanked === 1,
    description: version.description ? description : null,
    changes: changes.map(({ shown, ...change }) => ({
      ...change,
      breaking: change.breaking === 1,
      html: shown,
    })),
  };
}

/** A text whose headings begin at a level. An empty one is none. */
export async function renderText(
  head: TextHead,
  text: string | null,
  render: Render,
  level: 2 | 3,
): Promise<string | null> {
  if (!text) return null;
  const [html = ''] = await withLinks(render, head)([text]);
  return adaptForPage(html, { level, locale: localeOf(head) });
}

/** The first changes of the newest versions, each as one line of plain text. */
export async function renderFirstChanges(
  products: readonly ListedProduct[],
  render: Render,
): Promise<ListedProduct[]> {
  const shown: ListedProduct[] = [];
  for (const { newestChanges = [], ...product } of products) {
    const texts = await render(newestChanges.map(({ text }) => text));
    const lines = newestChanges.map(({ type }, index) => ({ type, text: plainText(texts[index] ?? '') }));
    shown.push({ ...product, newestChanges: lines.filter(({ text }) => text !== '') });
  }
  return shown;
}
