// markdown-it with faster tokens: its own class defines each field by name through a compiler helper, which takes 40 %
// of the time to parse a short text.
import MarkdownIt, { type MarkdownIt as Parser, type Token } from 'markdown-it';
import { linkBareUrl } from './bare-urls.ts';

type Nesting = -1 | 0 | 1;

class QuickToken {
  type: string;
  tag: string;
  attrs: Token['attrs'] = null;
  map: Token['map'] = null;
  nesting: Nesting;
  level = 0;
  children: Token[] | null = null;
  content = '';
  markup = '';
  info = '';
  meta: unknown = null;
  block = false;
  hidden = false;

  constructor(type: string, tag: string, nesting: Nesting) {
    this.type = type;
    this.tag = tag;
    this.nesting = nesting;
  }
}
// For the methods.
Object.setPrototypeOf(QuickToken.prototype, MarkdownIt.Token.prototype);

const createToken = (type: string, tag: string, nesting: Nesting) =>
  new QuickToken(type, tag, nesting) as unknown as Token;

class BlockState extends MarkdownIt.StateBlock {
  override push(type: string, tag: string, nesting: Nesting): Token {
    const token = createToken(type, tag, nesting);
    token.block = true;
    if (nesting < 0) this.level--;
    token.level = this.level;
    if (nesting > 0) this.level++;
    this.tokens.push(token);
    return token;
  }
}

class InlineState extends MarkdownIt.StateInline {
  override pushPending(): Token {
    const token = createToken('text', '', 0);
    token.content = this.pending;
    token.level = this.pendingLevel;
    this.tokens.push(token);
    this.pending = '';
    return token;
  }

  override push(type: string, tag: string, nesting: Nesting): Token {
    if (this.pending !== '') this.pushPending();
    const token = createToken(type, tag, nesting);
    if (nesting < 0) {
      this.level--;
      this.delimiters = this._prev_delimiters.pop() ?? [];
    }
    token.level = this.level;
    if (nesting > 0) {
      this.level++;
      this._prev_delimiters.push(this.delimiters);
      this.delimiters = [];
    }
    this.pendingLevel = this.level;
    this.tokens.push(token);
    this.tokens_meta.push(nesting > 0 ? { delimiters: this.delimiters } : undefined);
    return token;
  }
}

/** Raw HTML becomes text, and bare URLs become links. */
export function createParser(nestingMax: number): Parser {
  const markdown = new MarkdownIt({ html: false, linkify: false, maxNesting: nestingMax });
  markdown.block.State = BlockState;
  markdown.inline.State = InlineState;
  markdown.inline.ruler.at('linkify', linkBareUrl);
  return markdown;
}
