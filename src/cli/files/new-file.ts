import { closeSync, fchmodSync, fsyncSync, openSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isNoSpace, Refusal } from '../../errors.ts';
import type { Cli } from '../cli.ts';

const OWNER_ONLY = 0o600;

/**
 * Lets `work` write a new file that only its owner can read, and removes it again if `work` fails. The file is created
 * only when its text is known, so that a command interrupted while it waits for a lock leaves no empty file.
 */
export async function withNewFile<T>(
  cli: Cli,
  name: string,
  work: (write: (text: string) => void) => Promise<T>,
): Promise<T> {
  const file = path.resolve(cli.folder, name);
  let isCreated = false;
  try {
    return await work((text) => {
      const handle = withFileErrors(name, () => openSync(file, 'wx', OWNER_ONLY));
      isCreated = true;
      try {
        withFileErrors(name, () => {
          fchmodSync(handle, OWNER_ONLY);
          writeFileSync(handle, text);
          fsyncSync(handle);
        });
      } finally {
        closeSync(handle);
      }
    });
  } catch (error) {
    if (isCreated) rmSync(file, { force: true });
    throw error;
  }
}

function withFileErrors<T>(name: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason =
      code === 'EEXIST'
        ? 'already exists and was not overwritten; choose another file'
        : isNoSpace(error)
          ? `cannot be written: the disk is full (${code}); free some space and try again`
          : `cannot be created (${message}); choose another file`;
    throw new Refusal(`${name} ${reason} (nothing was created)`, { cause: error });
  }
}
