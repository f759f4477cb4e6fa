// The file of a database, and the files next to it that SQLite finds by name alone.
import { existsSync, realpathSync, rmSync, type Stats, statSync } from 'node:fs';
import type { CommitWatch } from '../engine/engine.ts';

/** SQLite would apply the first two to a copy in the place of the database. */
export const SIDECARS = ['-wal', '-journal', '-shm'] as const;
/** A table needs a second page. */
const FIRST_PAGE_BYTES = 4096;

/** Null if the file does not exist, or this user may not see it. */
export function look(file: string): Stats | null {
  try {
    return statSync(file);
  } catch {
    return null;
  }
}

/** Unique among all files that are open or have a name. */
export function identityOf(file: string): string | null {
  const found = look(file);
  return found && `${found.dev}:${found.ino}`;
}

/** A file in a directory that this user may not enter is not missing. */
export function mayExist(file: string): boolean {
  try {
    statSync(file);
    return true;
  } catch (error) {
    return !['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
  }
}

/**
 * Deletes the file of a database that was created and got no table: otherwise the next command would take it for the
 * database that it looks for. Not if another process has the database open, which then has a log file next to it.
 */
export function deleteUnused(name: string): void {
  try {
    const file = realpathSync(name);
    if (statSync(file).size <= FIRST_PAGE_BYTES && !existsSync(`${file}-wal`)) rmSync(file);
  } catch {
    // It was not created, or may not be deleted. An empty file does less harm than an error that hides the first one.
  }
}

/** Notices when an operator replaces the file of a database: the new one must not be read with the log of the old one. */
export function watchFile(file: string): CommitWatch['isSameFile'] {
  const opened = identityOf(file);
  const sidecars = new Map<string, string | null>();
  return () => {
    const found = identityOf(file);
    for (const name of [`${file}-wal`, `${file}-shm`]) {
      const identity = identityOf(name);
      // They stay the same files while the database is open, but may be created after it.
      if (found === opened) sidecars.set(name, identity);
      else if (found !== null && identity !== null && identity === sidecars.get(name)) {
        sidecars.delete(name);
        rmSync(name);
      }
    }
    return found === opened;
  };
}
