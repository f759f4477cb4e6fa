import { escapeName } from './plain.ts';

/** Quotes a word for a command to copy into a shell. */
export function shellWord(text: string): string {
  return /^[\w./@%+=:,-]+$/.test(text) ? text : `'${escapeName(text).replaceAll("'", "'\\''")}'`;
}
