import MarkdownIt, { type MarkdownIt as Parser, type StateInline } from 'markdown-it';
import { TEXT_CHARACTERS_MAX } from '../domain/content/content.ts';

/** Each level of nested quotes and lists scans all lines inside it. */
export const NESTING_MAX = 24;

/** Bare URLs become links. */
export function createParser(): Parser {
  const parser = new MarkdownIt({ html: true, linkify: false, maxNesting: NESTING_MAX });
  parser.inline.ruler.at('linkify', linkBareUrl);
  return parser;
}

export const markdown = createParser();

/**
 * Parsing takes time for each character that may mean something: line breaks and punctuation. Ordinary texts have far
 * fewer than this, whatever their length; a text with more is shown as written.
 */
export const SYNTAX_MAX = 5_000;

/** Plain SQL can write longer texts than the tools do (R68). A character has at most two code units. */
const LENGTH_MAX = 2 * TEXT_CHARACTERS_MAX;

const SYNTAX = /[\n\r!-/:-@[-`{-~]/g;

export const isTooComplex = (text: string): boolean =>
  text.length > LENGTH_MAX || (text.length > SYNTAX_MAX && (text.match(SYNTAX)?.length ?? 0) > SYNTAX_MAX);

// Turns bare URLs into links, as on GitHub: `See https://example.com/a_(b).` Only URLs with a scheme, so that nothing
// becomes a link by accident. This markdown-it rule replaces the built-in one, which also normalises the link's text
// and ends URLs differently.
const COLON = ':'.charCodeAt(0);
/** Not inside a word, nor with an escaped first letter. The flag `i` would also match the long s. */
const SCHEME_AT_END = /(?<![\p{L}\p{N}\\])[Hh][Tt]{2}[Pp][Ss]?$/u;
const SCHEME_CHARACTERS_MAX = 7;
const HOST_BEGIN = /[\p{L}\p{N}]/uy;

export function linkBareUrl(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  if (src.charCodeAt(pos) !== COLON || state.linkLevel > 0 || !src.startsWith('//', pos + 1)) return false;
  const scheme = SCHEME_AT_END.exec(src.slice(Math.max(0, pos - SCHEME_CHARACTERS_MAX), pos))?.[0];
  HOST_BEGIN.lastIndex = pos + 3;
  if (scheme === undefined || !HOST_BEGIN.test(src)) return false;
  const end = trimEnd(src, pos + 3, findEnd(src, pos + 3, posMax));
  if (!silent) {
    state.pending = state.pending.slice(0, -scheme.length);
    const url = state.md.utils.unescapeAll(src.slice(pos - scheme.length, end));
    state.push('link_open', 'a', 1).attrs = [['href', state.md.normalizeLink(url)]];
    state.push('text', '', 0).content = url;
    state.push('link_close', 'a', -1);
  }
  state.pos = end;
  return true;
}

/**
 * URL characters, including letters and digits of any script; an ampersand, but no other entity; an escaped character;
 * or a parameter's brackets, `[0]=`, since others may be a link. Each part has a limit to bound the search.
 */
const PART = new RegExp(
  [
    "(?:[!#-%'-;=?-Z^_a-z{-~]|(?!\\p{ASCII})[\\p{L}\\p{N}\\p{M}]){1,100}",
    '&amp;|&(?!#?[a-zA-Z0-9]{1,32};)',
    '\\\\[!#-/:;=?@^_{-~]',
    '(?:\\[[\\w.\\-]{0,50}\\]){1,5}=',
  ].join('|'),
  'uy',
);

const AMPERSAND = '&amp;';

function findEnd(src: string, from: number, max: number): number {
  PART.lastIndex = from;
  let at = from;
  while (at < max && PART.test(src)) at = PART.lastIndex;
  return Math.min(at, max);
}

const TRAILING = ")?!.,:;*_~'\\";

/** Trailing punctuation is not part of a URL, nor is a parenthesis that it does not open. */
function trimEnd(src: string, from: number, end: number): number {
  let unopened = countOf(')', src, from, end) - countOf('(', src, from, end);
  let to = end;
  while (to > from && TRAILING.includes(src[to - 1] as string)) {
    if (src[to - 1] === ')' && unopened-- <= 0) break;
    to -= src.endsWith(AMPERSAND, to) ? AMPERSAND.length : 1;
  }
  return to;
}

function countOf(character: string, src: string, from: number, end: number): number {
  let count = 0;
  for (let at = from; at < end; at++) if (src[at] === character) count++;
  return count;
}
