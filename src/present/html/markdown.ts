// Markdown → HTML that is safe to put into a page: raw HTML is shown as text, and what is rendered passes an allow-list.
import MarkdownIt from 'markdown-it';
import sanitizeHtml from 'sanitize-html';
import { countSyntax, SYNTAX_MAX, VERSION_SYNTAX_MAX } from '../../domain/content/markdown-budget.ts';
import { renderPlain } from './escape.ts';

/** The rows of a table are filled up: a few marks may stand for many cells. */
const TOKENS_MAX = 60_000;
/** Quotes and lists within each other: each level looks at the lines of all that are within it. */
const NESTING_MAX = 40;

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
  // The one style there is passes below; to parse it anew in every cell would be most of the work.
  parseStyleAttributes: false,
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  transformTags: {
    a: sanitizeHtml.simpleTransform('a', { rel: 'noopener nofollow' }),
    th: keepAlignment,
    td: keepAlignment,
  },
};

/** The HTML of a text, and what it takes of the marks that its version may have; null: more than was left. */
export type Rendered = Readonly<{ html: string; syntaxCount: number | null }>;

/**
 * The texts of one version, in its order. `syntaxLeft` is what those before them have left. A text that has too many
 * marks to be rendered at all takes none from the others.
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
  // What is nested deeper was left out.
  if (tokens.some(({ level }) => level >= NESTING_MAX - 1)) return renderPlain(text);
  return sanitizeHtml(markdown.renderer.render(tokens, markdown.options, references), ALLOWED).trim();
}

function keepAlignment(tagName: string, { style = '' }: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  return { tagName, attribs: /^text-align:(left|center|right)$/.test(style) ? { style } : {} };
}
