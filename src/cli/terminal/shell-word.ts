import { escapeName } from './plain.ts';

/** Quotes a word of a command that users copy into a shell. */
export function shellWord(text: string): string {
  return /^[\w./@%+=:,-]+$/.test(text) ? text : `'${escapeName(text).replaceAll("'", "'\\''")}'`;
}
