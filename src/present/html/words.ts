// Texts that need no parser: one line of words.
import { escapeText } from './escape.ts';

/**
 * No character here means anything in Markdown, not even at the start. Outer spaces would be dropped; line breaks,
 * escapes, references, code, emphasis, links and autolinks all start with an excluded character.
 */
const WORDS = /^(?![\s#>+\-\d])[^\n\r\0\\&`~*_[<]+(?<!\s)$/;

/** Null if the text must be parsed, as for a bare URL. */
export function renderWords(text: string): string | null {
  return WORDS.test(text) && !text.includes('://') ? `<p>${escapeText(text)}</p>` : null;
}
