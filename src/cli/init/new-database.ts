// A database in a file is made beside its place, and put there when it is whole: so what somebody else makes there in the meantime is never taken for ours.
import { randomUUID } from 'node:crypto';
import { constants, copyFileSync, linkSync, rmSync } from 'node:fs';
import { type NewFiles, withFileErrors } from './new-files.ts';

export type NewDatabase = Readonly<{
  url: string;
  /** Puts it in its place, unless there is one by now. */
  keep: () => void;
}>;

export function newDatabase(file: string, files: NewFiles): NewDatabase {
  const draft = `${file}.${randomUUID()}`;
  for (const part of ['', '-wal', '-shm']) files.expect(`${draft}${part}`);
  return {
    url: `sqlite:${draft}`,
    keep: () => {
      withFileErrors(file, () => putNew(draft, file));
      rmSync(draft);
    },
  };
}

/** In one step, where the file system knows links. */
function putNew(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    copyFileSync(draft, file, constants.COPYFILE_EXCL);
  }
}
