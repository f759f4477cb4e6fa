const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => REFERENCES[character] as string);
}

/** Shows a text as it was written. */
export function renderPlain(text: string): string {
  return `<pre>${escapeHtml(text)}</pre>`;
}
