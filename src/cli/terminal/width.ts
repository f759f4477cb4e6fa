// The width of a text in terminal columns. The text must not contain control characters.
import { eastAsianWidth } from 'get-east-asian-width';

const ZERO_WIDTH = /^(?:\p{Mn}|\p{Me}|\p{Cf}|[\u1160-\u11ff])$/u;

export function widthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  return [...text].reduce((width, character) => width + widthOfCharacter(character), 0);
}

function widthOfCharacter(character: string): number {
  return ZERO_WIDTH.test(character) ? 0 : eastAsianWidth(character.codePointAt(0) as number);
}

/** The text, or as much of it as fits and an ellipsis. */
export function cutToWidth(text: string, widthMax: number): string {
  if (widthOf(text) <= widthMax) return text;
  let width = '…'.length;
  const fitting = [...text].filter((character) => {
    width += widthOfCharacter(character);
    return width <= widthMax;
  });
  return `${fitting.join('').trimEnd()}…`;
}
