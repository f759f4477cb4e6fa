// Notices when an operator replaces the file of the database.
import { statSync, unlinkSync } from 'node:fs';
import type { CommitWatch } from '../engine/engine.ts';

/** Files next to the database that SQLite finds by name alone. */
const SIDECAR_SUFFIXES = ['-wal', '-shm'];

export function watchFile(file: string): Pick<CommitWatch, 'isSameFile' | 'removeStaleSidecars'> {
  const opened = identityOf(file);
  let sidecars = new Map<string, string>();

  return {
    isSameFile: () => {
      if (identityOf(file) !== opened) return false;
      // They stay the same files while the database is open, but may be created after it.
      sidecars = new Map(SIDECAR_SUFFIXES.map((suffix) => [file + suffix, identityOf(file + suffix)]));
      return true;
    },
    removeStaleSidecars: () => {
      if (identityOf(file) === MISSING) return;
      for (const [path, identity] of sidecars)
        if (identity !== MISSING && identityOf(path) === identity) unlinkSync(path);
    },
  };
}

const MISSING = '';

/** Unique among all files that are open or have a name. */
function identityOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? MISSING : `${found.dev}:${found.ino}`;
}
