// A file for a key alone: new, and for nobody else to read.
import { closeSync, fchmodSync, fsyncSync, openSync, rmSync } from 'node:fs';
import path from 'node:path';
import { writeFully } from '../content/spool.ts';
import { Refusal } from '../errors.ts';
import type { Cli } from './cli.ts';

const OWNER_ONLY = 0o600;

/** There is the file with the key in it when `make` is done, and no file if anything fails. */
export async function withKeyFile<T>(
  cli: Cli,
  name: string,
  make: (keep: (key: string) => void) => Promise<T>,
): Promise<T> {
  const file = path.resolve(cli.folder, name);
  const handle = openNew(file, name);
  try {
    fchmodSync(handle, OWNER_ONLY);
    return await make((key) => {
      writeFully(handle, Buffer.from(`${key}\n`));
      fsyncSync(handle);
    });
  } catch (error) {
    rmSync(file);
    throw error;
  } finally {
    closeSync(handle);
  }
}

function openNew(file: string, name: string): number {
  try {
    return openSync(file, 'wx', OWNER_ONLY);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason =
      code === 'EEXIST'
        ? 'is there already, and is not overwritten: name a new file'
        : `cannot be made (${message}): name another`;
    throw new Refusal(`${name} ${reason}; no key was made.`, { cause: error });
  }
}
