// The blocks of Markdown at the top level: headings, lists, tables and texts. Their text is copied from the lines, so
// that nothing is lost.
import MarkdownIt, { type Token } from 'markdown-it';
import { type Block, type Item, parseItem } from './items.ts';
import { changesInTable } from './tables.ts';

const markdown = new MarkdownIt({ html: true });
markdown.core.ruler.enableOnly(['normalize', 'block']);
// Definitions that are left here are part of the text around them.
markdown.block.ruler.disable('reference');

/** In its own format, this program uses comments for what the text does not say. */
type BlockOptions = Readonly<{ isOwnFormat: boolean }>;

export function parseBlocks(lines: readonly string[], options: BlockOptions): Block[] {
  const tokens = markdown.parse(lines.join('\n'), {});
  const blocks: Block[] = [];
  const starts: number[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as Token;
    if (token.level > 0 || token.nesting === -1 || token.map === null) continue;
    const block = blockOf(tokens, at, lines, options);
    if (block === null) continue;
    blocks.push(block);
    starts.push(token.map[0]);
  }
  return options.isOwnFormat ? blocks : joinDetails(blocks, starts, lines);
}

/** Whether there is nothing but headings, comments, separators and anchors. */
export function isEmpty({ lines }: Readonly<{ lines: readonly string[] }>): boolean {
  return parseBlocks(lines, { isOwnFormat: false }).every(({ kind }) => kind === 'heading');
}

/** Drops blocks that are only comments. */
export function withoutComments(lines: readonly string[]): readonly string[] {
  const ranges = markdown.parse(lines.join('\n'), {}).flatMap(({ type, level, map }) => {
    const isBlock = type === 'html_block' && level === 0 && map !== null;
    return isBlock && isComment(textOf(lines, map)) ? [map] : [];
  });
  const kept: string[] = [];
  let from = 0;
  for (const [start, end] of ranges) {
    for (; from < start; from++) kept.push(lines[from] as string);
    from = end;
    while (lines[from]?.trim() === '') from++;
  }
  return [...kept, ...lines.slice(from)];
}

const ANCHOR_CHARACTERS_MAX = 300;
const COMMENT = /<!--.{0,200}-->\s*$/;
const EMPTY_ANCHOR = /^<a\s+(?:name|id)=["']?[^"'<>]*["']?\s*(?:\/>|>\s*<\/a>)$/i;

function blockOf(
  tokens: readonly Token[],
  at: number,
  lines: readonly string[],
  { isOwnFormat }: BlockOptions,
): Block | null {
  const { type, tag, map, markup } = tokens[at] as Token;
  const text = textOf(lines, map as [number, number]);
  // A line of dashes under a text may also be a separator.
  if (type === 'heading_open' && markup === '-')
    return { kind: 'text', text: tokens[at + 1]?.content ?? text };
  if (type === 'heading_open') {
    const name = withoutColon(
      (tokens[at + 1]?.content ?? '').replace(COMMENT, '').trim().replaceAll('**', ''),
    );
    return { kind: 'heading', level: Number(tag.slice(1)), name, text };
  }
  if (type === 'bullet_list_open' || type === 'ordered_list_open')
    return { kind: 'list', text, items: itemsOf(tokens, at, lines) };
  // Separators and anchors have no content.
  if (type === 'hr' || (text.length <= ANCHOR_CHARACTERS_MAX && EMPTY_ANCHOR.test(text))) return null;
  if (!isOwnFormat && type === 'html_block' && isComment(text)) return null;
  if (!isOwnFormat && type === 'table_open') {
    const items = changesInTable(text);
    if (items !== null) return { kind: 'list', text, items };
  }
  const isInset = type === 'fence' || type === 'code_block' || type === 'table_open';
  return { kind: isInset ? 'inset' : 'text', text };
}

function itemsOf(tokens: readonly Token[], start: number, lines: readonly string[]): Item[] {
  const items: Item[] = [];
  for (let at = start + 1; (tokens[at]?.level ?? 0) > 0; at++) {
    const { type, level, map } = tokens[at] as Token;
    if (type === 'list_item_open' && level === 1 && map !== null) items.push(parseItem(lines.slice(...map)));
  }
  return items;
}

/** Also a full-width one, but not that of `:wrench:`. */
function withoutColon(name: string): string {
  return /[:：]$/.test(name) && !/:[\w+-]+:$/.test(name) ? name.slice(0, -1).trimEnd() : name;
}

/** The lines, without blank ones at the end. */
function textOf(lines: readonly string[], [from, to]: readonly [number, number]): string {
  let end = to;
  while (end > from && lines[end - 1]?.trim() === '') end--;
  return lines.slice(from, end).join('\n');
}

// `<details>` and `</details>` with blank lines between them are several blocks of Markdown, but one text.
const TAG = /<(\/?)details\b/gi;

/** Joins the blocks from an opening tag to its closing one. `starts` has the first line of each block. */
function joinDetails(blocks: readonly Block[], starts: readonly number[], lines: readonly string[]): Block[] {
  const ends = endsOf(blocks);
  if (ends.size === 0) return [...blocks];
  const joined: Block[] = [];
  for (let at = 0; at < blocks.length; at++) {
    let end = ends.get(at);
    // The closing tag of one and the opening tag of the next may be in one block.
    for (let next = end; next !== undefined; next = ends.get(next)) end = next;
    if (end === undefined) joined.push(blocks[at] as Block);
    else {
      const text = lines.slice(starts[at], starts[end]).join('\n');
      joined.push({ kind: 'text', text: `${text}\n${(blocks[end] as Block).text}` });
      at = end;
    }
  }
  return joined;
}

/** Maps the block with the opening tag to the block with the closing tag. */
function endsOf(blocks: readonly Block[]): Map<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  for (const [index, { kind, text }] of blocks.entries()) {
    if (kind !== 'text' && kind !== 'list') continue;
    const opened: number[] = [];
    for (const [, slash] of text.matchAll(TAG)) {
      if (slash === '') opened.push(index);
      else if (opened.pop() === undefined) {
        const start = open.pop();
        if (start !== undefined) ends.set(start, index);
      }
    }
    // A list that opens more than it closes is left as it is.
    if (kind === 'text') open.push(...opened);
  }
  return ends;
}

/** Whether a text has nothing but comments, which readers do not see. */
export function isComment(text: string): boolean {
  let at = 0;
  do {
    if (!text.startsWith('<!--', at)) return false;
    const end = text.indexOf('-->', at + 4);
    if (end === -1) return false;
    at = end + 3;
    while (/\s/.test(text[at] ?? '')) at++;
  } while (at < text.length);
  return true;
}
