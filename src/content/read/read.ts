// Reads a content document, or reports what is wrong with it and on which line.
import { isUtf8 } from 'node:buffer';
import {
  type Content,
  type ContentDocument,
  type ContentProblem,
  completeContent,
  formatFieldPath,
} from '../../domain/content/content.ts';
import { Refusal } from '../../errors.ts';
import { isContentDocument, recognise } from '../file-kinds.ts';
import { type Input, requireText } from '../input.ts';
import { SyntaxProblem } from './json.ts';
import { lineFinder, parse } from './parse.ts';
import { DuplicateProblem, findProblems } from './problems.ts';
import { PROBLEMS_MAX, UnknownField } from './shape.ts';

export type ReadDocument = Readonly<{
  content: Content;
  /** The error for a problem that was found when the document was applied. */
  locate: (problem: ContentProblem) => Refusal;
}>;

/** Paths in the document are relative to the folder. */
export function readDocument(input: Input, folder: string): ReadDocument {
  requireText(input);
  const { name } = input;
  if (!isUtf8(input.bytes)) throw new Refusal(`${name} is not UTF-8 text; save it as UTF-8.`);
  const text = input.bytes.toString('utf8').replace(/^\uFEFF/, '');
  try {
    const value = parse(text);
    if (value === null)
      throw new SyntaxProblem(
        1,
        'the file is empty, or has only comments; write a content document, which begins with `team:`.',
      );
    requireNoProblems(findProblems(value, folder), name, text);
    return {
      content: completeContent(value as ContentDocument),
      locate: (problem) => problemsError([problem], name, text),
    };
  } catch (error) {
    throw explain(error, name, text);
  }
}

/** The same error, unless the text is not a content document at all. */
function explain(error: unknown, file: string, text: string): unknown {
  if (!(error instanceof SyntaxProblem || error instanceof Refusal)) return error;
  const other = isContentDocument(text) || text.trim() === '' ? null : recognise('apply failed', file, text);
  if (other !== null) return other;
  if (error instanceof Refusal) return error;
  return new Refusal(error.message, { at: [file, error.line], cause: error });
}

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
  const lineOf = lineFinder(text);
  const [message = '', ...more] = shown
    .map((problem) => ({ problem, line: lineOf(problem.path) }))
    .toSorted((a, b) => unknownFieldsFirst(a.problem, b.problem) || a.line - b.line)
    .map(({ problem, line }) => {
      const field = formatFieldPath(problem.path).slice(0, FIELD_CHARACTERS_MAX) || 'document';
      const start = `${file}:${line}: ${field}: ${problem.message}`;
      return problem instanceof DuplicateProblem
        ? `${start} (also on line ${lineOf(problem.first)}); ${problem.rule}`
        : start;
    });
  const others = problems.length - shown.length;
  const count = `${problems.length === PROBLEMS_MAX ? 'at least ' : ''}${others}`;
  if (others > 0) more.push(`and ${count} more ${others === 1 ? 'problem' : 'problems'} in ${file}.`);
  return new Refusal(message, { cause: shown[0], more });
}

function unknownFieldsFirst(a: ContentProblem, b: ContentProblem): number {
  return Number(b instanceof UnknownField) - Number(a instanceof UnknownField);
}
