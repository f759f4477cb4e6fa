import { existsSync, mkdirSync, rmdirSync } from 'node:fs';
import path from 'node:path';

/**
 * Returns the outermost folder that it has created, if any; after an error, none is left. One level at a time: recursive
 * `mkdir` never returns where a folder cannot be created, for example in /proc, and hides why it cannot.
 */
export function makeFolder(folder: string, mode = 0o777): string | undefined {
  if (existsSync(folder)) return undefined;
  const parent = path.dirname(folder);
  const created = makeFolder(parent, mode);
  try {
    mkdirSync(folder, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return created;
    if (created !== undefined) removeEmptyFolders(parent, created);
    throw error;
  }
  return created ?? folder;
}

/** From the inner one to the outer one, as long as they are empty: another process may use them now. */
export function removeEmptyFolders(inner: string, outer: string): void {
  for (let folder = inner; removeEmptyFolder(folder) && folder !== outer; ) folder = path.dirname(folder);
}

/** Returns whether it was there and empty. */
export function removeEmptyFolder(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false;
  }
}
