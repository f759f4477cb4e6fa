// A text as a tree of the elements that it may have, and nothing else: writers turn it into HTML, plain text, lines of a
// chat. What is not in these tables cannot be in a tree, whatever an author writes (ADR 30).
/** Text is a string. `pre` shows it as written. */
export type Node = string | Element;
export type Element = Readonly<{ tag: string; attributes: Attributes; children: Node[] }>;
export type Attributes = Readonly<{
  /** Of a link: relative, or with an allowed scheme. */
  href?: string;
  /** Of an image, in the same way. */
  src?: string;
  alt?: string;
  title?: string;
  width?: string;
  height?: string;
  /** Of an ordered list. */
  start?: string;
  /** Of a cell. */
  align?: string;
  /** Of `details`. */
  isOpen?: true;
  /** What a quote is: `> [!NOTE]`. */
  alert?: Alert;
  /** Of code and references among words from right to left. */
  dir?: 'ltr';
}>;

export const ALERTS = ['note', 'tip', 'important', 'warning', 'caution'] as const;
export type Alert = (typeof ALERTS)[number];

export type Tree = Readonly<{
  source: string;
  nodes: readonly Node[];
  /** Names of HTML elements that were dropped, as written, and `!--` for a comment. */
  dropped: ReadonlySet<string>;
}>;

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(' '));

export const VOID = setOf('br hr img');
export const HEADINGS = setOf('h1 h2 h3 h4 h5 h6');
/** Elements in a line of text. */
export const INLINE = setOf('b strong i em s del ins mark small sub sup kbd samp var abbr code a img br');
/** What a block ends, because it cannot be inside it. */
export const LINES = setOf(`${[...INLINE, ...HEADINGS].join(' ')} p pre`);
/** They have lines, but no blocks. */
export const NO_BLOCKS = setOf('summary caption dt');
export const BLOCKS = setOf(`${[...HEADINGS].join(' ')} p pre blockquote hr ul ol dl table details`);

type Part = Readonly<{
  parents: readonly string[];
  /** What they end to be there. */
  ends: readonly string[];
  /** Whether nothing may be before them. */
  isFirst?: true;
}>;

/** Parts of other elements. */
export const PARTS: Readonly<Record<string, Part>> = {
  li: { parents: ['ul', 'ol'], ends: ['li'] },
  dt: { parents: ['dl'], ends: ['dt', 'dd'] },
  dd: { parents: ['dl'], ends: ['dt', 'dd'] },
  summary: { parents: ['details'], ends: [], isFirst: true },
  caption: { parents: ['table'], ends: [], isFirst: true },
  thead: { parents: ['table'], ends: ['thead', 'tbody', 'tfoot', 'tr', 'td', 'th', 'caption'] },
  tbody: { parents: ['table'], ends: ['thead', 'tbody', 'tfoot', 'tr', 'td', 'th', 'caption'] },
  tfoot: { parents: ['table'], ends: ['thead', 'tbody', 'tfoot', 'tr', 'td', 'th', 'caption'] },
  tr: { parents: ['thead', 'tbody', 'tfoot'], ends: ['tr', 'td', 'th', 'caption'] },
  th: { parents: ['tr'], ends: ['td', 'th'] },
  td: { parents: ['tr'], ends: ['td', 'th'] },
};

/** What is around a part that is missing there. */
export const IMPLIED_PARENT: Readonly<Record<string, string>> = { td: 'tr', th: 'tr', tr: 'tbody' };

/** What begins where text or a block cannot be; the empty name is that of the whole text. */
export const IMPLIED_CHILD: Readonly<Record<string, string>> = {
  ...{ ul: 'li', ol: 'li', dl: 'dd', table: 'tbody', thead: 'tr', tbody: 'tr', tfoot: 'tr', tr: 'td' },
};
/** Text directly inside them is a paragraph. */
export const HAS_PARAGRAPHS = setOf(' blockquote details');

export const elementOf = (tag: string, ...children: Node[]): Element => ({ tag, attributes: {}, children });

export const isElement = (node: Node | undefined): node is Element => typeof node === 'object';

/** A text too complex to parse. Unlike in a block of code, there is no `code`. */
export function asWritten(source: string): Tree {
  return { source, nodes: [elementOf('pre', source)], dropped: new Set() };
}

