// The width of a text in terminal columns. The text must not contain control characters.
import { eastAsianWidth } from 'get-east-asian-width';

const HAS_EMOJI = /\p{Emoji_Presentation}|\ufe0f/u;
const ZERO_WIDTH = /^(?:\p{Mn}|\p{Me}|\p{Cf}|[\u1160-\u11ff])$/u;

/** Made when needed: it takes as long as a quarter of a start. */
let segmenter: Intl.Segmenter | undefined;

function graphemesOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

export function widthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  return graphemesOf(text).reduce((width, grapheme) => width + widthOfGrapheme(grapheme), 0);
}

function widthOfGrapheme(grapheme: string): number {
  if (HAS_EMOJI.test(grapheme)) return 2;
  const points = [...grapheme].filter((point) => !ZERO_WIDTH.test(point));
  return points.reduce((width, point) => width + eastAsianWidth(point.codePointAt(0) as number), 0);
}

/** The text, or as much of it as fits and an ellipsis. */
export function cutToWidth(text: string, widthMax: number): string {
  if (widthOf(text) <= widthMax) return text;
  let width = '…'.length;
  const fitting = graphemesOf(text).filter((grapheme) => {
    width += widthOfGrapheme(grapheme);
    return width <= widthMax;
  });
  return `${fitting.join('').trimEnd()}…`;
}
