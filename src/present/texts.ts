// How authored texts are written for those who read them: in HTML for programs and for pages, and as plain text.
import type { SearchWords } from '../domain/feed-query.ts';
import type { HeadRow } from '../store/read/reads.ts';
import { markHits } from '../text/hits.ts';
import { writeHtml } from '../text/html.ts';
import { startOf } from '../text/lines.ts';
import { keepDirection, type LinkTargets, linkTree } from '../text/links.ts';
import { writePlain } from '../text/plain.ts';
import type { Writer } from '../text/render.ts';
import { firstImage, isElement, type Tree } from '../text/tree.ts';
import { ENGLISH, type Locale, localeOf } from './words/locale.ts';

/** What all texts of a product depend on. */
export type TextHead = LinkTargets & Pick<HeadRow, 'language'>;

const keyOf = (kind: string, { linkBase, repositoryUrl, language }: TextHead): string =>
  [kind, linkBase, repositoryUrl, language].join(' ');

const withLinks = (tree: Tree, head: TextHead): Tree => inDirection(linkTree(tree, head), localeOf(head));

const inDirection = (tree: Tree, { direction }: Locale): Tree =>
  direction === 'rtl' ? keepDirection(tree) : tree;

/** For programs: `html` fields, feeds. */
export function htmlFor(head: TextHead): Writer<string> {
  const { alerts } = localeOf(head).words;
  return { key: keyOf('html', head), write: (tree) => writeHtml(withLinks(tree, head).nodes, { alerts }) };
}

/** The https: URL of the first picture of a text. */
export function imageFor({ linkBase }: TextHead): Writer<string | null> {
  return {
    key: `image ${linkBase}`,
    write: (tree) => firstImage(linkTree(tree, { linkBase, repositoryUrl: null })),
  };
}

/** A text on a page. */
export type PageText = Readonly<{
  html: string;
  /** Its first words, for search engines and the names of links. */
  start: string;
  /** URLs of the images that it shows. */
  images: readonly string[];
  /** Whether it has what the reader looks for. */
  isHit: boolean;
}>;

/** Headings begin at a level. What the reader looks for is marked. */
export function pageTextFor(
  head: TextHead,
  level: number,
  searched: SearchWords | null = null,
): Writer<PageText> {
  const { words } = localeOf(head);
  return {
    key: searched === null ? keyOf(`page ${level}`, head) : null,
    write: (tree) => {
      const linked = withLinks(tree, head);
      const nodes = markHits(linked.nodes, searched);
      const images = new Set<string>();
      const isShown = (src: string) => isWebImage(src) && images.add(src).size > 0;
      const page = { level, table: words.regions.table, isShown };
      const html = writeHtml(nodes, { alerts: words.alerts, page });
      return { html, start: startOf(tree), images: [...images], isHit: nodes !== linked.nodes };
    },
  };
}

/** The policy of a page blocks other images, and one from this server would count as a request. */
const isWebImage = (src: string): boolean => src.startsWith('https:');

/** For a document that loads nothing: images are links. */
export function documentTextFor(head: TextHead, level: number): Writer<string> {
  const { words } = localeOf(head);
  const page = { level, table: words.regions.table, isShown: () => false };
  return {
    key: keyOf(`document ${level}`, head),
    write: (tree) => writeHtml(withLinks(tree, head).nodes, { alerts: words.alerts, page }),
  };
}

export type PlainText = Readonly<{ text: string; startsWithParagraph: boolean }>;

/** Links to the repository would be noise. */
export function plainFor({ linkBase }: Pick<TextHead, 'linkBase'>): Writer<PlainText> {
  return {
    key: `plain ${linkBase}`,
    write: (tree) => {
      const [first] = tree.nodes;
      return {
        text: writePlain(linkTree(tree, { linkBase, repositoryUrl: null })),
        startsWithParagraph: isElement(first) && first.tag === 'p',
      };
    },
  };
}

/** The first words of a text, on one line. */
export const START: Writer<string> = { key: null, write: startOf };

/** As it is, for those who write it in several ways. */
export const treeFor = (head: TextHead): Writer<Tree> => ({
  key: null,
  write: (tree) => withLinks(tree, head),
});

/** A text without markup, such as a title: what the reader looks for is marked. */
export function markText(text: string, searched: SearchWords | null): string {
  return writeHtml(markHits([text], searched), { alerts: ENGLISH.words.alerts });
}