/** The same nodes with other elements; those inside are changed first. */
export function mapElements(nodes: readonly Node[], change: (element: Element) => Node[]): Node[] {
  return nodes.flatMap((node) =>
    isElement(node) ? change({ ...node, children: mapElements(node.children, change) }) : [node],
  );
}

/** All its texts, without those of images. */
export function textsIn(nodes: readonly Node[]): string[] {
  return nodes.flatMap((node) => (isElement(node) ? textsIn(node.children) : [node]));
}

export type Range = Readonly<{ start: number; end: number }>;

/** A text whose ranges, in order, are elements. */
export function cutOut<R extends Range>(
  text: string,
  ranges: readonly R[],
  write: (inside: string, range: R) => Element,
): Node[] {
  const nodes: Node[] = [];
  let at = 0;
  for (const range of ranges) {
    nodes.push(text.slice(at, range.start), write(text.slice(range.start, range.end), range));
    at = range.end;
  }
  return [...nodes, text.slice(at)].filter((node) => node !== '');
}

const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Z}]/u;

/** Whether it shows text, or an image with alternative text. */
export function hasText(nodes: readonly Node[]): boolean {
  return nodes.some((node) =>
    isElement(node) ? VISIBLE.test(node.attributes.alt ?? '') || hasText(node.children) : VISIBLE.test(node),
  );
}

/** The URL of the first picture that a page may show. */
export function firstImage({ nodes }: Pick<Tree, 'nodes'>): string | null {
  for (const { attributes, children } of nodes.filter(isElement)) {
    const { src = '' } = attributes;
    const found = /^https:/i.test(src) ? src : firstImage({ nodes: children });
    if (found !== null) return found;
  }
  return null;
}

const SCHEMES = /^(?:https?|mailto):/i;
/** A scheme, or another host with the page's scheme. */
const ABSOLUTE = /^(?:[a-z][a-z0-9.+-]*:|[/\\]{2})/i;
/** Control characters and spaces, which browsers ignore in a scheme. */
const IGNORED = /[^!-\uffff]+/g;

export const isAbsolute = (target: string): boolean => ABSOLUTE.test(target);

/** Relative, or with an allowed scheme; null for all others. */
export function safeTarget(written: string): string | null {
  const target = written.replaceAll(IGNORED, '');
  return target === '' || (isAbsolute(target) && !SCHEMES.test(target)) ? null : target;
}

/** Null for a target that stays as written. Only web URLs are safe, whatever the base. */
export function resolve(target: string, base: string): string | null {
  if (isAbsolute(target)) return null;
  const url = URL.parse(target, base);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
}

// Builds a tree from the elements that Markdown and raw HTML open and close, in any order. Each goes where a browser could
// have it, so that the tree read back from written HTML is the same one.
/**
 * An element that is open. HTML cannot close what Markdown opened. `element` is where its content goes: that of an element
 * around it, if it cannot be where it was opened or a block has ended it.
 */
type Open = { readonly name: string; readonly isMarkdown: boolean; element: Element };

/** Deeper elements are left out, and their text is kept. */
const DEPTH_MAX = 100;
const BLANK = /^[ \t\n]*$/;
const NO_ATTRIBUTES: Attributes = {};

export class TreeBuilder {
  readonly #root: Element = { tag: '', attributes: NO_ATTRIBUTES, children: [] };
  readonly #open: Open[] = [{ name: '', isMarkdown: true, element: this.#root }];

  open(tag: string, attributes = NO_ATTRIBUTES, isMarkdown = false): void {
    if (this.#open.length > DEPTH_MAX || !this.#makePlace(tag)) this.openNothing(tag, isMarkdown);
    else this.#openElement(tag, attributes, isMarkdown);
  }

  #openElement(tag: string, attributes = NO_ATTRIBUTES, isMarkdown = false): void {
    const element = { tag, attributes, children: [] };
    this.#element.children.push(element);
    if (!VOID.has(tag)) this.#open.push({ name: tag, isMarkdown, element });
  }

  /** Its content goes where it is. */
  openNothing(name: string, isMarkdown: boolean): void {
    if (!VOID.has(name)) this.#open.push({ name, isMarkdown, element: this.#element });
  }

