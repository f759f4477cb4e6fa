/** What XML 1.0 has no way to write, not even as a reference. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const MARKUP = /[&<>"\r]/g;
/** A bare carriage return would be read as a line feed. */
const REFERENCES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

export const XML_DECLARATION = '<?xml version="1.0" encoding="utf-8"?>';

/** Any text, as it stands in an element or between double quotes. What XML cannot hold is left out. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(FORBIDDEN, '')
    .replaceAll(MARKUP, (character) => REFERENCES[character] as string);
}

/** An element with text in it; the attributes are given as they are to stand. */
export function element(name: string, text: string, attributes = ''): string {
  return `<${name}${attributes}>${escapeXml(text)}</${name}>`;
}

/** The element of Atom that leads elsewhere; RSS has it under a prefix. */
export function link(
  name: 'link' | 'atom:link',
  rel: string,
  { url, type }: { url: string; type: string },
): string {
  return `<${name} rel="${rel}" type="${type}" href="${escapeXml(url)}"/>`;
}
