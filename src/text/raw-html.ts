// Raw HTML in Markdown (R71): its tags are read and made anew, never copied.
import { markdown } from './markdown-it.ts';
import { type Attributes, BLOCKS, INLINE, PARTS, safeTarget, type TreeBuilder } from './tree.ts';

/**
 * A comment or another declaration; an element with content that nobody reads; a tag. None needs its end, so that no
 * character is looked at twice.
 */
const PIECES =
  /<!--(?:>|->|[\s\S]*?(?:-->|$))|<(?:!\[CDATA\[[\s\S]*?(?:\]\]>|$)|[!?][^>]*(?:>|$))|<(script|style)(?=[\s/>])[\s\S]*?(?:<\/\1\s*>|$)|<(\/?)([A-Za-z][^\s/>]*)((?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^"'>])*)(?:>|$)/gi;
const ATTRIBUTES = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>=`]+)))?/g;

/** Writes what a piece of HTML says, and names what it drops. */
export function addHtml(html: string, builder: TreeBuilder, dropped: Set<string>): void {
  let end = 0;
  for (const { 0: piece, 1: unread, 2: slash, 3: name, 4: attributes = '', index } of html.matchAll(PIECES)) {
    builder.addText(decode(html.slice(end, index)));
    end = index + piece.length;
    if (name === undefined) dropped.add(unread ?? '!--');
    else if (!addTag(name.toLowerCase(), slash === '/', attributes, builder)) dropped.add(name);
  }
  builder.addText(decode(html.slice(end)));
}

const KEPT = new Set([...INLINE, ...BLOCKS, ...Object.keys(PARTS)]);
/** They are only around what is kept. */
const TRANSPARENT = new Set(['picture', 'colgroup', 'col']);

/** False if the element is dropped. */
function addTag(name: string, isEnd: boolean, written: string, builder: TreeBuilder): boolean {
  if (name === 'video' || name === 'source') addLinkTo(targetIn('src', written), builder);
  else if (!KEPT.has(name)) return TRANSPARENT.has(name);
  else if (isEnd) builder.close(name);
  else {
    const attributes = readAttributes(name, written);
    if (attributes !== null) builder.open(name, attributes);
    else if (name === 'img') builder.addText(attributeOf('alt', written) ?? '');
  }
  return true;
}

/** A video is a link. */
function addLinkTo(href: string | null, builder: TreeBuilder): void {
  if (href === null) return;
  builder.open('a', { href });
  builder.addText(href);
  builder.close('a');
}

/** Null for a link or an image that leads nowhere. */
function readAttributes(name: string, written: string): Attributes | null {
  if (name === 'a') {
    const href = targetIn('href', written);
    return href === null ? null : { href };
  }
  if (name === 'img') {
    const src = targetIn('src', written);
    const [width, height] = [sizeOf('width', written), sizeOf('height', written)];
    return src === null
      ? null
      : { src, alt: attributeOf('alt', written) ?? '', ...(width && { width }), ...(height && { height }) };
  }
  return name === 'details' && attributeOf('open', written) !== null ? { isOpen: true } : {};
}

/** Encoded as in Markdown. That may leave out what was before a scheme, so it is checked after that, too. */
function targetIn(name: string, written: string): string | null {
  const target = safeTarget(attributeOf(name, written) ?? '');
  return target && safeTarget(markdown.normalizeLink(target));
}

const SIZE = /^\s*(\d{1,5})(?:px)?\s*$/;
const sizeOf = (name: string, written: string) => SIZE.exec(attributeOf(name, written) ?? '')?.[1];

/** As browsers do, the first one counts. Null if there is none. */
function attributeOf(wanted: string, written: string): string | null {
  for (const [, name = '', quoted, single, plain] of written.matchAll(ATTRIBUTES))
    if (name.toLowerCase() === wanted) return decode(quoted ?? single ?? plain ?? '');
  return null;
}

/** Character references, but not the escapes of Markdown. */
function decode(text: string): string {
  return text.includes('&') ? markdown.utils.unescapeAll(text.replaceAll('\\', '\\\\')) : text;
}