  /** Ends the element that HTML opened last under this name, with all inside it. */
  close(tag: string): void {
    for (let index = this.#open.length - 1; this.#open[index]?.isMarkdown === false; index--)
      if (this.#open[index]?.name === tag) {
        this.#open.length = index;
        return;
      }
  }

  /** Ends the element that Markdown opened last, with all inside it. Returns where its content went. */
  closeMarkdown(): Element {
    while (this.#open.at(-1)?.isMarkdown === false) this.#open.pop();
    const { element } = this.#open.pop() as Open;
    return element;
  }

  addText(written: string): void {
    const before = this.#element.children.at(-1);
    // The line has ended already.
    const text = isElement(before) && before.tag === 'br' ? written.replace(/^\n/, '') : written;
    if (text === '') return;
    const isBlank = BLANK.test(text);
    // Between blocks, and between the parts of a list or a table.
    if (isBlank && !this.#isInLine()) return;
    this.#makeLine();
    const { children } = this.#element;
    const last = children.at(-1);
    if (typeof last === 'string') children[children.length - 1] = last + text;
    else children.push(text);
  }

  finish(): Node[] {
    return this.#root.children;
  }

  get #element(): Element {
    return (this.#open.at(-1) as Open).element;
  }

  /** Whether it can be here, after what it ends has ended. */
  #makePlace(tag: string): boolean {
    if (tag in PARTS) return this.#makePlaceForPart(tag);
    if (!BLOCKS.has(tag)) {
      if (tag === 'a' && this.#open.some(({ element }) => element.tag === 'a')) return false;
      this.#makeLine();
      return true;
    }
    let at = this.#open.length - 1;
    while (LINES.has((this.#open[at] as Open).element.tag)) at--;
    const { tag: around } = (this.#open[at] as Open).element;
    if (NO_BLOCKS.has(around) && !(around === 'summary' && HEADINGS.has(tag))) return false;
    this.#endLines(at);
    this.#makeChild();
    return true;
  }

  #makePlaceForPart(tag: string): boolean {
    const { parents, ends, isFirst = false } = PARTS[tag] as (typeof PARTS)[string];
    for (let index = this.#open.length - 1; index >= 0; index--) {
      const { element, isMarkdown } = this.#open[index] as Open;
      if (parents.includes(element.tag)) {
        if (isFirst && element.children.length > 0) return false;
        this.#open.length = index + 1;
        return true;
      }
      const isEnded = LINES.has(element.tag) || ends.includes(element.tag);
      if (!isEnded || isMarkdown) break;
    }
    const implied = IMPLIED_PARENT[tag];
    if (implied === undefined || !this.#makePlaceForPart(implied)) return false;
    this.#openElement(implied);
    return true;
  }

  /** Begins what text needs around it. */
  #makeLine(): void {
    this.#makeChild();
    if (HAS_PARAGRAPHS.has(this.#element.tag)) {
      this.#endLines(this.#open.length - 1);
      this.#openElement('p');
    }
  }

  #makeChild(): void {
    for (let tag = IMPLIED_CHILD[this.#element.tag]; tag !== undefined; tag = IMPLIED_CHILD[tag])
      this.#openElement(tag);
  }

  /** A block ends lines of text inside its container. Those of Markdown stay open, for the end that is still to come. */
  #endLines(containerAt: number): void {
    const { element: container } = this.#open[containerAt] as Open;
    const ended = containerAt + 1 < this.#open.length ? this.#open.splice(containerAt + 1) : [];
    for (const { name, isMarkdown } of ended)
      if (isMarkdown) this.#open.push({ name, isMarkdown, element: container });
    const { children } = container;
    const last = children.at(-1);
    if (typeof last === 'string') children[children.length - 1] = last.trimEnd();
    else if (last?.tag === 'p' && last.children.length === 0) children.pop();
  }

  /** Whether spaces here separate words. */
  #isInLine(): boolean {
    const { tag, children } = this.#element;
    if (LINES.has(tag) || NO_BLOCKS.has(tag)) return true;
    const last = children.at(-1);
    return last !== undefined && !(tag in IMPLIED_CHILD) && (!isElement(last) || INLINE.has(last.tag));
  }
}
