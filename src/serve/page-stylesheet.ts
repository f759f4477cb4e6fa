// `PAGE_STYLESHEET`: the operator's own rules, added to the pages' style sheet.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { Refusal } from '../errors.ts';

export const STYLESHEET_BYTES_MAX = 256 * 1024;

/** The file's text, or '' without one. Line ends become \n, as in a browser: the CSP has a hash of the result. */
export function readStylesheet(file: string | null, folder: string): string {
  if (file === null) return '';
  const text = decode(readBytes(file, path.resolve(folder, file)), file);
  if (/<\/style/i.test(text))
    throw refusal(file, 'contains "</style"; that would end the style sheet, so remove it.');
  return text.replaceAll(/\r\n?/g, '\n');
}

/** Refuses devices and pipes, which might never end. */
function readBytes(file: string, resolved: string): Uint8Array {
  try {
    const stats = statSync(resolved);
    if (!stats.isFile()) throw refusal(file, 'is not a file; name a CSS file.');
    if (stats.size > STYLESHEET_BYTES_MAX)
      throw refusal(
        file,
        `is larger than ${STYLESHEET_BYTES_MAX / 1024} KiB, and every page would contain it; shorten it.`,
      );
    return readFileSync(resolved);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw refusal(file, REASONS[code ?? ''] ?? `cannot be read: ${message}.`, error);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist; correct the path, or remove the setting.',
  ENOTDIR: 'does not exist; correct the path, or remove the setting.',
  EACCES: 'cannot be read by this user; change its owner or its mode.',
};

/** Removes a byte order mark. */
function decode(bytes: Uint8Array, file: string): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {}
  throw refusal(file, 'is not UTF-8 text; save it as UTF-8.');
}

function refusal(file: string, problem: string, cause?: unknown): Refusal {
  return new Refusal(`PAGE_STYLESHEET is ${JSON.stringify(file)}, which ${problem}`, { cause });
}
