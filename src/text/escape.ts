const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return /[&<>"']/.test(text)
    ? text.replaceAll(/[&<>"']/g, (character) => REFERENCES[character] as string)
    : text;
}

/** Between tags, where quotes mean nothing. */
export function escapeText(text: string): string {
  return /[&<>]/.test(text)
    ? text.replaceAll(/[&<>]/g, (character) => REFERENCES[character] as string)
    : text;
}

/** In double quotes. */
export function escapeAttribute(value: string): string {
  return /[&<>"]/.test(value)
    ? value.replaceAll(/[&<>"]/g, (character) => REFERENCES[character] as string)
    : value;
}

const CHARACTERS = Object.fromEntries(
  Object.entries(REFERENCES).map(([character, reference]) => [reference, character]),
);

/** Reverses `escapeHtml`, which writes no other references. */
export function unescapeHtml(html: string): string {
  if (!html.includes('&')) return html;
  return html.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (reference) => CHARACTERS[reference] as string);
}

/** Shows a text as written. */
export function renderPlain(text: string): string {
  return `<pre>${escapeHtml(text)}</pre>`;
}
