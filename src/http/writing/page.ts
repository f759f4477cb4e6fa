// A page as a response, and rows rendered for it: their texts as HTML that fits a page.
import type { SearchWords } from '../../domain/feed-query.ts';
import { alternateLink } from '../../present/links.ts';
import { renderNotes } from '../../present/notes/form.ts';
import { addOrigin } from '../../present/pages/style.ts';
import type { RenderedVersion } from '../../present/pages/version-parts.ts';
import { type PageText, pageTextFor, START, type TextHead } from '../../present/texts.ts';
import type { ListedProduct } from '../../store/read/lists/listing.ts';
import type { FullVersion } from '../../store/read/pages.ts';
import type { HeadRow } from '../../store/read/reads.ts';
import type { Render } from '../../text/render.ts';
import type { WriteBody } from '../cache/body.ts';
import type { Representation } from '../cache/make-response.ts';
import type { ReadRequest } from '../read.ts';
import { pageHead } from '../site.ts';

/**
 * `head` is null for a page without a product. The page at this URL with the same parameters is also Markdown. Its policy
 * allows the images that it shows (R63), so that it is made after the body.
 */
export function asPage(
  { site, text: query }: Pick<ReadRequest, 'site' | 'text'>,
  head: HeadRow | null,
  url: string,
  text: WriteBody,
): Pick<Representation, 'text' | 'link' | 'head' | 'language'> {
  const origins = new Set<string>();
  addOrigin(head?.logo ?? '', origins);
  return {
    text: (out, read) => {
      out.showImages = (urls) => {
        for (const image of urls) addOrigin(image ?? '', origins);
      };
      return text(out, read);
    },
    link: alternateLink(site.links.markdownOf(url) + query, 'text/markdown'),
    head: () => pageHead(site, head, origins),
    ...(head !== null && { language: head.language }),
  };
}

/** A description's headings are one level below the version's, like those of the change types. */
export async function renderVersion(
  head: TextHead,
  version: FullVersion,
  render: Render,
  { level, searched = null }: Readonly<{ level: 2 | 3; searched?: SearchWords | null }>,
): Promise<RenderedVersion> {
  const writerAt = (top: number) => pageTextFor(head, top, searched);
  const { description, changes } = await renderNotes(version, render, writerAt(level), writerAt(level + 1));
  return {
    ...version,
    yanked: version.yanked === 1,
    description,
    changes: changes.map(({ shown, ...change }) => ({
      ...change,
      breaking: change.breaking === 1,
      text: shown,
    })),
  };
}

/** A text whose headings begin at a level. An empty one is none. */
export async function renderText(
  head: TextHead,
  text: string | null,
  render: Render,
  level: 2 | 3,
): Promise<PageText | null> {
  const [written = null] = await render(text ? [text] : [], pageTextFor(head, level));
  return written;
}

/** The first changes of the newest versions, each as one line of plain text. */
export async function renderFirstChanges(
  products: readonly ListedProduct[],
  render: Render,
): Promise<ListedProduct[]> {
  const shown: ListedProduct[] = [];
  for (const { newestChanges = [], ...product } of products) {
    const texts = await render(
      newestChanges.map(({ text }) => text),
      START,
    );
    const lines = newestChanges.map(({ type }, index) => ({ type, text: texts[index] ?? '' }));
    shown.push({ ...product, newestChanges: lines.filter(({ text }) => text !== '') });
  }
  return shown;
}
