// Errors of a document, in one line each: file, line, field, what is wrong, and what to do.
import { type ContentProblem, type FieldPath, formatFieldPath } from '../../domain/content/content.ts';
import { Refusal } from '../../errors.ts';
import { findLines } from './parse.ts';
import { DuplicateProblem } from './problems.ts';
import { UnknownField } from './shape.ts';

/** Up to this many problems of a document are shown. */
const PROBLEMS_SHOWN_MAX = 20;
const PROBLEMS_COUNTED_MAX = 1_000;
const FIELD_CHARACTERS_MAX = 200;

export function requireNoProblems(problems: Iterable<ContentProblem>, file: string, text: string): void {
  const found = onePerField(problems).take(PROBLEMS_COUNTED_MAX).toArray();
  if (found.length === 0) return;
  const shown = found.toSorted(unknownFieldsFirst).slice(0, PROBLEMS_SHOWN_MAX);
  const others = found.length - shown.length;
  const count = `${found.length === PROBLEMS_COUNTED_MAX ? 'at least ' : ''}${others}`;
  throw problemsError(
    shown,
    file,
    text,
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

/** A line for each problem, and the note as the last one. */
export function problemsError(
  problems: readonly ContentProblem[],
  file: string,
  text: string,
  note: string | null = null,
): Refusal {
  const paths = problems.map(({ path }) => path);
  const firsts = problems.map((problem) => (problem instanceof DuplicateProblem ? problem.first : []));
  const lines = findLines(text, [...paths, ...firsts]);
  const [first, ...others] = problems
    .map((problem, index) => ({
      problem,
      line: lines[index] ?? 1,
      firstLine: lines[paths.length + index] ?? 1,
    }))
    .toSorted((a, b) => unknownFieldsFirst(a.problem, b.problem) || a.line - b.line)
    .map(({ problem, line, firstLine }) => ({
      problem,
      text: `${file}:${line}: ${formatField(problem.path)}: ${describe(problem, firstLine)}`,
    }));
  const more = others.map(({ text }) => text);
  return new Refusal(first?.text ?? '', {
    cause: first?.problem,
    more: note === null ? more : [...more, note],
  });
}

function formatField(path: FieldPath): string {
  const field = formatFieldPath(path) || 'document';
  return field.length > FIELD_CHARACTERS_MAX ? `${field.slice(0, FIELD_CHARACTERS_MAX)}…` : field;
}

function describe(problem: ContentProblem, firstLine: number): string {
  if (!(problem instanceof DuplicateProblem)) return problem.message;
  return `${problem.message} (also on line ${firstLine}); ${problem.rule}`;
}

function unknownFieldsFirst(a: ContentProblem, b: ContentProblem): number {
  return Number(b instanceof UnknownField) - Number(a instanceof UnknownField);
}
