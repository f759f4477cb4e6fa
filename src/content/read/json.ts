// Reads JSON, and finds what JSON.parse does not tell: lines, fields that appear twice, and comments.

/** Why a text cannot be parsed, and where. */
export class SyntaxProblem extends Error {
  override readonly name = 'SyntaxProblem';
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

export function lineAt(text: string, position: number): number {
  let line = 1;
  for (let end = text.indexOf('\n'); end !== -1 && end < position; end = text.indexOf('\n', end + 1)) line++;
  return line;
}

/** The memory that a value takes grows with the number of its parts, however small they are. */
export const JSON_TOKENS_MAX = 6_000_000;
export const DEPTH_MAX = 100;

const [SPACE, QUOTE, COMMA, COLON] = [0x20, 0x22, 0x2c, 0x3a];
const [OPEN_LIST, BACKSLASH, OPEN_MAP] = [0x5b, 0x5c, 0x7b];

/** Undefined if it is not JSON, or if its fields are not all there: JSON.parse takes the last of duplicate ones. */
export function parseJson(text: string): unknown {
  let [fields, items, isText] = [0, 0, false];
  // Without `structureOf`: a generator takes a fifth of the time to read a document.
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) isText = !isText;
    else if (isText) at += code === BACKSLASH ? 1 : 0;
    else if (code === COLON) fields++;
    else if (code === COMMA || code === OPEN_LIST || code === OPEN_MAP) items++;
  }
  if (fields + items > JSON_TOKENS_MAX)
    throw new SyntaxProblem(1, 'too many fields and items; split the document by product.');
  try {
    const value = JSON.parse(text);
    return fieldsIn(value) === fields ? value : undefined;
  } catch {
    return undefined;
  }
}

/** NaN if it is nested too deeply. */
function fieldsIn(value: unknown, depth = 0): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth > DEPTH_MAX) return Number.NaN;
  let count = Array.isArray(value) ? 0 : Object.keys(value).length;
  for (const inner of Object.values(value)) count += fieldsIn(inner, depth + 1);
  return count;
}

/** The positions in JSON of what is outside of texts and not blank, and of the quotes that begin a text. */
export function* structureOf(text: string): Generator<number> {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= SPACE && code !== 0) continue;
    yield at;
    if (code === QUOTE)
      while (++at < text.length && text.charCodeAt(at) !== QUOTE) if (text.charCodeAt(at) === BACKSLASH) at++;
  }
}

export const NO_COMMENTS =
  'JSON has no comments; remove it, or save the file as YAML, whose comments begin with #.';

/** Why JSON.parse fails, and on which line; null if it does not. */
export function findJsonProblem(text: string): SyntaxProblem | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    const { message } = error as Error;
    const [, position] = / at position (\d+)/.exec(message) ?? [];
    // Without a position, the message has some text from around the error.
    const [, around] = /, (?:\.\.\.)?"(.*?)"(?:\.\.\.)? is not valid JSON$/s.exec(message) ?? [];
    const at = Number(position ?? (around === undefined ? text.length : text.indexOf(around)));
    // YAML would read it as text.
    const comment = text.slice(at, at + (around?.length ?? 2)).search(/\/[/*]/);
    if (comment === 0 || message.startsWith("Unexpected token '/'"))
      return new SyntaxProblem(lineAt(text, at + comment), NO_COMMENTS);
    const reason = message.replace(/(?: in JSON)? at position .*|, (?:\.\.\.)?".*/s, '');
    return new SyntaxProblem(lineAt(text, at), `not valid JSON: ${reason.replaceAll(/[\s\p{Cc}]+/gu, ' ')}.`);
  }
}
