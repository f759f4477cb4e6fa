// Text → a content document that is known to be right, or what is wrong with it and on which line.
import {
  type Content,
  type ContentDocument,
  type ContentProblem,
  completeContent,
} from '../../domain/content/content.ts';
import { Refusal } from '../../errors.ts';
import { bytesSource, type Source } from '../input/source.ts';
import { SpoolRoom } from '../input/spool.ts';
import { requireText } from '../input/text.ts';
import { isLight, LIGHT_BYTES } from './complexity.ts';
import { PIECE_BYTES_MAX, TooLarge, Uncut } from './pieces.ts';
import { findProblems } from './problems.ts';
import { type PieceOptions, readPieces } from './read-pieces.ts';
import { decodeText, parseOrRefuse, refusalOf, refuseProblems } from './refuse.ts';

/** Up to this size a document is read as a whole, which gives the best messages. */
export const WHOLE_BYTES = LIGHT_BYTES;

export type SourceDocument = Readonly<{
  content: Content;
  /** Says of a problem where in the file it is. */
  locate: (problem: ContentProblem) => Refusal;
  close: () => void;
}>;

export type ReadOptions = Readonly<{
  /** Documents of more bytes are read in pieces. */
  wholeBytes?: number;
  /** For what cannot be held in memory. */
  room?: SpoolRoom;
  /** Is told how many bytes were read so far. */
  onRead?: (bytes: number) => void;
}>;

/** `file` is how the source is called in messages. */
export function readContent(bytes: Uint8Array, file: string): SourceDocument {
  const source = bytesSource(bytes, file);
  requireText(source);
  return readWhole(source);
}

/** Reads a document of any size. Closes the source when the document is closed, or cannot be read. */
export function readSource(
  source: Source,
  {
    wholeBytes = WHOLE_BYTES,
    room = new SpoolRoom(Number.POSITIVE_INFINITY),
    onRead = () => {},
  }: ReadOptions = {},
): SourceDocument {
  try {
    requireText(source);
    const document =
      source.byteLength <= wholeBytes ? readWhole(source) : readInPieces(source, { room, onRead });
    const close = () => {
      document.close();
      source.close();
    };
    return { ...document, close };
  } catch (error) {
    source.close();
    throw error;
  }
}

function readInPieces(source: Source, options: PieceOptions): SourceDocument {
  try {
    return readPieces(source, options);
  } catch (error) {
    if (!(error instanceof Uncut)) throw error;
    if (error instanceof TooLarge) throw refusalAt(source, error, '');
    if (source.byteLength <= PIECE_BYTES_MAX && isLight(source.read(0, source.byteLength)))
      return readWhole(source);
    throw refusalAt(source, error, ' (A large document must be JSON, or YAML with a line for each field.)');
  }
}

function refusalAt({ name }: Source, { line, message }: Uncut, advice: string): Refusal {
  return new Refusal(`${name}:${line}: ${message}${advice}`);
}

function readWhole(source: Source): SourceDocument {
  const file = source.name;
  const text = decodeText(source.read(0, source.byteLength), file);
  const { value, lineOf } = parseOrRefuse(text, file);
  refuseProblems(findProblems(value), file, lineOf);
  return {
    content: completeContent(value as ContentDocument),
    locate: (problem) => refusalOf([problem], file, lineOf),
    close: () => {},
  };
}
