// Reads the lines of a text, and reports where its encoding is wrong.
import { isUtf8 } from 'node:buffer';
import type { Input } from '../content/input/input.ts';
import { nulError, requireText } from '../content/input/text.ts';
import { Refusal } from '../errors.ts';

const CHUNK_BYTES = 256 * 1024;
const LINE_BYTES_MAX = 4 * 1024 * 1024;
const NEWLINE = 10;
const RETURN = 13;
const BYTE_ORDER_MARK = '\uFEFF';

/** Lines end in LF, CRLF or CR. */
export function* linesOf(input: Input, onRead: (bytes: number) => void = () => {}): Generator<string> {
  requireUtf8(input);
  let rest: Buffer = Buffer.alloc(0);
  let position = 0;
  let number = 1;
  while (position < input.byteLength) {
    const chunk = input.read(position, CHUNK_BYTES);
    position = chunk.length === 0 ? input.byteLength : position + chunk.length;
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = position >= input.byteLength ? bytes.length : endOfLines(bytes);
    rest = bytes.subarray(end);
    if (rest.length > LINE_BYTES_MAX)
      throw new Refusal(
        `${input.name}:${number}: line exceeds ${LINE_BYTES_MAX / 2 ** 20} MiB; this does not look like a changelog.`,
      );
    for (const line of decode(input.name, bytes.subarray(0, end), number)) {
      yield number === 1 && line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line;
      number++;
    }
    onRead(position);
  }
}

/** Where the last whole line ends. A CR at the very end may be half of a CRLF. */
function endOfLines(bytes: Buffer): number {
  const newline = bytes.lastIndexOf(NEWLINE);
  const ret = bytes.lastIndexOf(RETURN, bytes.length - 2);
  return Math.max(newline, bytes.length > 1 ? ret : -1) + 1;
}

function decode(file: string, bytes: Buffer, firstLine: number): string[] {
  if (!isUtf8(bytes) || bytes.includes(0)) throwEncodingError(file, bytes, firstLine);
  const lines = bytes.toString('utf8').split(/\r\n|\n|\r/);
  // The text after the last line break is in the next chunk.
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function throwEncodingError(file: string, bytes: Buffer, firstLine: number): never {
  let number = firstLine;
  let start = 0;
  for (let at = 0; at <= bytes.length; at++) {
    const isReturn = bytes[at] === RETURN && bytes[at + 1] !== NEWLINE;
    if (at < bytes.length && bytes[at] !== NEWLINE && !isReturn) continue;
    const line = bytes.subarray(start, at);
    if (line.includes(0)) throw nulError(file, number);
    if (!isUtf8(line))
      throw new Refusal(
        `${file}:${number}: this line is not UTF-8; save the file as UTF-8 (if it is Latin-1: iconv -f latin1 -t utf-8).`,
      );
    start = at + 1;
    number++;
  }
  throw new Refusal(`${file}:${firstLine}: this is not UTF-8; save the file as UTF-8.`);
}

function requireUtf8(input: Input): void {
  const head = input.read(0, CHUNK_BYTES);
  if (head.toString('utf8').replace(BYTE_ORDER_MARK, '').trim() === '' && head.length === input.byteLength)
    throw new Refusal(`${input.name}:1: the file is empty; pass one that contains a changelog.`);
  requireText(input);
}
