// The HTML of a text, made in another way than the program makes it: markdown-it writes it, and sanitize-html parses it and
// keeps what is allowed (ADR 30).
import MarkdownIt, { type Token } from 'markdown-it';
import sanitizeHtml from 'sanitize-html';
import { linkBareUrl, NESTING_MAX } from '../../src/text/markdown-it.ts';

const ALLOWED: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['p', 'br', 'hr', 'blockquote', 'pre', 'code', 'a', 'img', 'ul', 'ol', 'li', 'dl', 'dt', 'dd'],
    ...[
      'b',
      'strong',
      'i',
      'em',
      's',
      'del',
      'ins',
      'mark',
      'small',
      'sub',
      'sup',
      'kbd',
      'samp',
      'var',
      'abbr',
    ],
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'details', 'summary'],
    ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ],
  allowedAttributes: {
    a: ['href', 'title', 'rel'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    ol: ['start'],
    details: ['open'],
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

const markdown = new MarkdownIt({ html: true, linkify: false, maxNesting: NESTING_MAX });
markdown.inline.ruler.at('linkify', linkBareUrl);

/** Links that are open, and whether each is kept: not without a target, nor inside another. */
let links: boolean[] = [];
const { rules } = markdown.renderer;
rules.link_open = (tokens, index, options, _, self) => {
  const tag = self.renderToken(tokens, index, options);
  const isKept = !links.includes(true) && sanitise(`${tag}</a>`).includes(' href=');
  links.push(isKept);
  return isKept ? tag : '';
};
rules.link_close = () => (links.pop() ? '</a>' : '');
const writeImage = rules.image as NonNullable<typeof rules.image>;
rules.image = (tokens, index, options, env, self) => {
  const image = writeImage(tokens, index, options, env, self);
  const alt = tokens[index]?.attrGet('alt') ?? '';
  return sanitise(image).startsWith('<img src=') ? image : markdown.utils.escapeHtml(String(alt));
};

// Its own forgets character references in an image inside another.
markdown.renderer.renderInlineAsText = (tokens) =>
  tokens
    .map(({ type, content, children }) =>
      /break$/.test(type) ? '\n' : type === 'image' ? renderAlt(children ?? []) : content,
    )
    .join('');
const renderAlt = (tokens: Token[]): string =>
  markdown.renderer.renderInlineAsText(tokens, markdown.options, {});

/** For Markdown without HTML in it. */
export function renderSanitised(text: string): string {
  links = [];
  return sanitise(markdown.render(text)).trim();
}

/** Void elements have no slash, and attributes that say yes no value. */
export function sanitise(html: string): string {
  return sanitizeHtml(html, ALLOWED)
    .replaceAll(/ \/>/g, '>')
    .replaceAll('<details open="">', '<details open>');
}

export const hasHtml = (text: string): boolean => isOrHasHtml(markdown.parse(text, {}));

const isOrHasHtml = (tokens: readonly Token[]): boolean =>
  tokens.some(({ type, children }) => type.startsWith('html_') || isOrHasHtml(children ?? []));

function keepAlignment(tagName: string, { style = '' }: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  return { tagName, attribs: /^text-align:(left|center|right)$/.test(style) ? { style } : {} };
}
