// Errors of a document, in one line each: file, line, field, what is wrong, and what to do.
import { type ContentProblem, formatFieldPath } from '../../domain/content/content.ts';
import { Refusal } from '../../errors.ts';
import { findLines } from './parse.ts';
import { DuplicateProblem } from './problems.ts';
import { PROBLEMS_MAX, UnknownField } from './shape.ts';

/** Up to this many problems of a document are shown. */
const PROBLEMS_SHOWN_MAX = 20;
const FIELD_CHARACTERS_MAX = 200;

export function requireNoProblems(problems: Iterable<ContentProblem>, file: string, text: string): void {
  const found = new Map<string, ContentProblem>();
  for (const problem of problems) {
    const field = formatFieldPath(problem.path);
    if (!found.has(field)) found.set(field, problem);
    if (found.size === PROBLEMS_MAX) break;
  }
  if (found.size > 0) throw problemsError([...found.values()], file, text);
}

/** A line for each problem, and how many more there are. */
export function problemsError(problems: readonly ContentProblem[], file: string, text: string): Refusal {
  const shown = problems.toSorted(unknownFieldsFirst).slice(0, PROBLEMS_SHOWN_MAX);
  const paths = shown.map(({ path }) => path);
  const firsts = shown.map((problem) => (problem instanceof DuplicateProblem ? problem.first : []));
  const lines = findLines(text, [...paths, ...firsts]);
  const [message = '', ...more] = shown
    .map((problem, index) => ({ problem, line: lines[index] ?? 1, first: lines[paths.length + index] }))
    .toSorted((a, b) => unknownFieldsFirst(a.problem, b.problem) || a.line - b.line)
    .map(({ problem, line, first }) => {
      const field = formatFieldPath(problem.path) || 'document';
      const name = field.length > FIELD_CHARACTERS_MAX ? `${field.slice(0, FIELD_CHARACTERS_MAX)}…` : field;
      const also = problem instanceof DuplicateProblem ? ` (also on line ${first}); ${problem.rule}` : '';
      return `${file}:${line}: ${name}: ${problem.message}${also}`;
    });
  const others = problems.length - shown.length;
  const count = `${problems.length === PROBLEMS_MAX ? 'at least ' : ''}${others}`;
  if (others > 0) more.push(`and ${count} more ${others === 1 ? 'problem' : 'problems'} in ${file}.`);
  return new Refusal(message, { cause: shown[0], more });
}

function unknownFieldsFirst(a: ContentProblem, b: ContentProblem): number {
  return Number(b instanceof UnknownField) - Number(a instanceof UnknownField);
}
