// Markdown → a tree.
import type { Token } from 'markdown-it';
import { isTooComplex, markdown, NESTING_MAX } from './markdown-it.ts';
import { addHtml } from './raw-html.ts';
import {
  ALERTS,
  type Attributes,
  asWritten,
  type Element,
  isElement,
  type Node,
  safeTarget,
  type Tree,
  TreeBuilder,
} from './tree.ts';

/** Short table rows are padded, so little syntax can produce many cells. */
const TOKENS_MAX = 20_000;
/** References repeat their URL and title at each use. */
const ATTRIBUTE_CHARACTERS_MAX = 1_000_000;

export function parseText(source: string): Tree {
  if (isTooComplex(source)) return asWritten(source);
  const reader = new TokenReader();
  const tokens: Token[] = [];
  const text = source.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '\ufffd');
  markdown.block.parse(text, markdown, reader.env, tokens);
  // Deeper levels were dropped.
  if (tokens.length > TOKENS_MAX || tokens.some(({ level }) => level >= NESTING_MAX - 1))
    return asWritten(source);
  reader.add(tokens);
  return reader.finish(source);
}

/** A `Render` for a few texts. */
export const renderAtOnce = <T>(texts: readonly string[], { write }: { write: (tree: Tree) => T }): T[] =>
  texts.map((text) => write(parseText(text)));

class TokenReader {
  /** Has the definitions of links. */
  readonly env = {};
  readonly #builder = new TreeBuilder();
  readonly #dropped = new Set<string>();
  #attributeCharacters = 0;

  add(tokens: readonly Token[]): void {
    let unreadTo = -1;
    for (const [index, token] of tokens.entries()) {
      const { type, tag, nesting, content } = token;
      const end = type === 'html_inline' && index > unreadTo ? findEnd(tokens, index) : index;
      if (end > index) {
        this.#dropped.add(nameOf(content));
        unreadTo = end;
      }
      if (index > unreadTo) this.#add(token);
      // What begins or ends among text that nobody reads may have its other end elsewhere.
      else if (nesting === 1) this.#builder.openNothing(tag, true);
      else if (nesting === -1) this.#builder.closeMarkdown();
    }
  }

  finish(source: string): Tree {
    if (this.#attributeCharacters > ATTRIBUTE_CHARACTERS_MAX) return asWritten(source);
    const nodes = this.#builder.finish();
    // The text of a change begins an item.
    showBox(nodes);
    return { source, nodes, dropped: this.#dropped };
  }

  #addInline(text: string): void {
    if (this.#attributeCharacters > ATTRIBUTE_CHARACTERS_MAX) return;
    const tokens: Token[] = [];
    markdown.inline.parse(text, markdown, this.env, tokens);
    for (const { attrs } of tokens)
      if (attrs !== null) for (const [, value] of attrs) this.#attributeCharacters += String(value).length;
    if (this.#attributeCharacters <= ATTRIBUTE_CHARACTERS_MAX) this.add(tokens);
  }

  #add(token: Token): void {
    const { type, tag, nesting, content } = token;
    if (type === 'text' || type === 'text_special') this.#builder.addText(content);
    else if (nesting === 1) this.#open(token);
    else if (nesting === -1) this.#close(token);
    else if (type === 'inline') this.#addInline(content);
    else if (type === 'softbreak') this.#builder.addText('\n');
    else if (type === 'hardbreak') this.#builder.open('br');
    else if (type === 'image') this.#addImage(token);
    else if (type === 'html_inline' || type === 'html_block') addHtml(content, this.#builder, this.#dropped);
    else if (type === 'hr') this.#builder.open('hr');
    else if (tag === 'code') this.#addCode(token);
  }

  #open(token: Token): void {
    if (token.hidden) return;
    // A link that leads nowhere is text.
    const attributes = attributesOf(token);
    if (attributes === null) this.#builder.openNothing(token.tag, true);
    else this.#builder.open(token.tag, attributes, true);
  }

  #close({ hidden, tag }: Token): void {
    if (hidden) return;
    const element = this.#builder.closeMarkdown();
    if (tag === 'li' && element.tag === tag) showBox(element.children);
    if (tag === 'blockquote' && element.tag === tag) readAlert(element);
  }

  #addCode({ type, content }: Token): void {
    const isBlock = type !== 'code_inline';
    if (isBlock) this.#builder.open('pre', {}, true);
    this.#builder.open('code', {}, true);
    this.#builder.addText(content);
    this.#builder.closeMarkdown();
    if (isBlock) this.#builder.closeMarkdown();
  }

