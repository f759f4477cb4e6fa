// How authored texts are written for those who read them: in HTML for programs and for pages, and as plain text.
import type { SearchWords } from '../domain/feed-query.ts';
import type { FullVersion } from '../store/read/pages.ts';
import type { HeadRow } from '../store/read/reads.ts';
import { markHits } from '../text/hits.ts';
import { writeHtml } from '../text/html.ts';
import { startOf } from '../text/lines.ts';
import { keepDirection, type LinkTargets, linkTree } from '../text/links.ts';
import { writePlain } from '../text/plain.ts';
import type { Render, Writer } from '../text/render.ts';
import { firstImage, isElement, type Tree } from '../text/tree.ts';
import { ENGLISH, localeOf, type Words } from './words/locale.ts';

/** What all texts of a product depend on. */
export type TextHead = LinkTargets & Pick<HeadRow, 'language'>;

/** Writes texts with the links of their product, in the direction of their language; `kind` is null if that is not worth keeping. */
function writerFor<T>(
  kind: string | null,
  head: TextHead,
  write: (linked: Tree, words: Words, source: Tree) => T,
): Writer<T> {
  const { linkBase, repositoryUrl, language } = head;
  const { direction, words } = localeOf(head);
  return {
    key: kind && [kind, linkBase, repositoryUrl, language].join(' '),
    write: (source) => {
      const linked = linkTree(source, head);
      return write(direction === 'rtl' ? keepDirection(linked) : linked, words, source);
    },
  };
}

/** For programs: `html` fields, feeds. */
export const htmlFor = (head: TextHead): Writer<string> =>
  writerFor('html', head, ({ nodes }, { alerts }) => writeHtml(nodes, { alerts }));

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
  const kind = searched === null ? `page ${level}` : null;
  return writerFor(kind, head, (linked, words, source) => {
    const nodes = searched === null ? linked.nodes : markHits(linked.nodes, searched);
    const images = new Set<string>();
    // The policy of a page blocks other images, and one from this server would count as a request.
    const isShown = (src: string) => src.startsWith('https:') && images.add(src).size > 0;
    const html = writeHtml(nodes, onPage(level, words, isShown));
    return { html, start: startOf(source), images: [...images], isHit: nodes !== linked.nodes };
  });
}

/** For a document that loads nothing: images are links. */
export const documentTextFor = (head: TextHead, level: number): Writer<string> =>
  writerFor(`document ${level}`, head, ({ nodes }, words) => writeHtml(nodes, onPage(level, words)));

function onPage(
  level: number,
  { alerts, regions, widget }: Words,
  isShown: (src: string) => boolean = () => false,
) {
  return { alerts, page: { level, table: regions.table, details: widget.readMore, isShown } };
}

/** Links to the repository would be noise. */
export function plainFor({ linkBase }: Pick<TextHead, 'linkBase'>) {
  return {
    key: `plain ${linkBase}`,
    write: (tree: Tree) => {
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
export const treeFor = (head: TextHead): Writer<Tree> => writerFor(null, head, (linked) => linked);

/** A text without markup, such as a title: what the reader looks for is marked. */
export function markText(text: string, searched: SearchWords | null): string {
  const nodes = searched === null ? [text] : markHits([text], searched);
  return writeHtml(nodes, { alerts: ENGLISH.words.alerts });
}

/** The description, which is null if there is none, and the changes, each with what its writer made of its text. */
export async function renderNotes<T>(
  version: Pick<FullVersion, 'description' | 'changes'>,
  render: Render,
  writer: Writer<T>,
  writerOfChanges = writer,
) {
  const [description = null] = await render(version.description ? [version.description] : [], writer);
  const texts = version.changes.map(({ text }) => text);
  const written = await render(texts, writerOfChanges);
  const changes = version.changes.map((change, index) => ({ ...change, shown: written[index] as T }));
  return { description, changes };
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
