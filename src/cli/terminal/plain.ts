// Other people's text on a terminal: what could steer it is spelled out, and how many cells the rest takes is known.

/** Control characters, which terminals obey, and those that turn the direction of a line around. */
const STEERING = /[^\P{Cc}\t\n]|\p{Bidi_Control}/gu;
const LAST_OF_TWO_DIGITS = 0xff;

/** `\x1b[2J`, instead of a screen that is empty. Tabs and line breaks stay. */
export function escapeControls(text: string): string {
  return text.replace(STEERING, (character) => {
    const code = character.charCodeAt(0);
    const digits = code.toString(16);
    return code > LAST_OF_TWO_DIGITS ? `\\u${digits.padStart(4, '0')}` : `\\x${digits.padStart(2, '0')}`;
  });
}

/** The name of a file, in one line. */
export function escapeName(name: string): string {
  return escapeControls(name).replaceAll('\n', '\\n');
}

/** JSON escapes most of them itself, but not these; a reader of JSON gets the same value. */
export function formatJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(/[\x7f-\x9f]|\p{Bidi_Control}/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

const CHARACTERS = new Intl.Segmenter('en', { granularity: 'grapheme' });
const NO_CELL = /^(?:\p{M}|\p{Cf}|[\u1160-\u11ff])$/u;
const HAS_PICTURE = /\p{Emoji_Presentation}|\ufe0f/u;
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]$/u;

/** How many cells of a terminal a text takes that is plain. */
export function widthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  // Only pictures are made of several characters that would take cells on their own, and finding their ends is slow.
  if (!HAS_PICTURE.test(text)) return cellsOfPoints(text);
  let cells = 0;
  for (const { segment } of CHARACTERS.segment(text)) cells += cellsOfCharacter(segment);
  return cells;
}

function cellsOfCharacter(character: string): number {
  return HAS_PICTURE.test(character) ? 2 : cellsOfPoints(character);
}

function cellsOfPoints(text: string): number {
  let cells = 0;
  for (const point of text) cells += NO_CELL.test(point) ? 0 : WIDE.test(point) ? 2 : 1;
  return cells;
}

/** The first of a text that fit, and the rest. At least one character is taken. */
export function splitAtWidth(text: string, cellsMax: number): [fits: string, rest: string] {
  let cells = 0;
  for (const { segment, index } of CHARACTERS.segment(text)) {
    cells += cellsOfCharacter(segment);
    if (cells > cellsMax && index > 0) return [text.slice(0, index), text.slice(index)];
  }
  return [text, ''];
}

export function padToWidth(cells: number, text: string): string {
  return text + ' '.repeat(Math.max(0, cells - widthOf(text)));
}
