// The files that commands write. Each is complete or as it was before, and no link of another user leads astray.
import fs from 'node:fs';
import path from 'node:path';
import { DAY_MS } from '../../domain/timestamp.ts';
import { isNoSpace, Refusal } from '../../errors.ts';
import { makeFolder } from '../../make-folder.ts';
import type { Cli } from '../cli.ts';
import { escapeName } from '../terminal/text.ts';

const OWNER_ONLY = 0o600;
const READABLE_BY_ALL = 0o666;
const ROOT = 0;
const TEMPORARY = '.changelog-copy-';
const NEWLINE = '\n'.charCodeAt(0);

/** Lets `write` fill a new file, and then puts it in the place of `target`. */
export async function replaceFile<T>(
  target: string,
  write: (file: string) => Promise<T>,
  mode = OWNER_ONLY,
): Promise<T> {
  const replace = async (temporary: string) => {
    const result = await write(temporary);
    sync(temporary);
    fs.renameSync(temporary, target);
    try {
      sync(path.dirname(target));
    } catch {
      // Not every file system can sync a directory. The file is complete and has its name.
    }
    return result;
  };
  return await withTemporaryFile(target, replace, mode);
}

/**
 * Lets `work` use an empty file next to `target`, and removes it. The file has its own directory: in a shared one, such as
 * /tmp, other users could put a journal or a link next to it.
 */
export async function withTemporaryFile<T>(
  target: string,
  work: (file: string) => Promise<T>,
  mode = OWNER_ONLY,
): Promise<T> {
  const folder = path.dirname(target);
  removeLeft(folder);
  const own = orRefuse(target, () => fs.mkdtempSync(path.join(folder, TEMPORARY)));
  try {
    const temporary = path.join(own, path.basename(target));
    fs.closeSync(fs.openSync(temporary, 'wx', mode));
    return await work(temporary);
  } finally {
    fs.rmSync(own, { recursive: true, force: true });
  }
}

/** Removes what commands have left that were killed more than a day ago. */
function removeLeft(folder: string): void {
  try {
    for (const name of fs.readdirSync(folder).filter((each) => each.startsWith(TEMPORARY))) {
      const own = path.join(folder, name);
      if (Date.now() - fs.statSync(own).mtimeMs > DAY_MS) fs.rmSync(own, { recursive: true });
    }
  } catch {
    // It may be of another user, or gone by now.
  }
}

/**
 * The file to replace, which need not exist: no link is replaced. In a directory that all users can write to, such as /tmp,
 * anyone can put one. For its directories, Linux has the same rule (`fs.protected_symlinks`).
 */
export function resolveTarget(folder: string, name: string): string {
  const file = path.resolve(folder, name);
  const link = orRefuse(name, () => {
    // Throws for a circle of links.
    fs.statSync(file, { throwIfNoEntry: false });
    return fs.lstatSync(file, { throwIfNoEntry: false });
  });
  if (!link?.isSymbolicLink()) return file;
  const parent = path.dirname(file);
  if (![process.getuid?.(), fs.statSync(parent).uid, ROOT].includes(link.uid))
    throw new Refusal(
      `${file} is a symbolic link of another user, and is not followed: its owner would choose what is overwritten. Remove it, or choose another file.`,
    );
  return resolveTarget(fs.realpathSync(parent), fs.readlinkSync(file));
}

/** Writes the result of a command to a file instead of standard output. An existing file keeps its mode. */
export async function writeOutput(
  cli: Cli,
  name: string,
  text: string,
  { withFolders = false } = {},
): Promise<void> {
  const target = resolveTarget(cli.folder, name);
  const found = orRefuse(name, () => fs.statSync(target, { throwIfNoEntry: false }));
  if (found?.isDirectory()) throw new Refusal(`${escapeName(name)} is a directory; name a file in it.`);
  // Such as /dev/stdout or a named pipe, which must not become a file.
  if (found && !found.isFile()) return orRefuse(name, () => fs.writeFileSync(target, text));
  if (withFolders) orRefuse(name, () => makeFolder(path.dirname(target)));
  const write = async (file: string) =>
    orRefuse(name, () => {
      fs.writeFileSync(file, text);
      if (found) fs.chmodSync(file, found.mode);
    });
  await replaceFile(target, write, READABLE_BY_ALL);
}

export type WriteFile = (name: string, text: string, options?: { isAdded?: boolean }) => void;

/**
 * Lets `work` write new files that only their owner can read, and, with `isAdded`, lines to files that may exist. If `work`
 * fails, all are as they were.
 */
export async function withFiles<T>(cli: Cli, work: (write: WriteFile) => Promise<T>): Promise<T> {
  const undo: (() => void)[] = [];
  const write: WriteFile = (name, text, { isAdded = false } = {}) => {
    const file = path.resolve(cli.folder, name);
    orRefuse(name, () => {
      if (isAdded && fs.existsSync(file)) {
        const before = fs.readFileSync(file);
        undo.push(() => fs.truncateSync(file, before.length));
        const isWhole = (before.at(-1) ?? NEWLINE) === NEWLINE;
        return fs.appendFileSync(file, isWhole ? text : `\n${text}`, { flush: true });
      }
      fs.closeSync(fs.openSync(file, 'wx', OWNER_ONLY));
      undo.push(() => fs.rmSync(file, { force: true }));
      fs.writeFileSync(file, text, { flush: true });
    });
  };
  try {
    return await work(write);
  } catch (error) {
    for (const each of undo.reverse()) each();
    throw error;
  }
}

function orRefuse<T>(name: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = isNoSpace(error)
      ? `the disk is full (${code}); free some space and try again`
      : code === 'EEXIST'
        ? 'it already exists and is not overwritten; choose another file'
        : code === 'ENOENT'
          ? 'its directory does not exist; create it, or choose another file'
          : `${message}; choose another file`;
    throw new Refusal(`${escapeName(name)} cannot be written: ${reason}. Nothing was written.`, {
      cause: error,
    });
  }
}

function sync(file: string): void {
  const handle = fs.openSync(file, 'r');
  try {
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}
