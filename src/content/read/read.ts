// Reads a content document, or tells what is wrong with it and on which line.
import {
  type Content,
  type ContentDocument,
  type ContentProblem,
  completeContent,
} from '../../domain/content/content.ts';
import { Refusal } from '../../errors.ts';
import type { Input } from '../input/input.ts';
import { SpoolQuota } from '../input/spool.ts';
import { requireText } from '../input/text.ts';
import { CannotSplit, TooLarge } from './chunks.ts';
import { isTooComplex } from './complexity.ts';
import { decodeText, locate, parseDocument, problemsError, requireNoProblems } from './document-errors.ts';
import { findProblems } from './problems.ts';
import { type ChunkOptions, readChunks, WHOLE_BYTES } from './read-chunks.ts';

/** A larger document that cannot be split is rejected. */
const UNSPLIT_BYTES_MAX = 2 * 1024 * 1024;

export type ReadDocument = Readonly<{
  content: Content;
  /** The error for a problem that was found when the document was applied. */
  locate: (problem: ContentProblem) => Refusal;
  close: () => void;
}>;

type ReadOptions = Readonly<{
  /** Larger documents are split. */
  wholeBytes?: number;
  quota?: SpoolQuota;
  /** Is called with the number of bytes read so far. */
  onRead?: (bytes: number) => void;
}>;

/** Closes the input when the document is closed or cannot be read. */
export function readDocument(
  input: Input,
  {
    wholeBytes = WHOLE_BYTES,
    quota = new SpoolQuota(Number.POSITIVE_INFINITY),
    onRead = () => {},
  }: ReadOptions = {},
): ReadDocument {
  try {
    requireText(input);
    const document =
      input.byteLength <= wholeBytes ? readWhole(input) : readInChunks(input, { quota, onRead });
    const close = () => {
      document.close();
      input.close();
    };
    return { ...document, close };
  } catch (error) {
    input.close();
    throw error;
  }
}

function readInChunks(input: Input, options: ChunkOptions): ReadDocument {
  try {
    return readChunks(input, options);
  } catch (error) {
    if (!(error instanceof CannotSplit)) throw error;
    if (error instanceof TooLarge) throw errorAtLine(input, error, '');
    const { byteLength } = input;
    if (byteLength <= UNSPLIT_BYTES_MAX && !isTooComplex(input.read(0, byteLength))) return readWhole(input);
    throw errorAtLine(input, error, ' (A large document must be JSON, or YAML with one field per line.)');
  }
}

function errorAtLine({ name }: Input, { line, message }: CannotSplit, advice: string): Refusal {
  return new Refusal(`${name}:${line}: ${message}${advice}`);
}

function readWhole(input: Input): ReadDocument {
  const file = input.name;
  const text = decodeText(input.read(0, input.byteLength), file);
  const { value, lineOf } = parseDocument(text, file);
  requireNoProblems(findProblems(value), file, lineOf);
  return {
    content: completeContent(value as ContentDocument),
    locate: (problem) => problemsError([locate(problem, file, lineOf)]),
    close: () => {},
  };
}
