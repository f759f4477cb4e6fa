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
import {
  decodeText,
  locate,
  parseDocument,
  problemsError,
  requireContent,
  requireNoProblems,
} from './document-errors.ts';
import { findComment } from './json-slips.ts';
import { findProblems } from './problems.ts';
import { type ChunkOptions, readChunks, WHOLE_BYTES } from './read-chunks.ts';
import { explainDocumentError, headOf } from './recognise.ts';

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
  let head = '';
  try {
    requireText(input);
    head = headOf(input);
    const document =
      input.byteLength <= wholeBytes ? readWhole(input) : readInChunks(input, { quota, onRead });
    const close = () => {
      document.close();
      input.close();
    };
    return { ...document, close };
  } catch (error) {
    input.close();
    throw explainDocumentError(error, input.name, head);
  }
}

function readInChunks(input: Input, options: ChunkOptions): ReadDocument {
  try {
    return readChunks(input, options);
  } catch (error) {
    if (!(error instanceof CannotSplit)) throw error;
    const { byteLength, name } = input;
    const mayBeWhole = !(error instanceof TooLarge) && byteLength <= UNSPLIT_BYTES_MAX;
    if (mayBeWhole && !isTooComplex(input.read(0, byteLength))) return readWhole(input);
    throw new Refusal(`${name}:${error.line}: ${error.message}${error.advice}`);
  }
}

function readWhole(input: Input): ReadDocument {
  const file = input.name;
  const text = decodeText(input.read(0, input.byteLength), file);
  const comment = findComment(text);
  if (comment !== null) throw new Refusal(`${file}:${comment.line}: ${comment.message}`);
  const { value, lineOf } = parseDocument(text, file);
  requireContent(value, file);
  requireNoProblems(findProblems(value), file, lineOf);
  return {
    content: completeContent(value as ContentDocument),
    locate: (problem) => problemsError([locate(problem, file, lineOf)]),
    close: () => {},
  };
}
