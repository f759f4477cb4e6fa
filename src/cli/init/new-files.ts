// Files that are made together with the rows of a transaction, and taken back if it fails.
import { existsSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export type NewFiles = Readonly<{
  /** Writes a file that is not there yet, in a folder that may not be there either. */
  write: (file: string, text: string, mode?: number) => void;
  /** Says that this file is going to be made, unless it is there. */
  expect: (file: string) => void;
  takeBack: () => void;
}>;

export function newFiles(): NewFiles {
  const files: string[] = [];
  const folders: string[] = [];

  const expectFolders = (file: string) => {
    for (let folder = path.dirname(file); !existsSync(folder); folder = path.dirname(folder))
      if (!folders.includes(folder)) folders.push(folder);
  };

  return {
    write: (file, text, mode = 0o666) => {
      expectFolders(file);
      const folder = path.dirname(file);
      if (!existsSync(folder)) mkdirSync(folder);
      writeFileSync(file, text, { flag: 'wx', mode });
      files.push(file);
    },
    expect: (file) => {
      expectFolders(file);
      if (!existsSync(file)) files.push(file);
    },
    takeBack: () => {
      for (const file of files) rmSync(file, { force: true });
      for (const folder of folders) removeIfEmpty(folder);
    },
  };
}

/** What somebody else put there in the meantime stays. */
function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
