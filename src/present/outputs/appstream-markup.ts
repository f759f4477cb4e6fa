// Turns the HTML of notes into the markup of AppStream: paragraphs and flat lists, with `em` and `code` inside.
import { hasText } from '../html/page-html.ts';
import { PIECE, readAttribute } from '../html/plain-text.ts';
import { escapeXml, withoutForbidden } from './xml.ts';

const LISTS = new Set(['ul', 'ol', 'table']);
const ITEMS = new Set(['li', 'tr']);
const INLINE = new Set(['a', 'br', 'code', 'em', 'img', 's', 'strong']);
/** Validators refuse URLs in texts, but not host names. */
const SCHEME = /(?:https?|ftp):\/\//gi;
const EMPTY = /<(em|code)>\s*<\/\1>/g;

/**
 * Items of inner lists become items of the outer one, rows of tables items of a list, and lines of code paragraphs or parts
 * of their item. Links and images become their text. Empty if there is no text.
 */
export function toAppStreamMarkup(html: string): string {
  const writer = new Writer();
  for (const [piece, slash, tag, attributes = ''] of withoutForbidden(html).matchAll(PIECE)) {
    if (tag === undefined) writer.addText(piece);
    else if (slash === '/') writer.close(tag);
    else writer.open(tag, attributes);
  }
  return writer.finish();
}

class Writer {
  readonly #blocks: string[] = [];
  #items: string[] = [];
  /** The outermost list; inner ones only count. */
  #list: 'ul' | 'ol' = 'ul';
  #depth = 0;
  #line = '';
  /** Only one of `em` and `code` at a time: neither contains the other. */
  #mark: Readonly<{ tag: string; depth: number }> | null = null;
  #inline = 0;
  #isCodeBlock = false;

  addText(piece: string): void {
    const text = piece.replaceAll(SCHEME, '');
    if (!this.#isCodeBlock) this.#line += text;
    else
      for (const line of text.split('\n')) {
        this.#line += `<code>${line.trimEnd()}</code>`;
        this.#endParagraph();
      }
  }

  open(tag: string, attributes: string): void {
    if (LISTS.has(tag)) this.#openList(tag);
    else if (ITEMS.has(tag)) this.#endBlock();
    else if (tag === 'pre') this.#endParagraph();
    else if (tag === 'img') this.addText(escapeXml(readAttribute('alt', attributes)));
    else if (tag === 'br') this.#line += ' ';
    else if (tag === 'td' || tag === 'th') this.#line += this.#line.trim() === '' ? '' : ' | ';
    else if (INLINE.has(tag)) this.#openInline(tag);
    else this.#endParagraph();
    if (tag === 'pre') this.#isCodeBlock = true;
  }

  close(tag: string): void {
    if (LISTS.has(tag)) this.#closeList();
    else if (ITEMS.has(tag)) this.#endBlock();
    else if (INLINE.has(tag)) this.#closeInline();
    else if (tag !== 'td' && tag !== 'th') this.#endParagraph();
    if (tag === 'pre') this.#isCodeBlock = false;
  }

  finish(): string {
    this.#endBlock();
    return this.#blocks.join('\n');
  }

  #openInline(tag: string): void {
    const mark = tag === 'strong' ? 'em' : tag;
    this.#inline++;
    if (this.#isCodeBlock || this.#mark !== null || (mark !== 'em' && mark !== 'code')) return;
    this.#mark = { tag: mark, depth: this.#inline };
    this.#line += `<${mark}>`;
  }

  #closeInline(): void {
    if (this.#mark?.depth === this.#inline) {
      this.#line += `</${this.#mark.tag}>`;
      this.#mark = null;
    }
    this.#inline--;
  }

  #openList(tag: string): void {
    this.#endBlock();
    if (this.#depth === 0) this.#list = tag === 'ol' ? 'ol' : 'ul';
    this.#depth++;
  }

  #closeList(): void {
    this.#endBlock();
    this.#depth--;
    if (this.#depth > 0 || this.#items.length === 0) return;
    this.#blocks.push(`<${this.#list}>\n${this.#items.join('\n')}\n</${this.#list}>`);
    this.#items = [];
  }

  /** Paragraphs of an item become one. */
  #endParagraph(): void {
    if (this.#depth === 0) this.#endBlock();
    else this.#line += ' ';
  }

  #endBlock(): void {
    const text = this.#line.replaceAll(EMPTY, '').replaceAll(/\s+/g, ' ').trim();
    this.#line = '';
    if (!hasText(text)) return;
    if (this.#depth === 0) this.#blocks.push(`<p>${text}</p>`);
    else this.#items.push(`<li>${text}</li>`);
  }
}
