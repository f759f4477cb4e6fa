// The style sheets, which are files in `styles`, and the policy of a page: its style sheet, the images that it shows (R63), and
// no script.
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { LRUCache } from 'lru-cache';
import { accentColours } from '../../domain/accent.ts';
import { PRODUCT_RULES } from '../../domain/content/appearance.ts';
import { ROOT } from '../../root.ts';

/** The pages' style sheet. */
export const STYLE = readStyles('pages', 'shared');

/** In this order. Enough for these sheets, whose only significant spaces are in font names. */
export function readStyles(...names: readonly string[]): string {
  return names
    .map((name) => readFileSync(path.join(ROOT, 'styles', `${name}.css`), 'utf8'))
    .join('')
    .replaceAll(/\/\*.*?\*\//gs, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,>/]) ?|([(:]) | (?=\))/g, '$1$2')
    .replaceAll(/;(?=\})|(?<!\d)0(?=\.\d)/g, '')
    .trim();
}

/** Three lines of text. */
export const ICON_PATH = 'M2 4h12M2 8h12M2 12h7';
/** Its characters need no escaping in an attribute. */
export const ICON =
  `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath stroke='%230a58ca' stroke-width='2' d='${ICON_PATH}'/%3E%3C/svg%3E`.replaceAll(
    ' ',
    '%20',
  );

/** Ours, then the product's accent colour, then the operator's sheet, which may override both. */
export function sheetFor({ extraCss }: Readonly<{ extraCss: string }>, accent: string | null): string {
  return STYLE + writeAccent(accent) + extraCss;
}

/** Checked again: a value written by SQL could end the style sheet, and the policy would allow it. */
export function writeAccent(accent: string | null): string {
  const colours = coloursOf(accent);
  return colours === null ? '' : `:root{--accent:${colours}}`;
}

/** For light and dark. */
export function coloursOf(accent: string | null): string | null {
  const colour = accent === null ? null : PRODUCT_RULES.accent.read(accent);
  if (colour === null) return null;
  const { light, dark } = accentColours(colour);
  return `light-dark(${light},${dark})`;
}

/**
 * Allows this style sheet, images from these origins and forms sent here or to the product's own domain, but no script.
 * Requests to this server are for tools that run in the page and read `robots.txt`, such as Lighthouse.
 */
export function policyFor(
  css: string,
  imageOrigins: Iterable<string> = [],
  formOrigins: readonly string[] = [],
): string {
  const { source, origins } = sheets.memo(css);
  return `default-src 'none'; connect-src 'self'; style-src ${source}; img-src ${writeOrigins(origins.union(new Set(imageOrigins)))}; form-action ${["'self'", ...formOrigins].join(' ')}; base-uri 'none'; frame-ancestors 'none'; ${NO_SCRIPT}`;
}

export const NO_SCRIPT = "require-trusted-types-for 'script'; trusted-types 'none'";

/** Adds the origin of an image. Embedded ones have none, and are always allowed. */
export function addOrigin(url: string, origins: Set<string>): void {
  const { protocol, origin } = URL.parse(url) ?? {};
  if (protocol === 'https:' && origin !== undefined) origins.add(origin);
}

/** A policy has no words for numeric hosts and odd characters, some of which would add to it. */
const NAMED_HOST = /^https:\/\/(?:[a-z\d-]+\.)*(?=[\d-]*[a-z])[a-z\d-]+(?::\d+)?$/;
/** All headers together must fit into the buffer of a proxy, often 4 KiB. */
const ORIGINS_CHARACTERS_MAX = 1_500;
/** A policy applies to redirects, too. */
const REDIRECTS: Readonly<Record<string, readonly string[]>> = {
  'https://github.com': [
    'https://*.githubusercontent.com',
    'https://github-production-user-asset-6210df.s3.amazonaws.com',
  ],
};

function writeOrigins(origins: ReadonlySet<string>): string {
  const sources = [...origins].flatMap((origin) => [origin, ...(REDIRECTS[origin] ?? [])]);
  const text = [...sources, 'data:'].join(' ');
  const isWritable = text.length <= ORIGINS_CHARACTERS_MAX && [...origins].every((o) => NAMED_HOST.test(o));
  return isWritable ? text : 'https: data:';
}

const CSS_URL = /https:[^\s"'()\\;,]+/gi;

const sheets = new LRUCache<string, ReturnType<typeof readSheet>>({ max: 100, memoMethod: readSheet });

/** Its source in a policy, and the origins of its images: the operator's sheet may have some. */
function readSheet(css: string) {
  const origins = new Set<string>();
  for (const [url] of css.matchAll(CSS_URL)) addOrigin(url, origins);
  return { source: `'sha256-${hash('sha256', css, 'base64')}'`, origins };
}

/** The source of a style sheet in a policy. */
export const hashOf = (css: string): string => sheets.memo(css).source;
