/**
 * Rendering time grows with Markdown's syntax characters: line breaks and punctuation. Ordinary texts have far fewer
 * than this, whatever their length; a text with more is shown as plain text.
 */
export const SYNTAX_MAX = 20_000;
/** For all changes of a version; those beyond it are shown as plain text. */
export const VERSION_SYNTAX_MAX = 60_000;

/** 1 for each counted character, by its code. */
const SYNTAX = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\n\r!-/:-@[-`{-~]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Stops counting above the maximum. */
export function countSyntax(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length && count <= SYNTAX_MAX; index++)
    count += SYNTAX[text.charCodeAt(index)] ?? 0;
  return count;
}
