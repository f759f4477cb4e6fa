/**
 * The time to render Markdown grows with its syntax characters: line breaks and punctuation. Ordinary texts have far
 * fewer than this, whatever their length; a text with more is shown as plain text.
 */
export const SYNTAX_MAX = 20_000;
/** For all changes of a version together; those beyond it are shown as plain text. */
export const VERSION_SYNTAX_MAX = 60_000;

const SYNTAX = /[\n\r!-/:-@[-`{-~]/g;

/** Stops counting above the maximum. */
export function countSyntax(text: string): number {
  let count = 0;
  for (SYNTAX.lastIndex = 0; count <= SYNTAX_MAX && SYNTAX.test(text); ) count++;
  return count;
}
