// Reads a content document, or reports what is wrong with it and on which line.
import {
  type Content,
  type ContentDocument,
  type ContentProblem,
  completeContent,
} from '../../domain/content/content.ts';
import { Refusal } from '../../errors.ts';
import { isContentDocument, recognise } from '../file-kinds.ts';
import { type Input, requireText } from '../input.ts';
import { problemsError, requireNoProblems } from './document-errors.ts';
import { embedImages } from './image-files.ts';
import { SyntaxProblem } from './json.ts';
import { parse } from './parse.ts';
import { findProblems } from './problems.ts';

export type ReadDocument = Readonly<{
  content: Content;
  /** The error for a problem that was found when the document was applied. */
  locate: (problem: ContentProblem) => Refusal;
}>;

/** Paths in the document are relative to the folder. */
export function readDocument(input: Input, folder: string): ReadDocument {
  requireText(input);
  const { name } = input;
  const text = decodeText(input);
  try {
    const value = parse(text);
    if (value === null)
      throw new SyntaxProblem(
        1,
        'the file is empty, or has only comments; write a content document, which begins with `team:`.',
      );
    requireNoProblems(embedAndCheck(value, folder), name, text);
    return {
      content: completeContent(value as ContentDocument),
      locate: (problem) => problemsError([problem], name, text),
    };
  } catch (error) {
    throw explain(error, name, text);
  }
}

function* embedAndCheck(value: unknown, folder: string): Generator<ContentProblem> {
  yield* embedImages(value, folder);
  yield* findProblems(value);
}

/** The same error, unless the text is not a content document at all. */
function explain(error: unknown, file: string, text: string): unknown {
  if (!(error instanceof SyntaxProblem || error instanceof Refusal)) return error;
  const other = isContentDocument(text) || text.trim() === '' ? null : recognise('apply failed', file, text);
  if (other !== null) return other;
  if (error instanceof Refusal) return error;
  return new Refusal(`${file}:${error.line}: ${error.message}`, { cause: error });
}

function decodeText({ name, bytes }: Input): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal(`${name} is not UTF-8 text; save it as UTF-8.`);
  }
}
