// Reads a content document, or reports what is wrong with it and on which line.
import {
  type Content,
  type ContentDocument,
  type ContentProblem,
  completeContent,
} from '../../domain/content/content.ts';
import { Refusal } from '../../errors.ts';
import { isContentDocument, recognise } from '../file-kinds.ts';
import type { Input } from '../input.ts';
import { requireText } from '../text.ts';
import { type FindLines, problemsError, requireNoProblems } from './document-errors.ts';
import { embedImages } from './image-files.ts';
import { findComment, findLikelyComment, isLikeJson } from './json-comments.ts';
import { describeJsonError, findLinesInJson, parseJson } from './parse-json.ts';
import { findLinesInYaml, parseYaml } from './parse-yaml.ts';
import { findProblems } from './problems.ts';
import { SyntaxProblem } from './syntax-problem.ts';

/** A YAML parser takes longer and more memory than JSON.parse. */
export const YAML_BYTES_MAX = 16 * 1024 * 1024;

export type ReadDocument = Readonly<{
  content: Content;
  /** The error for a problem that was found when the document was applied. */
  locate: (problem: ContentProblem) => Refusal;
}>;

/** Paths in the document are relative to the folder. */
export function readDocument(input: Input, folder: string): ReadDocument {
  requireText(input);
  const { name, bytes } = input;
  const text = decodeText(input);
  try {
    const { value, findLines } = parse(text, bytes.length);
    if (value === null)
      throw new SyntaxProblem(
        1,
        'the file is empty, or has only comments; write a content document, which begins with `team:`.',
      );
    requireNoProblems(embedAndCheck(value, folder), name, findLines);
    return {
      content: completeContent(value as ContentDocument),
      locate: (problem) => problemsError([problem], name, findLines),
    };
  } catch (error) {
    throw explain(error, name, text);
  }
}

function* embedAndCheck(value: unknown, folder: string): Generator<ContentProblem> {
  yield* embedImages(value, folder);
  yield* findProblems(value);
}

/** The same error, unless the text is not a content document at all, or JSON with comments. */
function explain(error: unknown, file: string, text: string): unknown {
  if (!(error instanceof SyntaxProblem || error instanceof Refusal)) return error;
  const other = isContentDocument(text) || text.trim() === '' ? null : recognise('apply failed', file, text);
  if (other !== null) return new Refusal(`${file}:1: ${other.says}; ${other.advice}.`);
  const problem = (isLikeJson(text) ? findLikelyComment(text) : null) ?? error;
  if (problem instanceof Refusal) return problem;
  return new Refusal(`${file}:${problem.line}: ${problem.message}`, { cause: problem });
}

function decodeText({ name, bytes }: Input): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal(`${name} is not UTF-8 text; save it as UTF-8.`);
  }
}

/** What begins like JSON and is not may be YAML in flow style. */
function parse(text: string, bytes: number): { value: unknown; findLines: FindLines } {
  const isJson = isLikeJson(text);
  const value = isJson ? parseJson(text) : undefined;
  if (value !== undefined) return { value, findLines: (paths) => findLinesInJson(text, paths) };
  if (bytes > YAML_BYTES_MAX) throw isJson ? notJson(text) : yamlTooLarge();
  const comment = isJson ? findComment(text) : null;
  if (comment !== null) throw comment;
  return { value: parseYaml(text), findLines: (paths) => findLinesInYaml(text, paths) };
}

function notJson(text: string): SyntaxProblem {
  const { line, reason } = describeJsonError(text);
  return new SyntaxProblem(line, `not valid JSON: ${reason}.`);
}

function yamlTooLarge(): SyntaxProblem {
  return new SyntaxProblem(
    1,
    `YAML may have at most ${YAML_BYTES_MAX / 2 ** 20} MiB; split it by product, or write it as JSON.`,
  );
}
