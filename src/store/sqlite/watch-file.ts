// The place of a database in the file system, where an operator may put another one.
import { statSync, unlinkSync } from 'node:fs';
import type { CommitWatch } from '../engine/engine.ts';

/** What SQLite keeps beside a database, and finds there by name alone. */
const SIDECAR_SUFFIXES = ['-wal', '-shm'];

/** Remembers which file is there now. */
export function watchFile(file: string): Pick<CommitWatch, 'isSameFile' | 'removeStaleSidecars'> {
  const opened = identityOf(file);
  let beside = new Map<string, string>();

  /** As long as the file is open these stay the same files, but they may come later than the database itself. */
  function noteBeside(): void {
    beside = new Map(SIDECAR_SUFFIXES.map((ending) => [file + ending, identityOf(file + ending)]));
  }

  return {
    isSameFile: () => {
      if (identityOf(file) !== opened) return false;
      noteBeside();
      return true;
    },
    removeStaleSidecars: () => {
      if (identityOf(file) === NOTHING) return;
      for (const [path, identity] of beside)
        if (identity !== NOTHING && identityOf(path) === identity) unlinkSync(path);
    },
  };
}

const NOTHING = '';

/** No two files that are open or in a folder have the same. */
function identityOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? NOTHING : `${found.dev}:${found.ino}`;
}
