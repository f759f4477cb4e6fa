// Judges a text without markup by the tree of its Markdown: all that people see in it, in order, and nothing else but the
// marks of lists and the URLs of links and images. Does not look at spaces and line breaks.
import { parseText } from '../../src/text/parse.ts';
import { isElement, type Node } from '../../src/text/tree.ts';

/** Null if it is right; otherwise where the two texts part. */
export function misread(markdown: string, text: string): string | null {
  const expected = withoutSpaces(seenIn(parseText(markdown.toWellFormed()).nodes));
  const actual = withoutSpaces(text);
  if (expected === actual) return null;
  const at = [...expected].findIndex((_, index) => !actual.startsWith(expected.slice(0, index + 1)));
  const from = Math.max(0, (at === -1 ? expected.length : at) - 20);
  return `${JSON.stringify(expected.slice(from, from + 80))} became ${JSON.stringify(actual.slice(from, from + 80))}`;
}

function seenIn(nodes: readonly Node[]): string {
  return nodes.map((node) => (isElement(node) ? seenInElement(node) : node)).join('');
}

function seenInElement({ tag, attributes, children }: Exclude<Node, string>): string {
  const { href, src, alt = '', start = '1', alert = '' } = attributes;
  if (src !== undefined) return named(alt, src);
  if (href !== undefined) return named(seenIn(children), href);
  if (tag === 'ul') return children.map((item) => `-${seenIn([item])}`).join('');
  if (tag === 'ol')
    return children.map((item, index) => `${Number(start) + index}.${seenIn([item])}`).join('');
  return alert.replace(/^./, (letter) => letter.toUpperCase()) + seenIn(children);
}

function named(text: string, url: string): string {
  const shown = withoutSpaces(text);
  const isSame =
    [text, `mailto:${text}`].includes(url) || URL.parse(text)?.href === (URL.parse(url)?.href ?? '');
  if (isSame || shown.endsWith(`(${url})`)) return text;
  return shown === '' ? url : `${text}(${url})`;
}

function withoutSpaces(text: string): string {
  return text
    .replaceAll(
      /[^\P{Cc}\t\r\n]/gu,
      (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
    )
    .replaceAll(/\s/g, '');
}
