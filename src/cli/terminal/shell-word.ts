import { escapeName } from './plain.ts';

/** As a shell reads it again, for lines to paste. */
export function shellWord(text: string): string {
  return /^[\w./@%+=:,-]+$/.test(text) ? text : `'${escapeName(text).replaceAll("'", "'\\''")}'`;
}
