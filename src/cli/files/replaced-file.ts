import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdtempSync,
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
 * once and for good. If anything fails, `target` stays as it was, and nothing else is left. The file is in a directory of
 * its own: in one that others may write to, such as /tmp, they could put a journal or a link next to it.
 */
export async function replaceFile<T>(target: string, write: (file: string) => Promise<T>): Promise<T> {
  const folder = path.dirname(target);
  const own = createFolderIn(folder);
  try {
    const temporary = path.join(own, path.basename(target));
    closeSync(openSync(temporary, 'wx', OWNER_ONLY));
    const result = await write(temporary);
    sync(temporary);
    renameSync(temporary, target);
    syncFolder(folder);
    return result;
  } finally {
    rmSync(own, { recursive: true, force: true });
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

function createFolderIn(folder: string): string {
  try {
    return mkdtempSync(path.join(folder, '.changelog-'));
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
