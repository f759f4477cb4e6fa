// Turns Markdown tokens into HTML that is safe to embed. Only the tags and attributes named here are ever written, and
// all other text is escaped (ADR 30).
import type { Token } from 'markdown-it';
import { escapeAttribute, escapeText } from './escape.ts';

/** Tags without special handling; `br`, `img`, `pre` and `code` are below. */
const TAGS = new Set(
  'p hr blockquote em strong s a ul ol li h1 h2 h3 h4 h5 h6 table thead tbody tr th td'.split(' '),
);

const ATTRIBUTES: Readonly<Record<string, (token: Token) => string>> = {
  a: (token) => `${writeTarget(token, 'href')}${writeAttribute(token, 'title')} rel="noopener nofollow"`,
  ol: (token) => writeAttribute(token, 'start'),
  th: writeAlignment,
  td: writeAlignment,
};

const CONTENTS: Readonly<Record<string, (token: Token) => string>> = {
  inline: ({ children }) => writeInline(children ?? []),
  text: ({ content }) => escapeText(content),
  softbreak: () => '\n',
  hardbreak: () => '<br />\n',
  code_inline: ({ content }) => `<code>${escapeText(content)}</code>`,
  code_block: writeCode,
  fence: writeCode,
  image: (token) =>
    `<img${writeTarget(token, 'src')} alt="${escapeAttribute(textIn(token))}"${writeAttribute(token, 'title')} />`,
};

const SCHEMES = /^(?:https?|mailto):/i;
/** A scheme, or another host with the page's scheme. */
const ABSOLUTE = /^(?:[a-z][a-z0-9.+-]*:|[/\\]{2})/i;
/** Control characters and spaces, which browsers ignore in a scheme. */
const IGNORED = /[^!-\uffff]+/g;

export function writeHtml(tokens: readonly Token[]): string {
  let html = '';
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as Token;
    html += CONTENTS[token.type]?.(token) ?? writeBlock(token, tokens[index - 1], tokens[index + 1]);
  }
  return html;
}

/** Links cannot nest: one ends where another starts directly inside it, and one deeper inside is only text. */
function writeInline(tokens: readonly Token[]): string {
  let html = '';
  let openLevel: number | null = null;
  let endedLevel: number | null = null;
  for (const token of tokens) {
    const { type, level } = token;
    if (type === 'link_open') {
      if (openLevel === null) openLevel = level;
      else if (level === openLevel + 1) {
        html += '</a>';
        [openLevel, endedLevel] = [null, openLevel];
      } else continue;
    } else if (type === 'link_close') {
      if (openLevel !== null && level > openLevel) continue;
      if (level === openLevel) openLevel = null;
      if (level === endedLevel) {
        endedLevel = null;
        continue;
      }
    }
    html += CONTENTS[type]?.(token) ?? writeTag(token);
  }
  return html;
}

/** Hidden tokens are the paragraphs of a tight list. */
function writeBlock(token: Token, before: Token | undefined, after: Token | undefined): string {
  if (token.hidden) return '';
  const html = writeTag(token);
  if (token.nesting === -1) return `${html}\n`;
  const start = before?.hidden === true && before.nesting === -1 ? '\n' : '';
  return `${start}${html}${token.nesting === 1 && isOnOneLine(token, after) ? '' : '\n'}`;
}

function writeTag(token: Token): string {
  const { tag, nesting } = token;
  if (!TAGS.has(tag)) return '';
  if (nesting === -1) return `</${tag}>`;
  return `<${tag}${ATTRIBUTES[tag]?.(token) ?? ''}${tag === 'hr' ? ' />' : '>'}`;
}

function isOnOneLine({ tag }: Token, after: Token | undefined): boolean {
  if (after === undefined) return false;
  return after.type === 'inline' || after.hidden || (after.nesting === -1 && after.tag === tag);
}

function writeCode({ content }: Token): string {
  return `<pre><code>${escapeText(content)}</code></pre>\n`;
}

function writeAttribute(token: Token, name: string): string {
  const value = String(token.attrGet(name) ?? '');
  return value === '' ? '' : ` ${name}="${escapeAttribute(value)}"`;
}

function writeTarget(token: Token, name: 'href' | 'src'): string {
  const target = String(token.attrGet(name) ?? '').replaceAll(IGNORED, '');
  return ABSOLUTE.test(target) && !SCHEMES.test(target) ? '' : writeAttribute(token, name);
}

function writeAlignment(token: Token): string {
  const [, alignment] = /^text-align:(left|center|right)$/.exec(String(token.attrGet('style'))) ?? [];
  return alignment === undefined ? '' : ` style="text-align:${alignment}"`;
}

/** An image's alternative text. */
function textIn({ children }: Token): string {
  let text = '';
  for (const child of children ?? []) {
    if (child.type === 'text' || child.type === 'code_inline') text += child.content;
    else if (child.type === 'softbreak' || child.type === 'hardbreak') text += '\n';
    else if (child.type === 'image') text += textIn(child);
  }
  return text;
}
