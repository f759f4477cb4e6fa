// Markdown → HTML that is safe to embed: raw HTML is shown as text, and the result passes an allowlist.
import MarkdownIt, { type Token } from 'markdown-it';
import sanitizeHtml from 'sanitize-html';
import { countSyntax, SYNTAX_MAX, VERSION_SYNTAX_MAX } from '../../domain/content/markdown-budget.ts';
import { renderPlain } from './escape.ts';

/** Short table rows are padded, so little syntax can produce many cells. */
const TOKENS_MAX = 60_000;
/** Each level of nested quotes and lists scans all lines inside it. */
const NESTING_MAX = 40;
/** A reference repeats its URL and title wherever it is used, and padded cells repeat too. Other HTML stays below this. */
const HTML_GROWTH_MAX = 50;
const HTML_CHARACTERS_MAX = 5_000_000;

const OPTIONS = { html: false, linkify: false, maxNesting: NESTING_MAX };
const markdown = new MarkdownIt(OPTIONS);

const ALLOWED: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['p', 'br', 'hr', 'blockquote', 'pre', 'code', 'em', 'strong', 's', 'a', 'img'],
    ...['ul', 'ol', 'li', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
    ...['table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  allowedAttributes: {
    a: ['href', 'title', 'rel'],
    img: ['src', 'alt', 'title'],
    ol: ['start'],
    th: ['style'],
    td: ['style'],
  },
  // `keepAlignment` checks the only allowed style; parsing it in each cell would be most of the work.
  parseStyleAttributes: false,
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  transformTags: {
    a: sanitizeHtml.simpleTransform('a', { rel: 'noopener nofollow' }),
    th: keepAlignment,
    td: keepAlignment,
  },
};

/** The count is null if the text exceeded the rest of its version's budget. */
export type Rendered = Readonly<{ html: string; syntaxCount: number | null }>;

/**
 * Renders texts of one version, in order. `syntaxLeft` is the rest of its budget. A text too complex to be rendered at all
 * uses none of it.
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
  const references = {};
  const tokens = markdown.parse(text, references);
  if (tokens.length > TOKENS_MAX) return renderPlain(text);
  // Deeper levels were left out.
  if (tokens.some(({ level }) => level >= NESTING_MAX - 1)) return renderPlain(text);
  const charactersMax = Math.min(text.length * HTML_GROWTH_MAX, HTML_CHARACTERS_MAX);
  if (countAttributeCharacters(tokens) > charactersMax) return renderPlain(text);
  const html = sanitizeHtml(markdown.renderer.render(tokens, markdown.options, references), ALLOWED).trim();
  return html.length > charactersMax ? renderPlain(text) : html;
}

/** Before anything is written: written out, a URL that is used often may need gigabytes. */
function countAttributeCharacters(tokens: readonly Token[]): number {
  return tokens
    .flatMap(({ children }) => children ?? [])
    .flatMap(({ attrs }) => attrs ?? [])
    .reduce((sum, [, value]) => sum + String(value).length, 0);
}

function keepAlignment(tagName: string, { style = '' }: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  return { tagName, attribs: /^text-align:(left|center|right)$/.test(style) ? { style } : {} };
}
