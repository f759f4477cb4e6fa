// The width of a text in terminal columns. The text must not contain control characters.
import { eastAsianWidth } from 'get-east-asian-width';

const HAS_EMOJI = /\p{Emoji_Presentation}|\ufe0f/u;
const ZERO_WIDTH = /^(?:\p{Mn}|\p{Me}|\p{Cf}|[\u1160-\u11ff])$/u;

/** Made when needed: it takes as long as a quarter of a start. */
let segmenter: Intl.Segmenter | undefined;

function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
}

export function widthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  // Segmenting is slow, and only an emoji is narrower than the sum of its code points.
  if (!HAS_EMOJI.test(text)) return widthOfCodePoints(text);
  let width = 0;
  for (const { segment } of graphemesOf(text)) width += widthOfGrapheme(segment);
  return width;
}

function widthOfGrapheme(grapheme: string): number {
  return HAS_EMOJI.test(grapheme) ? 2 : widthOfCodePoints(grapheme);
}

function widthOfCodePoints(text: string): number {
  let width = 0;
  for (const point of text)
    if (!ZERO_WIDTH.test(point)) width += eastAsianWidth(point.codePointAt(0) as number);
  return width;
}

/** Splits a text into the part that fits, at least one grapheme, and the rest. */
export function splitAtWidth(text: string, widthMax: number): [fits: string, rest: string] {
  let width = 0;
  for (const { segment, index } of graphemesOf(text)) {
    width += widthOfGrapheme(segment);
    if (width > widthMax && index > 0) return [text.slice(0, index), text.slice(index)];
  }
  return [text, ''];
}

export function padToWidth(width: number, text: string): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}
