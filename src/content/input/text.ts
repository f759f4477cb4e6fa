// The first bytes of a file tell whether it is text: other files are rejected early.
import { Refusal } from '../../errors.ts';
import { recogniseBinary } from './file-kinds.ts';

const CHUNK_BYTES = 64 * 1024;
const NEWLINE = 10;

export type ReadableBytes = Readonly<{
  /** Names the bytes in messages. */
  name: string;
  byteLength: number;
  /** At most `length` bytes; fewer only at the end. */
  read: (position: number, length: number) => Buffer;
}>;

/** Checks the first chunk only: readers of the rest find what is wrong there. */
export function requireText(bytes: ReadableBytes): void {
  const head = bytes.read(0, CHUNK_BYTES);
  const binary = recogniseBinary(head);
  if (binary !== null) throw new Refusal(`${bytes.name}:1: this is ${binary.name}; ${binary.advice}.`);
  if (isUtf16(head))
    throw new Refusal(`${bytes.name}:1: this is UTF-16; save the file as UTF-8 (iconv -f utf-16 -t utf-8).`);
  if (head.includes(0)) throw nulError(bytes.name, lineOfNul(head));
}

/** For bytes that contain a NUL somewhere. */
export function throwNulError(bytes: ReadableBytes): never {
  requireText(bytes);
  let line = 1;
  for (let at = 0; at < bytes.byteLength; at += CHUNK_BYTES) {
    const chunk = bytes.read(at, CHUNK_BYTES);
    if (chunk.includes(0)) throw nulError(bytes.name, line + lineOfNul(chunk) - 1);
    line += countLines(chunk, chunk.length);
  }
  throw nulError(bytes.name, line);
}

export function nulError(file: string, line: number): Refusal {
  return new Refusal(
    `${file}:${line}: not text: it contains a NUL byte; pass a content document or a changelog.`,
  );
}

function lineOfNul(bytes: Buffer): number {
  return countLines(bytes, bytes.indexOf(0)) + 1;
}

function countLines(bytes: Buffer, end: number): number {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1 && at < end; at = bytes.indexOf(NEWLINE, at + 1)) lines++;
  return lines;
}

function isUtf16(head: Buffer): boolean {
  const mark = head.subarray(0, 2).toString('hex');
  if (mark === 'fffe' || mark === 'feff') return true;
  // Most characters of most languages have a zero for one of their two bytes.
  const [evens, odds] = [countZeros(head, 0), countZeros(head, 1)];
  return Math.max(evens, odds) > head.length / 4 && Math.min(evens, odds) < head.length / 16;
}

function countZeros(bytes: Buffer, from: number): number {
  let count = 0;
  for (let at = from; at < bytes.length; at += 2) if (bytes[at] === 0) count++;
  return count;
}
