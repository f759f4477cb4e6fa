// JSON.parse knows no lines and takes the last of duplicate fields. What it lacks is found in the text, if needed.
import type { FieldPath } from '../../domain/content/content.ts';
import { END, JSON_CODES, JsonScanner } from './json-scanner.ts';
import { duplicateField, lineAt, SyntaxProblem } from './syntax-problem.ts';

const { comma, colon, openList, closeList, openMap, closeMap } = JSON_CODES;

/** The memory that a value takes grows with the number of its parts, however small they are. */
export const JSON_TOKENS_MAX = 10_000_000;
const DEPTH_MAX = 100;

/** Undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  const fields = countFields(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (fieldsIn(value) !== fields) requireNoDuplicates(text);
  return value;
}

function countFields(text: string): number {
  const scanner = new JsonScanner(text);
  let [fields, tokens, depth] = [0, 0, 0];
  for (let token = scanner.next(); token !== END; token = scanner.next()) {
    if (token === colon) fields++;
    else if (token === openMap || token === openList) depth++;
    else if (token === closeMap || token === closeList) depth--;
    else if (token !== comma) continue;
    if (depth > DEPTH_MAX) throw new SyntaxProblem(scanner.line, 'nested too deeply.');
    if (++tokens > JSON_TOKENS_MAX)
      throw new SyntaxProblem(scanner.line, 'too many fields and items; split the document by product.');
  }
  return fields;
}

function fieldsIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = Array.isArray(value) ? 0 : Object.keys(value).length;
  for (const inner of Object.values(value)) if (typeof inner === 'object') count += fieldsIn(inner);
  return count;
}

function requireNoDuplicates(text: string): void {
  const names: Set<unknown>[] = [];
  for (const { depth, part, line } of childrenOf(text)) {
    // The mappings inside of the child before this one have ended.
    names.length = depth + 1;
    const known = names[depth] ?? new Set();
    if (known.has(part)) throw duplicateField(line, String(part));
    names[depth] = known.add(part);
  }
}

/** The line of each path, or of the nearest thing around it that the text has. */
export function findLinesInJson(text: string, paths: readonly FieldPath[]): number[] {
  const lines = paths.map(() => lineAt(text, text.search(/\S/)));
  /** By depth: the paths through the child that the walk is in. */
  const through = [[...paths.keys()]];
  for (const { depth, part, line } of childrenOf(text)) {
    const found = through[depth - 1]?.filter((path) => paths[path]?.[depth - 1] === part) ?? [];
    through[depth] = found;
    for (const path of found) lines[path] = line;
  }
  return lines;
}

type Child = Readonly<{ depth: number; part: string | number; line: number }>;

/** The fields and items of valid JSON, in the order of the text. Those of the document have depth 1. */
function* childrenOf(text: string): Generator<Child> {
  const scanner = new JsonScanner(text);
  /** For each list and mapping around: the index of the next item, or null for a mapping. */
  const around: (number | null)[] = [];
  let isNext = false;
  for (let token = scanner.next(); token !== END; token = scanner.next()) {
    const depth = around.length;
    const isEnd = token === closeMap || token === closeList;
    if (isNext && !isEnd) {
      const index = around[depth - 1] ?? null;
      const part: string | number = index ?? JSON.parse(text.slice(scanner.start, scanner.end));
      yield { depth, part, line: scanner.line };
      if (index !== null) around[depth - 1] = index + 1;
    }
    isNext = token === openMap || token === openList || token === comma;
    if (isEnd) around.pop();
    else if (token === openMap || token === openList) around.push(token === openMap ? null : 0);
  }
}

/** Why JSON.parse fails, and on which line. */
export function describeJsonError(text: string): { line: number; reason: string } {
  try {
    JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    const [, line] = /\(line (\d+) column/.exec(message) ?? [];
    // Without a position, the message has some text from around the error.
    const [, around] = /, (?:\.\.\.)?"(.*?)"(?:\.\.\.)? is not valid JSON$/s.exec(message) ?? [];
    const position = around === undefined ? text.length : text.indexOf(around);
    const reason = message.replace(/(?: in JSON)? at position .*|, (?:\.\.\.)?".*/s, '');
    return { line: Number(line ?? lineAt(text, position)), reason: reason.replaceAll(/[\s\p{Cc}]+/gu, ' ') };
  }
  return { line: 1, reason: '' };
}
