// Bare URLs in texts are links, as on GitHub: `See https://example.com/a_(b).` Only URLs with a scheme are, so that nothing
// becomes a link by accident. A rule of markdown-it, in place of its own: that one also normalises the text of the link, and
// its rules for the end of a URL are different.
import type { StateInline } from 'markdown-it';

const COLON = ':'.charCodeAt(0);
/** Not in the middle of a word, nor with an escaped first letter. The long s, which equals an s in any case, is not one. */
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
    pushLink(state, state.md.utils.unescapeAll(src.slice(pos - scheme.length, end)));
  }
  state.pos = end;
  return true;
}

function pushLink(state: StateInline, url: string): void {
  state.push('link_open', 'a', 1).attrs = [['href', state.md.normalizeLink(url)]];
  state.push('text', '', 0).content = url;
  state.push('link_close', 'a', -1);
}

/**
 * Characters of a URL, also letters and digits of any script; an ampersand, but no other entity; an escaped character; or
 * the brackets of a parameter, `[0]=`: others may be a link. Each part has a limit, so that no search goes on for long.
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

/** Punctuation after a URL is not part of it, nor is a parenthesis that it does not open. */
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
