// Judges a text without markup by the tokens of its Markdown: all that people see in it, in order, and nothing else but
// the marks of lists and the URLs of links and images. Does not look at spaces and line breaks.
import type { Token } from 'markdown-it';
import { createParser } from '../../src/present/html/parser.ts';

const parser = createParser(100);

/** Null if it is right; otherwise where the two texts part. */
export function misread(markdown: string, text: string): string | null {
  const expected = withoutSpaces(seenIn(parser.parse(markdown.toWellFormed(), {})));
  const actual = withoutSpaces(text);
  if (expected === actual) return null;
  const at = [...expected].findIndex((_, index) => !actual.startsWith(expected.slice(0, index + 1)));
  const from = Math.max(0, (at === -1 ? expected.length : at) - 20);
  return `${JSON.stringify(expected.slice(from, from + 80))} became ${JSON.stringify(actual.slice(from, from + 80))}`;
}

/** Links that start inside others; a page ends the outer one there. */
export function hasNestedLinks(markdown: string): boolean {
  return parser
    .parse(markdown, {})
    .some(({ children }) => children?.some(({ type, level }) => type === 'link_open' && level > 0) ?? false);
}

function seenIn(tokens: readonly Token[]): string {
  const numbers: (number | null)[] = [];
  const links: { url: string; from: number }[] = [];
  let seen = '';
  for (const token of tokens) {
    const { type, content, children } = token;
    if (type === 'bullet_list_open') numbers.push(null);
    else if (type === 'ordered_list_open') numbers.push(Number(token.attrGet('start') ?? 1));
    else if (/_list_close$/.test(type)) numbers.pop();
    else if (type === 'list_item_open') {
      const number = numbers.pop() ?? null;
      seen += number === null ? '-' : `${number}.`;
      numbers.push(number === null ? null : number + 1);
    } else if (type === 'link_open') links.push({ url: urlOf(token, 'href'), from: seen.length });
    else if (type === 'link_close') {
      const { url, from } = links.pop() as { url: string; from: number };
      seen = seen.slice(0, from) + named(seen.slice(from), url);
    } else if (type === 'image') seen += named(altOf(token), urlOf(token, 'src'));
    else seen += children === null ? content : seenIn(children);
  }
  return seen;
}

function altOf({ children }: Token): string {
  return (children ?? []).map((child) => (child.type === 'image' ? altOf(child) : child.content)).join('');
}

/** Other schemes have no target. */
function urlOf(token: Token, name: string): string {
  const url = String(token.attrGet(name) ?? '');
  return /^(?:https?|mailto):/i.test(url) || !/^(?:[a-z][a-z\d.+-]*:|[/\\]{2})/i.test(url) ? url : '';
}

function named(text: string, url: string): string {
  const shown = withoutSpaces(text);
  const isSame =
    [text, `mailto:${text}`].includes(url) || URL.parse(text)?.href === (URL.parse(url)?.href ?? '');
  if (url === '' || isSame || shown.endsWith(`(${url})`)) return text;
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
