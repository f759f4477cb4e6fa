const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** A text as HTML that shows it character by character. */
export function renderPlain(text: string): string {
  return `<pre>${text.replaceAll(/[&<>"]/g, (character) => REFERENCES[character] as string)}</pre>`;
}
