// Errors of a document, in one line each: file, line, field, what is wrong, and what to do.
import { type ContentProblem, type FieldPath, formatFieldPath } from '../../domain/content/content.ts';
import { Refusal } from '../../errors.ts';
import { CannotSplit } from './chunks.ts';
import { type Parsed, parseText, SyntaxProblem } from './parse.ts';
import { DuplicateProblem } from './problems.ts';
import { UnknownField } from './shape.ts';

/** `toLine` maps a line of the text to a line of the file. */
export function parseDocument(text: string, file: string, toLine = (line: number) => line): Parsed {
  try {
    const { value, lineOf } = parseText(text);
    return { value, lineOf: (path) => toLine(lineOf(path)) };
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    throw new Refusal(`${file}:${toLine(error.line)}: ${error.message}`, { cause: error });
  }
}

/** The same for a part of a file; the anchor of an alias may be in another part. */
export function parseChunk(text: string, file: string, toLine: (line: number) => number): Parsed {
  try {
    return parseDocument(text, file, toLine);
  } catch (error) {
    if (error instanceof Refusal && error.cause instanceof SyntaxProblem && error.cause.isAboutAlias)
      throw new CannotSplit(
        toLine(error.cause.line),
        'alias refers to an anchor in another part of the document.',
      );
    throw error;
  }
}

/** Up to this many problems of a document are shown. */
export const PROBLEMS_SHOWN_MAX = 20;
const PROBLEMS_COUNTED_MAX = 1_000;
const FIELD_CHARACTERS_MAX = 200;

export function requireNoProblems(
  problems: Iterable<ContentProblem>,
  file: string,
  lineOf: (path: FieldPath) => number,
): void {
  const found = onePerField(problems).take(PROBLEMS_COUNTED_MAX).toArray();
  if (found.length === 0) return;
  const shown = found.toSorted(unknownFieldsFirst).slice(0, PROBLEMS_SHOWN_MAX);
  const others = found.length - shown.length;
  const count = `${found.length === PROBLEMS_COUNTED_MAX ? 'at least ' : ''}${others}`;
  throw problemsError(
    shown.map((problem) => locate(problem, file, lineOf)),
    others > 0 ? `and ${count} more ${others === 1 ? 'problem' : 'problems'} in ${file}.` : null,
  );
}

function* onePerField(problems: Iterable<ContentProblem>): Generator<ContentProblem> {
  const fields = new Set<string>();
  for (const problem of problems) {
    const field = formatFieldPath(problem.path);
    if (!fields.has(field)) yield problem;
    fields.add(field);
  }
}

export type LocatedProblem = Readonly<{ problem: ContentProblem; line: number; text: string }>;

export function locate(
  problem: ContentProblem,
  file: string,
  lineOf: (path: FieldPath) => number,
): LocatedProblem {
  const line = lineOf(problem.path);
  const message =
    problem instanceof DuplicateProblem
      ? `${problem.message} (also on line ${lineOf(problem.first)}); ${problem.rule}`
      : problem.message;
  const field = formatFieldPath(problem.path) || 'document';
  const shown = field.length > FIELD_CHARACTERS_MAX ? `${field.slice(0, FIELD_CHARACTERS_MAX)}…` : field;
  return { problem, line, text: `${file}:${line}: ${shown}: ${message}` };
}

/** A line for each problem, and the note as the last one. */
export function problemsError(located: readonly LocatedProblem[], note: string | null = null): Refusal {
  const [first, ...others] = located.toSorted(
    (a, b) => unknownFieldsFirst(a.problem, b.problem) || a.line - b.line,
  );
  const more = others.map(({ text }) => text);
  return new Refusal(first?.text ?? '', {
    cause: first?.problem,
    more: note === null ? more : [...more, note],
  });
}

function unknownFieldsFirst(a: ContentProblem, b: ContentProblem): number {
  return Number(b instanceof UnknownField) - Number(a instanceof UnknownField);
}

export function requireContent(value: unknown, file: string): void {
  if (value === null)
    throw new Refusal(
      `${file}:1: the file is empty, or has only comments; write a content document, which begins with \`team:\`.`,
    );
}

export function decodeText(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal(`${file} is not UTF-8 text; save it as UTF-8.`);
  }
}
