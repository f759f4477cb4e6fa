// What a user can do about an error of the file system, while a site is written.
import path from 'node:path';
import { isNoSpace, Refusal } from '../errors.ts';

export const CHOOSE_ANOTHER = 'choose another folder with --out';

/** The name is for messages. */
export type Place = Readonly<{ root: string; name: string }>;

/** The outcome says what state the folder is in. */
export function withFileErrors<T>(place: Place, outcome: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new Refusal(`${describeError(error as FileError, place)} ${outcome}`, { cause: error });
  }
}

type FileError = NodeJS.ErrnoException & Readonly<{ dest?: string }>;

/** Calls that need a folder to be writable, not what they name. */
const IN_FOLDER = ['mkdir', 'mkdtemp', 'rename', 'unlink'];

function describeError(error: FileError, { root, name }: Place): string {
  const { code = '', syscall = '', path: from = root, dest: at = from } = error;
  const place = IN_FOLDER.includes(syscall) ? path.dirname(at) : at;
  const below = path.relative(root, place);
  const shown = below.startsWith('..') ? place : path.join(name, below);
  if (isNoSpace(error))
    return `${name} cannot be written: the disk is full (${code}); free some space and try again`;
  if (['EACCES', 'EPERM'].includes(code))
    return `you may not write to ${shown}; change its permissions or ${CHOOSE_ANOTHER}`;
  if (code === 'EROFS') return `${name} is on a read-only file system; ${CHOOSE_ANOTHER}`;
  if (syscall === 'mkdir') return `no folder can be created in ${shown} (${code}); ${CHOOSE_ANOTHER}`;
  return `${name} cannot be written (${code}); ${CHOOSE_ANOTHER}`;
}
