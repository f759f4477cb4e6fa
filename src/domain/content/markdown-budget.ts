/**
 * Rendering takes time by the characters that may mean something in Markdown: the ends of lines, and what is neither
 * letter nor digit nor space. Ordinary text of any length that is allowed has far fewer than this; what has more is shown
 * as it was written.
 */
export const SYNTAX_MAX = 20_000;
/** The same for all changes of a version together: those that go beyond it are shown as written. */
export const VERSION_SYNTAX_MAX = 60_000;

const MARK = /[\n\r!-/:-@[-`{-~]/g;

/** Those above the maximum are not counted to the end. */
export function countSyntax(text: string): number {
  let marks = 0;
  for (MARK.lastIndex = 0; marks <= SYNTAX_MAX && MARK.test(text); ) marks++;
  return marks;
}
