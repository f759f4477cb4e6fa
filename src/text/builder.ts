// Builds a tree from the elements that Markdown and raw HTML open and close, in any order. Each goes where a browser could
// have it, so that the tree read back from written HTML is the same one.
import {
  type Attributes,
  BLOCKS,
  type Element,
  HAS_PARAGRAPHS,
  HEADINGS,
  IMPLIED_CHILD,
  IMPLIED_PARENT,
  INLINE,
  isElement,
  LINES,
  NO_BLOCKS,
  type Node,
  PARTS,
  VOID,
} from './tree.ts';

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
