// Errors of a document in one line: file, line, field, what is wrong, and what to do.
import { type ContentProblem, type FieldPath, formatFieldPath } from '../../domain/content/content.ts';
import { Refusal } from '../../errors.ts';
import { CannotSplit } from './chunks.ts';
import { type Parsed, parseText, SyntaxProblem } from './parse.ts';
import { DuplicateProblem } from './problems.ts';

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

export function requireNoProblems(
  problems: readonly ContentProblem[],
  file: string,
  lineOf: (path: FieldPath) => number,
): void {
  if (problems.length > 0) throw problemsError(problems, file, lineOf);
}

/** Shows the first problem of the file and counts the others. */
export function problemsError(
  problems: readonly ContentProblem[],
  file: string,
  lineOf: (path: FieldPath) => number,
): Refusal {
  const [first] = problems
    .map((problem) => ({ problem, line: lineOf(problem.path) }))
    .sort((a, b) => a.line - b.line);
  const { problem, line } = first as NonNullable<typeof first>;
  const message =
    problem instanceof DuplicateProblem
      ? `${problem.message} (also on line ${lineOf(problem.first)}); ${problem.rule}`
      : problem.message;
  const others = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  return new Refusal(`${file}:${line}: ${formatFieldPath(problem.path) || 'document'}: ${message}${others}`, {
    cause: problem,
  });
}

export function decodeText(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal(`${file} is not UTF-8 text; save it as UTF-8.`);
  }
}
