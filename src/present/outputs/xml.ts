import { escapeHtml } from '../../text/html.ts';

/** Characters that XML 1.0 cannot contain, not even as references. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what the pattern is for.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

export const XML_DECLARATION = '<?xml version="1.0" encoding="utf-8"?>';

/** For element content and double-quoted attributes. Removes characters that XML cannot contain. */
export function escapeXml(text: string): string {
  const allowed = text.toWellFormed().replaceAll(FORBIDDEN, '');
  // XML parsers read a bare carriage return as a line feed.
  return escapeHtml(allowed).replaceAll('\r', '&#13;');
}

/** Those that there are. */
export const writeLines = (lines: readonly (string | null)[]): string =>
  lines.map((line) => (line ? `${line}\n` : '')).join('');

/** The attributes must already be escaped. */
export const element = (name: string, text: string, attributes = ''): string =>
  `<${name}${attributes}>${escapeXml(text)}</${name}>`;

/** Atom's link element; RSS uses it with a prefix. */
export function link(
  name: 'link' | 'atom:link',
  rel: string,
  { url, type }: { url: string; type?: string },
): string {
  return `<${name} rel="${rel}"${type === undefined ? '' : ` type="${type}"`} href="${escapeXml(url)}"/>`;
}

/** Media RSS, which readers of Atom take as well. It names its namespace here because few entries have an image. */
export const mediaImage = (url: string | null): string | null =>
  url &&
  `<media:content xmlns:media="http://search.yahoo.com/mrss/" url="${escapeXml(url)}" medium="image"/>`;

export const xmlBase = ({ xmlBase }: { xmlBase: string | null }): string =>
  xmlBase === null ? '' : ` xml:base="${escapeXml(xmlBase)}"`;
