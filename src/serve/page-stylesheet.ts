// `PAGE_STYLESHEET`: the operator's own rules, added to the pages' style sheet.
import path from 'node:path';
import { Refusal } from '../errors.ts';
import { readTextFile } from '../text-file.ts';

/** Every page contains it. */
export const STYLESHEET_BYTES_MAX = 256 * 1024;

/** The file's text, or '' without one. Line ends become \n, as in a browser: the CSP has a hash of the result. */
export function readStylesheet(file: string | null, folder: string): string {
  if (file === null) return '';
  const refusal = (problem: string, cause?: unknown) =>
    new Refusal(`PAGE_STYLESHEET is ${JSON.stringify(file)}, which ${problem}`, { cause });
  const text = readTextFile(path.resolve(folder, file), {
    bytesMax: STYLESHEET_BYTES_MAX,
    wanted: 'a CSS file',
    refusal,
  });
  if (/<\/style/i.test(text))
    throw refusal('contains "</style"; that would end the style sheet, so remove it.');
  return text.replaceAll(/\r\n?/g, '\n');
}
