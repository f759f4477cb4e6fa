import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import path from 'node:path';
import { Refusal } from '../../errors.ts';

const OWNER_ONLY = 0o600;

/**
 * Lets `write` fill an empty file that only its owner can read, and then puts that file in the place of `target`, all at
 * once and for good. If anything fails, `target` stays as it was, and nothing else is left.
 */
export async function replaceFile<T>(target: string, write: (file: string) => Promise<T>): Promise<T> {
  const folder = path.dirname(target);
  const temporary = path.join(folder, `.changelog-${randomBytes(6).toString('hex')}.tmp`);
  createIn(folder, temporary);
  try {
    const result = await write(temporary);
    sync(temporary);
    renameSync(temporary, target);
    syncFolder(folder);
    return result;
  } catch (error) {
    for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(temporary + suffix, { force: true });
    throw error;
  }
}

/** The file that a name leads to, also if it does not exist yet: a symbolic link is followed and never replaced. */
export function resolveTarget(folder: string, name: string): string {
  const file = path.resolve(folder, name);
  try {
    return realpathSync(file);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (!isMissing || !lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return file;
    return resolveTarget(realpathSync(path.dirname(file)), readlinkSync(file));
  }
}

function createIn(folder: string, file: string): void {
  try {
    closeSync(openSync(file, 'wx', OWNER_ONLY));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason =
      code === 'ENOENT'
        ? `the directory ${folder} does not exist; create it, or choose another file`
        : `cannot create files in ${folder} (${code}); make it a directory that this user may write to, or choose another file`;
    throw new Refusal(reason, { cause: error });
  }
}

function sync(file: string): void {
  const handle = openSync(file, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Makes the new name survive a power failure, where the file system can. */
function syncFolder(folder: string): void {
  try {
    sync(folder);
  } catch {
    // The file is complete and in its place.
  }
}
