// Texts that need no parser: one line of words.
import { escapeText } from './escape.ts';

/**
 * Markdown gives no meaning to any of its characters, nor to the first ones. Spaces at the ends would be left out, and a
 * line break, an escape, a reference, code, emphasis, a link or an autolink begins with a character that is excluded here.
 */
const WORDS = /^(?![\s#>+\-\d])[^\n\r\0\\&`~*_[<]+(?<!\s)$/;

/** Null if the text has to be parsed, also for a bare URL. */
export function renderWords(text: string): string | null {
  return WORDS.test(text) && !text.includes('://') ? `<p>${escapeText(text)}</p>` : null;
}
