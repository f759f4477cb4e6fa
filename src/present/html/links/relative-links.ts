// Resolves relative links in authored texts (R43), in HTML written by `token-html.ts`: attributes are quoted, and
// `href` and `src` come first.
import { escapeHtml, unescapeHtml } from '../escape.ts';
import { type Render, thenChange } from '../render.ts';

const TARGET = /<(a href|img src)="([^"]*)"/g;
const ABSOLUTE = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;
/** Very many links with a long base would take gigabytes. Ordinary texts stay far below this. */
const GROWTH_MAX = 5;
const SHORT_CHARACTERS = 10_000;

/** Without a base, links stay as written. */
export function withLinkBase(render: Render, base: string | null): Render {
  return thenChange(render, base === null ? null : (html) => resolveLinks(html, base));
}

const LINK = /<a href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/g;
const IMAGE = /<img src="([^"]*)" alt="([^"]*)"[^>]*>/g;

/** Leaves only the text of relative links: where there is no server for them, they lead nowhere. */
export function withoutRelativeLinks(render: Render): Render {
  const textOf = (tag: string, target: string, text: string) => (ABSOLUTE.test(target) ? tag : text);
  return thenChange(render, (html) => html.replaceAll(IMAGE, textOf).replaceAll(LINK, textOf));
}

export function resolveLinks(html: string, base: string | null): string {
  if (base === null) return html;
  const resolved = html.replaceAll(TARGET, (tag, attribute: string, written: string) => {
    const target = resolve(unescapeHtml(written), base);
    return target === null ? tag : `<${attribute}="${escapeHtml(target)}"`;
  });
  return resolved.length > html.length * GROWTH_MAX + SHORT_CHARACTERS ? html : resolved;
}

/** Null for a link that stays as written. Only web URLs are safe, whatever the base. */
export function resolve(target: string, base: string): string | null {
  if (ABSOLUTE.test(target)) return null;
  const url = URL.parse(target, base);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
}
