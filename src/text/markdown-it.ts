import MarkdownIt, { type MarkdownIt as Parser } from 'markdown-it';
import { TEXT_CHARACTERS_MAX } from '../domain/content/content.ts';
import { linkBareUrl } from './bare-urls.ts';

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

/** 1 for each counted character, by its code. */
const SYNTAX = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\n\r!-/:-@[-`{-~]/.test(String.fromCharCode(code)) ? 1 : 0,
);

export function isTooComplex(text: string): boolean {
  return text.length > LENGTH_MAX || countSyntax(text) > SYNTAX_MAX;
}

/** Stops counting above the maximum. */
function countSyntax(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length && count <= SYNTAX_MAX; index++)
    count += SYNTAX[text.charCodeAt(index)] ?? 0;
  return count;
}
