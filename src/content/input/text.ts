// What a text begins with says whether it is one: bytes that no document and no changelog holds are refused at once.
import { Refusal } from '../../errors.ts';
import type { Input } from './input.ts';

const CHUNK_BYTES = 64 * 1024;
const NEWLINE = 10;

type Bytes = Pick<Input, 'name' | 'byteLength' | 'read'>;

/** Looks at the first piece alone: whoever reads the rest finds what is wrong there. */
export function requireText(source: Bytes): void {
  const head = source.read(0, CHUNK_BYTES);
  if (isUtf16(head))
    throw new Refusal(
      `${source.name}:1: this is UTF-16: save the file as UTF-8 (iconv -f utf-16 -t utf-8 does).`,
    );
  if (head.includes(0)) throw nulError(source.name, lineOfNul(head));
}

/** Of bytes that hold a NUL somewhere. */
export function throwNulError(source: Bytes): never {
  requireText(source);
  let line = 1;
  for (let at = 0; at < source.byteLength; at += CHUNK_BYTES) {
    const chunk = source.read(at, CHUNK_BYTES);
    if (chunk.includes(0)) throw nulError(source.name, line + lineOfNul(chunk) - 1);
    line += countLines(chunk, chunk.length);
  }
  throw nulError(source.name, line);
}

export function nulError(file: string, line: number): Refusal {
  return new Refusal(
    `${file}:${line}: this is not text: it holds a NUL byte. Name a content document or a changelog.`,
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
