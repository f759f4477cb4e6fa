// Markdown → HTML that is safe to embed: raw HTML is shown as text, and only an allowlist of tags is written.
import type { Token } from 'markdown-it';
import { countSyntax, SYNTAX_MAX, VERSION_SYNTAX_MAX } from '../../domain/content/markdown-budget.ts';
import { renderPlain } from './escape.ts';
import { createParser } from './parser.ts';
import { writeHtml } from './token-html.ts';
import { renderWords } from './words.ts';

/** Short table rows are padded, so little syntax can produce many cells. */
const TOKENS_MAX = 60_000;
/** Each level of nested quotes and lists scans all lines inside it. */
const NESTING_MAX = 40;
/** References repeat their URL and title at each use, and padded cells repeat too. Other HTML stays below this. */
const HTML_GROWTH_MAX = 50;
const HTML_CHARACTERS_MAX = 5_000_000;

/** A single line that starts no block is a paragraph, so only its inline content needs parsing. */
const PARAGRAPH = /^(?![\s#>+\-*_~`=|[\d])[^\n\r]+(?<!\s)$/;

const markdown = createParser(NESTING_MAX);

/** The count is null if the text exceeded the rest of its version's budget. */
export type Rendered = Readonly<{ html: string; syntaxCount: number | null }>;

/**
 * Renders the texts of one version, in order. `syntaxLeft` is the rest of its budget. A text too complex to render uses
 * none of it.
 */
export function renderTexts(texts: readonly string[], syntaxLeft = VERSION_SYNTAX_MAX): Rendered[] {
  let left = syntaxLeft;
  return texts.map((text) => {
    const syntaxCount = countSyntax(text);
    if (syntaxCount > SYNTAX_MAX) return { html: renderPlain(text), syntaxCount: 0 };
    if (syntaxCount > left) return { html: renderPlain(text), syntaxCount: null };
    left -= syntaxCount;
    return { html: render(text), syntaxCount };
  });
}

export function renderMarkdown(text: string): string {
  return countSyntax(text) > SYNTAX_MAX ? renderPlain(text) : render(text);
}

function render(text: string): string {
  return renderWords(text) ?? renderParsed(text);
}

/** Does not count syntax: the text must be within the budget. */
export function renderParsed(text: string): string {
  const isParagraph = PARAGRAPH.test(text);
  const tokens = isParagraph ? markdown.parseInline(text, {}) : markdown.parse(text, {});
  if (tokens.length > TOKENS_MAX) return renderPlain(text);
  // Deeper levels were dropped.
  if (tokens.some(({ level }) => level >= NESTING_MAX - 1)) return renderPlain(text);
  const charactersMax = Math.min(text.length * HTML_GROWTH_MAX, HTML_CHARACTERS_MAX);
  if (countAttributeCharacters(tokens) > charactersMax) return renderPlain(text);
  const html = isParagraph ? `<p>${writeHtml(tokens)}</p>` : writeHtml(tokens).trim();
  return html.length > charactersMax ? renderPlain(text) : html;
}

/** Counted before writing: a URL used often enough could take gigabytes. */
function countAttributeCharacters(tokens: readonly Token[]): number {
  let count = 0;
  for (const { children } of tokens)
    for (const { attrs } of children ?? [])
      for (const [, value] of attrs ?? []) count += String(value).length;
  return count;
}
