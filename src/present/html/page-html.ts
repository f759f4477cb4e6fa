// Adapts the HTML of authored texts to pages, where it must be valid, accessible, and free of style attributes.
// `token-html.ts` wrote it: attributes are quoted and in a known order, and text contains no `<`, `>` or `"` that looks
// like markup.
import type { Locale } from '../words/locale.ts';

const LOWEST_HEADING = 6;
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Z}]/u;
const IMAGE = /<img(?: src="([^"]*)")?(?: alt="([^"]*)")?( title="[^"]*")? \/>/g;
const LINK = /<a( href="([^"]*)")?( title="([^"]*)")?( rel="[^"]*")>(.*?)<\/a>/gs;
const HEADER_CELL = /<th(?: style="text-align:(\w+)")?>(.*?)<\/th>/gs;
const HEADING = /<h([1-6])>(.*?)<\/h\1>/gs;

/** Tags that differ on a page, or contain one that does. */
const ADAPTED = /<(?:a|img|br|hr|pre|table|h[1-6])[ >]/;

/** Which images a page shows. It links to all others. */
type IsShown = (src: string | undefined) => boolean;

type Adapting = Readonly<{
  /** The level of the author's top headings. */
  level: number;
  /** Of the page. */
  locale: Pick<Locale, 'words' | 'direction'>;
  isShown?: IsShown;
}>;

export function adaptForPage(html: string, { level, locale, isShown = isWebImage }: Adapting): string {
  const adapted = ADAPTED.test(html)
    ? adaptHeadings(adaptBlocks(adaptInline(html, isShown), locale.words.regions.table), level)
    : html;
  return locale.direction === 'rtl' ? keepDirection(adapted) : adapted;
}

/** Of a link whose text is `#412`, `@name` or a URL. */
const BEFORE_REFERENCE = / rel="[^"]*"(?=>(?:[#@]|https?:)[^\s<]*<\/a>)/g;

/** Code and references among words from right to left. A text that begins with one has the direction of its words. */
function keepDirection(html: string): string {
  return html.replaceAll('<code>', '<code dir="ltr">').replaceAll(BEFORE_REFERENCE, '$& dir="ltr"');
}

function adaptInline(html: string, isShown: IsShown): string {
  return html
    .replaceAll(/<(br|hr) \/>/g, '<$1>')
    .replaceAll(LINK, (_, hrefPart = '', href, titlePart = '', title, rel, content) =>
      // A link to a forbidden scheme has lost its target.
      href === undefined
        ? content
        : `<a${hrefPart}${titlePart}${rel}>${nameLink(content, title ?? href, isShown)}</a>`,
    )
    .replaceAll(IMAGE, (_, src, alt = '', title = '') => writeImage(src, alt, title, isShown));
}

/** A link needs text, or an image with alternative text. It cannot contain another link. */
function nameLink(content: string, name: string, isShown: IsShown): string {
  const named = content.replaceAll(IMAGE, (image, src, alt = '') => (isShown(src) ? image : alt));
  if (hasText(named)) return named;
  return named.includes('<img') ? named.replace(/ alt="[^"]*"/, () => ` alt="${name}"`) : name;
}

function writeImage(src: string | undefined, alt: string, title: string, isShown: IsShown): string {
  if (isShown(src))
    return `<img src="${src}" alt="${alt}"${title} loading="lazy" decoding="async" referrerpolicy="no-referrer">`;
  if (src === undefined) return alt;
  return `<a href="${src}"${title} rel="noopener nofollow">${hasText(alt) ? alt : src}</a>`;
}

/** The policy blocks other images, and one from this server would count as a request. */
function isWebImage(src: string | undefined): boolean {
  return src?.startsWith('https:') === true;
}

/** Wide tables and code must be focusable to scroll by keyboard. */
function adaptBlocks(html: string, tableName: string): string {
  return html
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replaceAll('<table>', `<div class="scroll" role="group" aria-label="${tableName}" tabindex="0"><table>`)
    .replaceAll('</table>', '</table></div>')
    .replaceAll(HEADER_CELL, (_, alignment, content) => {
      const classes = alignment === undefined ? '' : ` class="${alignment}"`;
      return hasText(content) ? `<th scope="col"${classes}>${content}</th>` : `<td${classes}>${content}</td>`;
    })
    .replaceAll(/<td style="text-align:(\w+)">/g, '<td class="$1">');
}

/** Authors skip heading levels, which makes an outline hard to follow; here each is one below its parent. */
function adaptHeadings(html: string, headingLevel: number): string {
  const open: number[] = [];
  return html.replaceAll(HEADING, (_, digit, content) => {
    if (!hasText(content)) return content.includes('<') ? `<p>${content}</p>` : '';
    while ((open.at(-1) ?? 0) >= Number(digit)) open.pop();
    open.push(Number(digit));
    const level = Math.min(headingLevel + open.length - 1, LOWEST_HEADING);
    return `<h${level}>${content}</h${level}>`;
  });
}

/** Whether it shows text, or an image with alternative text. */
export function hasText(html: string): boolean {
  if (!html.includes('<')) return VISIBLE.test(html);
  return VISIBLE.test(html.replaceAll(/<img [^>]*? ?alt="([^"]*)"[^>]*>/g, '$1').replaceAll(/<[^>]*>/g, ''));
}
