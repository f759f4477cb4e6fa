// Markdown → HTML that is safe to put into a page: raw HTML is shown as text, and what is rendered passes an allow-list.
import MarkdownIt from 'markdown-it';
import sanitizeHtml from 'sanitize-html';

/**
 * Rendering takes time by the signs that may mean something. Ordinary text of any length that is allowed has far fewer
 * than this; what has more is shown as it was written, so that no text holds up the server.
 */
const SIGNS_MAX = 20_000;
/** Whatever may mean something in Markdown: the ends of lines, and what is neither letter nor digit nor space. */
const SIGN = /[\n\r!-/:-@[-`{-~]/g;
/** The rows of a table are filled up: a few signs may stand for many cells. */
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

export function renderMarkdown(text: string): string {
  if (hasTooManySigns(text)) return showAsWritten(text);
  const references = {};
  const tokens = markdown.parse(text, references);
  if (tokens.length > TOKENS_MAX) return showAsWritten(text);
  // What is nested deeper was left out.
  if (tokens.some(({ level }) => level >= NESTING_MAX - 1)) return showAsWritten(text);
  return sanitizeHtml(markdown.renderer.render(tokens, markdown.options, references), ALLOWED).trim();
}

function hasTooManySigns(text: string): boolean {
  let signs = 0;
  for (SIGN.lastIndex = 0; SIGN.test(text); ) if (++signs > SIGNS_MAX) return true;
  return false;
}

function showAsWritten(text: string): string {
  return `<pre>${markdown.utils.escapeHtml(text)}</pre>`;
}

function keepAlignment(tagName: string, { style = '' }: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  return { tagName, attribs: /^text-align:(left|center|right)$/.test(style) ? { style } : {} };
}
