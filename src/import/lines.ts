// Splits a text into its lines, and reports where its encoding is wrong.
import { isUtf8 } from 'node:buffer';
import { type Input, requireText } from '../content/input.ts';
import { Refusal } from '../errors.ts';

const LINE_BYTES_MAX = 4 * 1024 * 1024;

/** Lines end in LF, CRLF or CR. */
export function readLines(input: Input): string[] {
  const { name, bytes } = input;
  const refusal = (line: number, said: string) => new Refusal(said, { at: [name, line] });
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (text.trim() === '') throw refusal(1, 'the file is empty; pass one that contains a changelog.');
  requireText(input);
  if (!isUtf8(bytes)) throw refusal(findOtherLine(bytes), NOT_UTF8);
  const lines = splitLines(text);
  if (lines.at(-1) === '') lines.pop();
  const long = lines.findIndex(({ length }) => length > LINE_BYTES_MAX);
  if (long !== -1)
    throw refusal(
      long + 1,
      `line exceeds ${LINE_BYTES_MAX / 2 ** 20} MiB; this does not look like a changelog.`,
    );
  return lines;
}

const NOT_UTF8 =
  'this line is not UTF-8; save the file as UTF-8 (if it is Latin-1: iconv -f latin1 -t utf-8).';

function findOtherLine(bytes: Buffer): number {
  return splitLines(bytes.toString('latin1')).findIndex((line) => !isUtf8(Buffer.from(line, 'latin1'))) + 1;
}

function splitLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}
