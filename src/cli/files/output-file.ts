// Files that a command writes its result to, instead of standard output.
import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isNoSpace, Refusal } from '../../errors.ts';
import { makeFolder, removeEmptyFolders } from '../../make-folder.ts';
import type { Cli } from '../cli.ts';
import { escapeName } from '../terminal/plain.ts';
import { replaceFile, resolveTarget } from './replaced-file.ts';

const READABLE_BY_ALL = 0o666;

/** Replaces a file atomically, and creates the directories above it if asked to. After an error, all is as it was. */
export async function writeOutput(
  cli: Cli,
  name: string,
  text: string,
  { withFolders = false } = {},
): Promise<void> {
  const target = resolveTarget(cli.folder, name);
  let created: string | undefined;
  try {
    const found = statSync(target, { throwIfNoEntry: false });
    if (found?.isDirectory()) throw new Refusal(`${escapeName(name)} is a directory; name a file in it.`);
    // Such as /dev/stdout or a named pipe, which must not become a file.
    if (found && !found.isFile()) return writeFileSync(target, text);
    if (withFolders) created = makeFolder(path.dirname(target));
    await replaceFile(target, async (file) => writeFileSync(file, text), READABLE_BY_ALL);
  } catch (error) {
    if (created !== undefined) removeEmptyFolders(path.dirname(target), created);
    throw writeError(error, name);
  }
}

function writeError(error: unknown, name: string): unknown {
  if (error instanceof Refusal) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  const reason = isNoSpace(error)
    ? `the disk is full (${code}); free some space and try again`
    : `${message}; choose another file`;
  return new Refusal(`${escapeName(name)} cannot be written: ${reason}. Nothing was written.`, {
    cause: error,
  });
}
