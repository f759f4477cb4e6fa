// Reads the small files that settings name.
import { readFileSync, statSync } from 'node:fs';
import { Refusal } from './errors.ts';

type TextFileOptions = Readonly<{
  bytesMax: number;
  /** What it should be: "a CSS file". */
  wanted: string;
  /** The problem completes a sentence: "is not a file; name a CSS file." */
  refusal: (problem: string, cause?: unknown) => Refusal;
}>;

/** The text without a byte order mark. Refuses devices and pipes, which might never end. */
export function readTextFile(file: string, { bytesMax, wanted, refusal }: TextFileOptions): string {
  try {
    const stats = statSync(file);
    if (!stats.isFile()) throw refusal(`is not a file; name ${wanted}.`);
    if (stats.size > bytesMax) throw refusal(`is larger than ${bytesMax / 1024} KiB; shorten it.`);
    const text = decode(readFileSync(file));
    if (text === null) throw refusal('is not UTF-8 text; save it as UTF-8.');
    return text;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw refusal(REASONS[code ?? ''] ?? `cannot be read: ${message}.`, error);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist; correct the path.',
  ENOTDIR: 'does not exist; correct the path.',
  EACCES: 'cannot be read by this user; change its owner or its mode.',
};

function decode(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}
