// A tree as text without markup.
import { type Element, INLINE, isElement, type Node, type Tree } from './tree.ts';

/** Elements with other elements inside. */
const BLOCKS: Readonly<Record<string, (element: Element) => string>> = {
  ul: (list) => writeList(list, () => '- '),
  ol: (list) => {
    let number = Number(list.attributes.start ?? 1);
    return writeList(list, () => `${number++}. `);
  },
  blockquote: ({ children, attributes: { alert } }) =>
    indent(
      [...(alert === undefined ? [] : [LABELS[alert]]), ...readBlocks(children).blocks].join('\n\n'),
      '  ',
    ),
  pre: writeCode,
  table: writeTable,
};

const LABELS = { note: 'Note', tip: 'Tip', important: 'Important', warning: 'Warning', caution: 'Caution' };

/** Control characters except tab and LF: terminals interpret them. */
const CONTROL = /[^\P{Cc}\t\n]/gu;

/** Links become `text (URL)`, images their alternative text and URL. The author's line breaks stay; none is added. */
export function writePlain({ nodes }: Tree): string {
  return showControls(readBlocks(nodes).blocks.join('\n\n'));
}

const CJK = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303f\uff00-\uffef]`;
const LINE_BREAK = new RegExp(String.raw`((?<=${CJK})\n(?=${CJK}))|\n`, 'gu');

/** Joins the lines of each paragraph, except those that the author ended on purpose. */
export function joinLines(nodes: readonly Node[]): Node[] {
  return nodes.map((node) => {
    if (!isElement(node))
      return node.replaceAll(LINE_BREAK, (_, betweenSigns?: string) =>
        betweenSigns === undefined ? ' ' : '',
      );
    return node.tag === 'pre' ? node : { ...node, children: joinLines(node.children) };
  });
}

/** `\x1b` instead of what it would do to a terminal. */
export function showControls(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(CONTROL, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** After `first`, with the other lines below the text of the first one. */
export function indent(text: string, first: string): string {
  return first + text.replaceAll(/\n(?=[^\n])/g, `\n${' '.repeat(first.length)}`);
}

/** An item with paragraphs makes its list loose. */
function readBlocks(nodes: readonly Node[]): { blocks: string[]; isLoose: boolean } {
  const blocks: string[] = [];
  let isLoose = false;
  let line = '';
  const endLine = (): void => {
    const text = tidy(line);
    if (text !== '') blocks.push(text);
    line = '';
  };
  for (const node of nodes) {
    if (!isElement(node) || INLINE.has(node.tag)) {
      line += writeInline(node);
      continue;
    }
    endLine();
    isLoose ||= node.tag === 'p';
    const write = BLOCKS[node.tag];
    if (write === undefined) blocks.push(...readBlocks(node.children).blocks);
    else blocks.push(...[write(node)].filter((text) => text.trim() !== ''));
  }
  endLine();
  return { blocks, isLoose };
}

function writeInline(node: Node): string {
  if (!isElement(node)) return node;
  const { src, alt = '', href } = node.attributes;
  if (node.tag === 'br') return '\n';
  if (src !== undefined) return withUrl(alt, src);
  const text = node.children.map(writeInline).join('');
  return href === undefined ? text : withUrl(text, href);
}

function writeList({ children }: Element, nextMarker: () => string): string {
  const items = children.filter(isElement).map((item) => readBlocks(item.children));
  const written = items.map(({ blocks, isLoose }) =>
    indent(blocks.join(isLoose ? '\n\n' : '\n'), nextMarker()).trimEnd(),
  );
  return written.join(items.some(({ isLoose }) => isLoose) ? '\n\n' : '\n');
}

/** A text too complex to parse has no `code` in its `pre`, and is shown as written. */
function writeCode({ children }: Element): string {
  const isCode = children.some((node) => isElement(node) && node.tag === 'code');
  return indent(children.map(writeInline).join('').replace(/\n+$/, ''), isCode ? '    ' : '');
}

/** A line per row. */
function writeTable(table: Element): string {
  const lines = partsOf(table).map(({ tag, children }) =>
    tag === 'tr'
      ? children
          .filter(isElement)
          .map((cell) => readBlocks(cell.children).blocks.join(' '))
          .join('  ')
          .trimEnd()
      : readBlocks(children).blocks.join('\n'),
  );
  return lines.join('\n');
}

/** Its captions and rows. */
function partsOf({ children }: Element): Element[] {
  return children
    .filter(isElement)
    .flatMap((part) => (part.tag === 'tr' || part.tag === 'caption' ? [part] : partsOf(part)));
}

function tidy(lines: string): string {
  return lines
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}

function withUrl(text: string, url: string): string {
  if (url === '' || isUrl(text, url) || text.endsWith(`(${url})`)) return text;
  const shown = text.trimEnd();
  return shown === '' ? text + url : `${shown} (${url})${text.slice(shown.length)}`;
}

/** Whether a link shows its own URL: it may be encoded. */
function isUrl(text: string, url: string): boolean {
  if (text === url || `mailto:${text}` === url) return true;
  const shown = URL.parse(text);
  return shown !== null && shown.href === URL.parse(url)?.href;
}
