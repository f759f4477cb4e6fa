// Comments, which people write in JSON although it has none. YAML would read them as text.
import { END, JSON_CODES, JsonScanner } from './json-scanner.ts';
import { SyntaxProblem } from './syntax-problem.ts';

const { slash, ...punctuation } = JSON_CODES;
const { comma, colon, openMap, closeList, closeMap } = punctuation;
const PUNCTUATION = new Set<number>(Object.values(punctuation));

/** Does it begin like JSON, or like a comment in JSON? */
export function isLikeJson(text: string): boolean {
  return /^\uFEFF?\s*(?:[{[]|\/[/*])/.test(text);
}

/** The first comment of a text that would be JSON without its comments and without commas before closing brackets. */
export function findComment(text: string): SyntaxProblem | null {
  const { first, cuts } = scan(text);
  return first !== null && isJson(withoutCuts(text, cuts)) ? commentProblem(first) : null;
}

/** The first comment of a text that begins like JSON, even if more is wrong with it. */
export function findLikelyComment(text: string): SyntaxProblem | null {
  const { likely } = scan(text);
  return likely === null ? null : commentProblem(likely);
}

function commentProblem(line: number): SyntaxProblem {
  return new SyntaxProblem(
    line,
    'JSON has no comments; remove it, or save the file as YAML, whose comments begin with #.',
  );
}

type Cut = readonly [start: number, end: number];

/** The lines of the first comment, and of the first that cannot be part of a text. */
function scan(text: string) {
  const scanner = new JsonScanner(text);
  const cuts: Cut[] = [];
  let first: number | null = null;
  let likely: number | null = null;
  let last = { token: openMap as number, start: 0, end: 0 };
  for (let token = scanner.next(); token !== END; token = scanner.next()) {
    const { start, line } = scanner;
    const end = token === slash ? endOfComment(text, start) : null;
    if (end !== null) {
      first ??= line;
      // Not the slashes of a URL.
      if (PUNCTUATION.has(last.token) && (last.token !== colon || last.end < start)) likely ??= line;
      cuts.push([start, end]);
      scanner.skipTo(end);
      continue;
    }
    if (last.token === comma && (token === closeList || token === closeMap))
      cuts.push([last.start, last.end]);
    last = { token, start, end: scanner.end };
  }
  return { first, likely, cuts };
}

function endOfComment(text: string, at: number): number | null {
  const isLine = text[at + 1] === '/';
  if (!isLine && text[at + 1] !== '*') return null;
  const end = isLine ? text.indexOf('\n', at) : text.indexOf('*/', at + 2);
  return end === -1 ? text.length : end + (isLine ? 0 : 2);
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
