// Rejects files that are not text.
import { Refusal } from '../errors.ts';
import { recognise } from './file-kinds.ts';
import type { Input } from './input.ts';
import { lineAt } from './read/json.ts';

const HEAD_BYTES = 64 * 1024;

export function requireText({ name, bytes }: Input): void {
  const head = bytes.subarray(0, HEAD_BYTES);
  const binary = recognise('any file', name, head.toString('latin1'));
  if (binary !== null) throw new Refusal(`${name}:1: ${binary.says}; ${binary.advice}.`);
  if (isUtf16(head))
    throw new Refusal(`${name}:1: this is UTF-16; save the file as UTF-8 (iconv -f utf-16 -t utf-8).`);
  const nul = bytes.indexOf(0);
  if (nul !== -1)
    throw new Refusal(
      `${name}:${lineAt(bytes.toString('latin1', 0, nul), nul)}: not text: it contains a NUL byte; pass a content document or a changelog.`,
    );
}

function isUtf16(head: Buffer): boolean {
  const mark = head.subarray(0, 2).toString('hex');
  if (mark === 'fffe' || mark === 'feff') return true;
  if (!head.includes(0)) return false;
  // Most characters of most languages have a zero for one of their two bytes.
  const [evens, odds] = [countZeros(head, 0), countZeros(head, 1)];
  return Math.max(evens, odds) > head.length / 4 && Math.min(evens, odds) < head.length / 16;
}

function countZeros(bytes: Buffer, from: number): number {
  let count = 0;
  for (let at = from; at < bytes.length; at += 2) if (bytes[at] === 0) count++;
  return count;
}
