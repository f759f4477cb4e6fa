// Turns the HTML of authored texts into text without markup. `token-html.ts` wrote it: tags are balanced, and neither
// texts nor values of attributes contain `<`, `>` or `"`.
import { unescapeHtml } from './escape.ts';

/** A tag in parts, or text. */
export const PIECE = /<(\/?)(\w+)([^>]*)>|[^<]+/g;
type Pieces = Iterator<RegExpExecArray>;

const INLINE = new Set(['br', 'code', 'em', 's', 'strong']);

/** Elements with other elements inside. Each is read up to its end. */
const CONTAINERS: Readonly<Record<string, (pieces: Pieces, attributes: string) => string>> = {
  ul: (pieces) => writeList(pieces, 'ul', () => '- '),
  ol: (pieces, attributes) => {
    let number = Number(readAttribute('start', attributes) || 1);
    return writeList(pieces, 'ol', () => `${number++}. `);
  },
  blockquote: (pieces) => indent(readBlocks(pieces, 'blockquote').blocks.join('\n\n'), '  '),
  pre: writeCode,
  table: writeTable,
};

/** Control characters except tab and LF: terminals interpret them. */
const CONTROL = /[^\P{Cc}\t\n]/gu;

/** Links become `text (URL)`, images their alternative text and URL. The author's line breaks stay; none is added. */
export function htmlToText(html: string): string {
  const { blocks } = readBlocks(html.matchAll(PIECE), '');
  return showControls(blocks.join('\n\n'));
}

const CJK = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303f\uff00-\uffef]`;
const LINE_BREAK = new RegExp(String.raw`(<pre>[^]*?</pre>|<br />\n)|((?<=${CJK})\n(?=${CJK}))|\n`, 'gu');

/** Joins the lines of each paragraph, except those that the author ended on purpose. */
export function joinLines(html: string): string {
  return html.replaceAll(LINE_BREAK, (_, kept?: string, betweenSigns?: string) =>
    betweenSigns === undefined ? (kept ?? ' ') : '',
  );
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

/** Up to the end of the element around them. An item with paragraphs makes its list loose. */
function readBlocks(pieces: Pieces, end: string): { blocks: string[]; isLoose: boolean } {
  const blocks: string[] = [];
  const add = (block: string) => block !== '' && blocks.push(block);
  const links: { url: string; from: number }[] = [];
  let isLoose = false;
  let line = '';
  for (const [piece, slash, tag, attributes = ''] of piecesUntil(end, pieces)) {
    if (tag === undefined) line += unescapeHtml(piece);
    else if (tag === 'img')
      line += withUrl(readAttribute('alt', attributes), readAttribute('src', attributes));
    else if (tag === 'a' && slash === '')
      links.push({ url: readAttribute('href', attributes), from: line.length });
    else if (tag === 'a') {
      const { url = '', from = 0 } = links.pop() ?? {};
      line = line.slice(0, from) + withUrl(line.slice(from), url);
    } else if (!INLINE.has(tag)) {
      add(tidy(line));
      line = '';
      isLoose ||= tag === 'p';
      add(CONTAINERS[tag]?.(pieces, attributes) ?? '');
    }
  }
  add(tidy(line));
  return { blocks, isLoose };
}

function* piecesUntil(end: string, pieces: Pieces): Generator<RegExpExecArray> {
  for (let next = pieces.next(); !next.done; next = pieces.next()) {
    const [, slash, tag] = next.value;
    if (slash === '/' && tag === end) return;
    yield next.value;
  }
}

function writeList(pieces: Pieces, end: string, nextMarker: () => string): string {
  const items: string[] = [];
  let isLoose = false;
  for (const [, , tag] of piecesUntil(end, pieces)) {
    if (tag !== 'li') continue;
    const item = readBlocks(pieces, tag);
    isLoose ||= item.isLoose;
    items.push(indent(item.blocks.join(item.isLoose ? '\n\n' : '\n'), nextMarker()).trimEnd());
  }
  return items.join(isLoose ? '\n\n' : '\n');
}

/** A text too complex to render has no `code` in its `pre`, and is shown as written. */
function writeCode(pieces: Pieces): string {
  let margin = '';
  let code = '';
  for (const [piece, , tag] of piecesUntil('pre', pieces)) {
    if (tag === 'code') margin = '    ';
    else code += unescapeHtml(piece);
  }
  return indent(code.replace(/\n+$/, ''), margin);
}

const COLUMN_CHARACTERS_MAX = 30;

/** A line per row, in columns. Long cells do not widen their column. */
function writeTable(pieces: Pieces): string {
  const rows: string[][] = [];
  for (const [, slash, tag = ''] of piecesUntil('table', pieces)) {
    if (slash === '' && tag === 'tr') rows.push([]);
    if (tag === 'th' || tag === 'td') rows.at(-1)?.push(readBlocks(pieces, tag).blocks.join(' '));
  }
  const widthOf = (column: number) =>
    rows.reduce((width, { [column]: cell = '' }) => {
      return cell.length > COLUMN_CHARACTERS_MAX ? width : Math.max(width, cell.length);
    }, 0);
  const widths = rows[0]?.map((_, column) => widthOf(column));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths?.[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function tidy(lines: string): string {
  if (!lines.includes('\n')) return lines.trim();
  return lines
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}

export function readAttribute(name: string, attributes: string): string {
  const [, value = ''] = new RegExp(` ${name}="([^"]*)"`).exec(attributes) ?? [];
  return unescapeHtml(value);
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
