import { closeSync, fchmodSync, fsyncSync, openSync, rmSync } from 'node:fs';
import path from 'node:path';
import { writeFully } from '../content/input/spool.ts';
import { Refusal } from '../errors.ts';
import type { Cli } from './cli.ts';

const OWNER_ONLY = 0o600;

/**
 * Lets `work` write a new file that only its owner can read, and removes the file again if `work` fails. The file is not
 * created before there is text for it: a command interrupted while it waits for a lock leaves no empty file.
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
      const handle = openNew(file, name);
      isCreated = true;
      try {
        fchmodSync(handle, OWNER_ONLY);
        writeFully(handle, Buffer.from(text));
        fsyncSync(handle);
      } finally {
        closeSync(handle);
      }
    });
  } catch (error) {
    if (isCreated) rmSync(file);
    throw error;
  }
}

function openNew(file: string, name: string): number {
  try {
    return openSync(file, 'wx', OWNER_ONLY);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Refusal(
      code === 'EEXIST'
        ? `${name} already exists and was not overwritten; choose another file (nothing was created)`
        : `${name} cannot be created (${message}); choose another file (nothing was created)`,
      { cause: error },
    );
  }
}
