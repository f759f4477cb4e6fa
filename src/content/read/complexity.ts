// What a parser takes for a text grows with the things that it holds, however small they are: so things are counted
// before a parser is asked. The authority takes about a kilobyte for each, and quick parsers 150 to 350 bytes.

/** A text of so many bytes is light, whatever it holds. */
export const SMALL_BYTES = 256 * 1024;
/** The authority puts long texts together one character at a time. */
const LIGHT_BYTES_MAX = 2 * 1024 * 1024;
const LIGHT_MARKS_MAX = 150_000;
const YAML_MARKS_MAX = 600_000;
const JSON_MARKS_MAX = 1_500_000;

/** May the authority be asked? */
export function isSmall(bytes: Uint8Array): boolean {
  if (bytes.length <= SMALL_BYTES) return true;
  return bytes.length <= LIGHT_BYTES_MAX && countMarks(bytes) <= LIGHT_MARKS_MAX;
}

/** Is it too much for any parser? */
export function isTooComplex(bytes: Uint8Array, isJson: boolean): boolean {
  if (isJson) return bytes.length > JSON_MARKS_MAX && countJsonMarks(bytes) > JSON_MARKS_MAX;
  return bytes.length > YAML_MARKS_MAX && countMarks(bytes) > YAML_MARKS_MAX;
}

/** What begins, ends or parts things in YAML and JSON. Within words they mean nothing, but are rare there. */
const IS_MARK = new Uint8Array(256);
for (const mark of Buffer.from('\n,:-?[]{}&*#"\'!|>')) IS_MARK[mark] = 1;

function countMarks(bytes: Uint8Array): number {
  let marks = 0;
  for (const byte of bytes) marks += IS_MARK[byte] as number;
  return marks;
}

const [QUOTE, BACKSLASH] = Buffer.from('"\\');

/** JSON says where a text begins and ends: what is in it counts for nothing, however many marks there are. */
function countJsonMarks(bytes: Uint8Array): number {
  let marks = 0;
  let isInText = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] as number;
    if (byte === QUOTE) {
      isInText = !isInText;
      marks++;
    } else if (isInText) {
      if (byte === BACKSLASH) index++;
    } else marks += IS_MARK[byte] as number;
  }
  return marks;
}
