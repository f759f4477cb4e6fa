// The HTML of a text, made in another way than the program makes it: markdown-it writes it, and sanitize-html parses it and
// keeps what is allowed. The program must write the same bytes (ADR 30).
import MarkdownIt from 'markdown-it';
import sanitizeHtml from 'sanitize-html';
import { linkBareUrl } from '../../src/present/html/bare-urls.ts';

const markdown = new MarkdownIt({ html: false, linkify: false, maxNesting: 40 });
markdown.inline.ruler.at('linkify', linkBareUrl);

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
  parseStyleAttributes: false,
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  transformTags: {
    a: sanitizeHtml.simpleTransform('a', { rel: 'noopener nofollow' }),
    th: keepAlignment,
    td: keepAlignment,
  },
};

export function renderSanitised(text: string): string {
  return withoutInnerLinks(sanitizeHtml(markdown.render(text), ALLOWED)).trim();
}

/** The sanitiser ends a link only where another starts directly inside it; one deeper inside becomes text here. */
function withoutInnerLinks(html: string): string {
  let depth = 0;
  return html.replaceAll(/<(\/?)a\b[^>]*>/g, (tag, closes) => {
    const around = closes === '' ? depth++ : --depth;
    return around === 0 ? tag : '';
  });
}

function keepAlignment(tagName: string, { style = '' }: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  return { tagName, attribs: /^text-align:(left|center|right)$/.test(style) ? { style } : {} };
}
