// A tree as HTML that is safe to embed: its elements are known, and all text is escaped.
import {
  type Alert,
  type Attributes,
  type Element,
  elementOf,
  HEADINGS,
  hasText,
  INLINE,
  isElement,
  mapElements,
  type Node,
  VOID,
} from './tree.ts';

export type HtmlOptions = Readonly<{
  alerts: Readonly<Record<Alert, string>>;
  /** For a page, which must be valid and accessible, and has no style attributes. */
  page?: PageOptions;
}>;

export type PageOptions = Readonly<{
  /** The level of the author's top headings. */
  level: number;
  /** What a table is called, for people who do not see it. */
  table: string;
  /** The summary of details without one. */
  details: string;
  /** Whether an image is shown; otherwise it is a link. */
  isShown: (src: string) => boolean;
}>;

const LOWEST_HEADING = 6;

export const writeHtml = (nodes: readonly Node[], options: HtmlOptions): string =>
  new HtmlWriter(options).write(nodes);

class HtmlWriter {
  #html = '';
  #isAtLineStart = true;
  readonly #options: HtmlOptions;
  /** The authored levels of the headings around the text. */
  readonly #headings: number[] = [];

  constructor(options: HtmlOptions) {
    this.#options = options;
  }

  write(nodes: readonly Node[]): string {
    this.#addAll(nodes);
    return this.#html.trim();
  }

  #write(html: string): void {
    this.#html += html;
    if (html !== '') this.#isAtLineStart = html.endsWith('\n');
  }

  #addAll(nodes: readonly Node[]): void {
    for (const [index, node] of nodes.entries()) {
      if (!isElement(node)) this.#write(escapeText(node));
      else {
        const isBlock = !INLINE.has(node.tag);
        if (isBlock && index > 0 && !this.#isAtLineStart) this.#write('\n');
        this.#add(node);
        if (isBlock) this.#write('\n');
      }
    }
  }

  #add(element: Element): void {
    const { page } = this.#options;
    if (element.tag === 'img') this.#addImage(element.attributes);
    else if (element.tag === 'a' && page !== undefined) this.#addLink(element, page);
    else if (HEADINGS.has(element.tag) && page !== undefined) this.#addHeading(element, page);
    else if (element.tag === 'table' && page !== undefined) {
      this.#write(`<div class="scroll" role="group" aria-label="${escapeHtml(page.table)}" tabindex="0">`);
      this.#addElement('table', element);
      this.#write('</div>');
    } else if (element.tag === 'th' && page !== undefined && !hasText(element.children))
      this.#addElement('td', element);
    else if (element.tag === 'details' && page !== undefined) this.#addDetails(element, page);
    else this.#addElement(element.tag, element);
  }

  #addElement(tag: string, { attributes, children }: Element, more = ''): void {
    this.#write(`<${tag}${this.#attributesOf(tag, attributes)}${more}>`);
    if (tag === 'br') this.#write('\n');
    if (VOID.has(tag)) return;
    const [first] = children;
    // A browser drops the first line break.
    if (isElement(first) ? !INLINE.has(first.tag) && tag !== 'pre' : tag === 'pre' && first?.startsWith('\n'))
      this.#write('\n');
    if (attributes.alert !== undefined) this.#addAlert(attributes.alert);
    this.#addAll(children);
    this.#write(`</${tag}>`);
  }

  #addDetails(element: Element, { details }: PageOptions): void {
    const [first] = element.children;
    const hasSummary = isElement(first) && first.tag === 'summary';
    const summary = hasSummary ? [] : [elementOf('summary', details)];
    this.#addElement('details', { ...element, children: [...summary, ...element.children] });
  }

  #addAlert(alert: Alert): void {
    const start = this.#isAtLineStart ? '' : '\n';
    this.#write(`${start}<p><strong>${escapeText(this.#options.alerts[alert])}</strong></p>\n`);
  }

  #attributesOf(tag: string, { href, title, start, align, isOpen, dir }: Attributes): string {
    const { page } = this.#options;
    if (tag === 'a')
      return `${attribute('href', href)}${attribute('title', title)} rel="noopener nofollow"${attribute('dir', dir)}`;
    if (tag === 'pre') return page === undefined ? '' : ' tabindex="0"';
    if (tag === 'th' || tag === 'td') {
      const scope = tag === 'th' && page !== undefined ? ' scope="col"' : '';
      return (
        scope +
        (page === undefined ? attribute('style', align && `text-align:${align}`) : attribute('class', align))
      );
    }
    return attribute('start', start) + (isOpen ? ' open' : '') + attribute('dir', dir);
  }

  #addImage({ src = '', alt = '', title, width, height }: Attributes): void {
    const { page } = this.#options;
    if (page !== undefined && !page.isShown(src)) {
      const text = hasText([alt]) ? alt : src;
      this.#write(
        `<a${this.#attributesOf('a', { href: src, ...(title !== undefined && { title }) })}>${escapeText(text)}</a>`,
      );
      return;
    }
    const size = attribute('width', width) + attribute('height', height);
    const loading = page === undefined ? '' : ' loading="lazy" decoding="async" referrerpolicy="no-referrer"';
    this.#write(
      `<img src="${escapeHtml(src)}" alt="${escapeHtml(alt)}"${attribute('title', title)}${size}${loading}>`,
    );
  }

  /** It needs a name, and cannot contain another link: images that are not shown become their text. */
  #addLink({ tag, attributes, children }: Element, { isShown }: PageOptions): void {
    const { href = '', title: name = href } = attributes;
    let hasImage = false;
    const shown = mapElements(children, (element) => {
      const { src, alt = '' } = element.attributes;
      if (src !== undefined && !isShown(src)) return [alt];
      hasImage ||= src !== undefined;
      return [element];
    });
    const content = hasImage || hasText(shown) ? shown : [name];
    const label = hasText(content) ? '' : attribute('aria-label', name);
    this.#addElement(tag, { tag, attributes, children: content }, label);
  }

  /** Authors skip levels, which makes an outline hard to follow; here each is one below its parent. */
  #addHeading({ tag, attributes, children }: Element, { level }: PageOptions): void {
    if (!hasText(children)) {
      if (children.some(isElement)) this.#addElement('p', { tag: 'p', attributes, children });
      return;
    }
    const authored = Number(tag[1]);
    while ((this.#headings.at(-1) ?? 0) >= authored) this.#headings.pop();
    this.#headings.push(authored);
    const own = `h${Math.min(level + this.#headings.length - 1, LOWEST_HEADING)}`;
    this.#addElement(own, { tag: own, attributes, children });
  }
}

const attribute = (name: string, value: string | undefined): string =>
  value === undefined ? '' : ` ${name}="${escapeHtml(value)}"`;

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

const refer = (character: string) => REFERENCES[character] as string;

/** Between tags, or in double quotes. */
export function escapeHtml(text: string): string {
  return /[&<>"]/.test(text) ? text.replaceAll(/[&<>"]/g, refer) : text;
}

/** Between tags, where quotes mean nothing. */
export function escapeText(text: string): string {
  return /[&<>]/.test(text) ? text.replaceAll(/[&<>]/g, refer) : text;
}
