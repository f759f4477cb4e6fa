// Files that are made together with the rows of a transaction, and taken back if it fails.
import { existsSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Refusal } from '../../errors.ts';

export type NewFiles = Readonly<{
  /** Writes a file that is not there yet, in a folder that may not be there either. */
  write: (file: string, text: string, mode?: number) => void;
  /** Says that this file, whose name nobody else would take, is going to be made. */
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
      withFileErrors(file, () => {
        const folder = path.dirname(file);
        if (!existsSync(folder)) mkdirSync(folder);
        writeFileSync(file, text, { flag: 'wx', mode });
      });
      files.push(file);
    },
    expect: (file) => {
      expectFolders(file);
      files.push(file);
    },
    takeBack: () => {
      for (const file of files) rmSync(file, { force: true });
      for (const folder of folders) removeIfEmpty(folder);
    },
  };
}

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Takes the files back when the process is told to end in the meantime, and then lets it end by that signal. */
export async function takingBackOnSignals<T>(files: NewFiles, make: () => Promise<T>): Promise<T> {
  const onSignal = (signal: NodeJS.Signals) => {
    files.takeBack();
    for (const each of ENDING) process.off(each, onSignal);
    process.kill(process.pid, signal);
  };
  for (const each of ENDING) process.on(each, onSignal);
  try {
    return await make();
  } finally {
    for (const each of ENDING) process.off(each, onSignal);
  }
}

export function withFileErrors(file: string, make: () => void): void {
  try {
    make();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Refusal(
      code === 'EEXIST'
        ? `${file} was made by another process in the meantime, and stays as it is: try again.`
        : `${file} cannot be written (${code}): see to it that ${path.dirname(file)} is a folder in which this user may write.`,
      { cause: error },
    );
  }
}

/** What somebody else put there in the meantime stays. */
function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
