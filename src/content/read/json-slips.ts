// What people write in JSON although it has no such thing: comments, and commas before a closing bracket.
import { CannotSplit, NotQuiteJson, type VersionChunk } from './chunks.ts';

type JsonSlip = Readonly<{ line: number; message: string }>;

export const JSON_COMMENT =
  'JSON has no comments; remove it, or save the file as YAML, whose comments begin with #.';
const JSON_COMMA = 'JSON has no comma before a closing bracket; remove it.';

const SEARCHED_BYTES_MAX = 256 * 1024;
const JSON_BEGIN = /^\uFEFF?\s*(?:[{[]|\/[/*])/;
export const COMMENT_BEGIN = /^\uFEFF?\s*\/[/*]/;

/** The first comment of a text that would be JSON without its comments. YAML would read them as text. */
export function findComment(text: string): JsonSlip | null {
  if (!JSON_BEGIN.test(text) || isJson(text)) return null;
  const slip = findSlip(text);
  return slip?.message === JSON_COMMENT ? slip : null;
}

/** For a version that YAML allows, but not JSON. */
export function notStrictError({ bytes, line }: VersionChunk): CannotSplit {
  if (bytes.length === 0) return new NotQuiteJson(line, JSON_COMMA);
  const slip = bytes.length <= SEARCHED_BYTES_MAX ? findSlip(bytes.toString('utf8')) : null;
  if (slip !== null) return new NotQuiteJson(line + slip.line - 1, slip.message);
  return new CannotSplit(line, 'flow-style YAML that is not valid JSON starts here.');
}

/** Null if the text would not be JSON even without its slips. */
function findSlip(text: string): JsonSlip | null {
  const { cuts, comment, comma } = scan(text);
  const first = comment ?? comma;
  if (first === null || !isJson(withoutCuts(text, cuts))) return null;
  return { line: lineAt(text, first), message: comment === null ? JSON_COMMA : JSON_COMMENT };
}

/** The first comment of a text that begins like JSON, even if more is wrong with it. */
export function findLikelyComment(text: string): JsonSlip | null {
  if (!JSON_BEGIN.test(text)) return null;
  const { likelyComment } = scan(text);
  return likelyComment === null ? null : { line: lineAt(text, likelyComment), message: JSON_COMMENT };
}

type Cut = readonly [start: number, end: number];

function scan(text: string) {
  const cuts: Cut[] = [];
  let comment: number | null = null;
  let likelyComment: number | null = null;
  let comma: number | null = null;
  /** The last character that is not blank or in a comment, and where it is. */
  let last = '';
  let lastAt = -1;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    if (/\s/.test(character)) continue;
    const end = endOfComment(text, at);
    if (end !== null) {
      comment ??= at;
      // Not the slashes of a URL.
      if (/^[{}[\],:"]?$/.test(last) && (last !== ':' || lastAt < at - 1)) likelyComment ??= at;
      cuts.push([at, end]);
      at = end - 1;
      continue;
    }
    if (last === ',' && (character === ']' || character === '}')) {
      comma ??= lastAt;
      cuts.push([lastAt, lastAt + 1]);
    }
    last = character;
    if (character === '"') at = endOfString(text, at);
    lastAt = at;
  }
  return { cuts, comment, likelyComment, comma };
}

function endOfComment(text: string, at: number): number | null {
  if (text[at] !== '/') return null;
  const [until, length] = text[at + 1] === '/' ? ['\n', 0] : text[at + 1] === '*' ? ['*/', 2] : ['', 0];
  if (until === '') return null;
  const end = text.indexOf(until, at + 2);
  return end === -1 ? text.length : end + length;
}

/** The position of the closing quote. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

function withoutCuts(text: string, cuts: readonly Cut[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const [start, end] of cuts.toSorted(([a], [b]) => a - b)) {
    parts.push(text.slice(from, start));
    from = end;
  }
  return [...parts, text.slice(from)].join(' ');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function lineAt(text: string, position: number): number {
  let line = 1;
  for (let end = text.indexOf('\n'); end !== -1 && end < position; end = text.indexOf('\n', end + 1)) line++;
  return line;
}
