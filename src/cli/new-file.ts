// A file for a key alone: new, and for nobody else to read.
import { closeSync, existsSync, fchmodSync, fsyncSync, openSync, rmSync } from 'node:fs';
import path from 'node:path';
import { writeFully } from '../content/input/spool.ts';
import { Refusal } from '../errors.ts';
import type { Cli } from './cli.ts';

const OWNER_ONLY = 0o600;

/**
 * There is the file with the key in it when `make` is done, and no file if anything fails. It is made when there is a
 * key: whoever gives up waiting for another writer finds none that is empty.
 */
export async function withNewFile<T>(
  cli: Cli,
  name: string,
  make: (keep: (key: string) => void) => Promise<T>,
): Promise<T> {
  const file = path.resolve(cli.folder, name);
  if (existsSync(file)) throw fileExistsError(name);
  let isMade = false;
  try {
    return await make((key) => {
      const handle = openNew(file, name);
      isMade = true;
      try {
        fchmodSync(handle, OWNER_ONLY);
        writeFully(handle, Buffer.from(`${key}\n`));
        fsyncSync(handle);
      } finally {
        closeSync(handle);
      }
    });
  } catch (error) {
    if (isMade) rmSync(file);
    throw error;
  }
}

function openNew(file: string, name: string): number {
  try {
    return openSync(file, 'wx', OWNER_ONLY);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw fileExistsError(name);
    throw new Refusal(`${name} cannot be made (${message}): name another; no key was made.`, {
      cause: error,
    });
  }
}

function fileExistsError(name: string): Refusal {
  return new Refusal(`${name} is there already, and is not overwritten: name a new file; no key was made.`);
}