  #addImage(token: Token): void {
    const src = safeTarget(attribute(token, 'src'));
    const [alt, title] = [textOf(token), attribute(token, 'title')];
    if (src === null) this.#builder.addText(alt);
    else this.#builder.open('img', { src, alt, ...(title !== '' && { title }) });
  }
}

const attribute = (token: Token, name: string): string => String(token.attrGet(name) ?? '');

/** Null for a link that leads nowhere. */
function attributesOf(token: Token): Attributes | null {
  const { tag } = token;
  if (tag === 'a') {
    const href = safeTarget(attribute(token, 'href'));
    const title = attribute(token, 'title');
    return href === null ? null : { href, ...(title !== '' && { title }) };
  }
  if (tag === 'ol' && token.attrs !== null) return { start: attribute(token, 'start') };
  if ((tag === 'th' || tag === 'td') && token.attrs !== null) {
    const [, align] = /^text-align:(left|center|right)$/.exec(attribute(token, 'style')) ?? [];
    return align === undefined ? {} : { align };
  }
  return {};
}

/** An image's alternative text. */
function textOf({ children }: Token): string {
  let text = '';
  for (const child of children ?? []) {
    if (['text', 'text_special', 'code_inline'].includes(child.type)) text += child.content;
    else if (child.type === 'softbreak' || child.type === 'hardbreak') text += '\n';
    else if (child.type === 'image') text += textOf(child);
  }
  return text;
}

const nameOf = (tag: string): string => /^<([a-z]+)/i.exec(tag)?.[1] ?? '';

/** Where an element ends whose content nobody reads: in a line, only if it ends there. */
function findEnd(tokens: readonly Token[], start: number): number {
  const name = nameOf(tokens[start]?.content ?? '').toLowerCase();
  if (name !== 'script' && name !== 'style') return start;
  const isEnd = ({ type, content }: Token) =>
    type === 'html_inline' && content.toLowerCase().startsWith(`</${name}`);
  const end = tokens.findIndex((token, index) => index > start && isEnd(token));
  return end === -1 ? start : end;
}

/** Of the first line of an item. */
function firstLine(children: Node[]): Node[] {
  const [first] = children;
  return isElement(first) && first.tag === 'p' ? first.children : children;
}

const BOX = /^\[([ xX])\](?=\s)/;

/** `- [ ]` and `- [x]` show a box. */
function showBox(children: Node[]): void {
  const line = firstLine(children);
  if (typeof line[0] === 'string') line[0] = line[0].replace(BOX, (_, mark) => (mark === ' ' ? '☐' : '☑'));
}

const ALERT = new RegExp(`^\\[!(${ALERTS.join('|')})\\][ \\t]*(?:\\n|$)`, 'i');

/** `> [!NOTE]`, alone in the first line. */
function readAlert(quote: Element): void {
  const line = firstLine(quote.children);
  const [mark, name] = (typeof line[0] === 'string' && ALERT.exec(line[0])) || [];
  const alert = ALERTS.find((each) => each === name?.toLowerCase());
  if (mark === undefined || alert === undefined) return;
  Object.assign(quote.attributes, { alert });
  line[0] = (line[0] as string).slice(mark.length);
  while (line[0] === '' || (isElement(line[0]) && line[0].tag === 'br')) line.shift();
  if (line.length === 0) quote.children.shift();
}
