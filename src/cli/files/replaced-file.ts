import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { DAY_MS } from '../../domain/timestamp.ts';
import { Refusal } from '../../errors.ts';
import { isRunning } from '../../site/staging.ts';

const OWNER_ONLY = 0o600;
const ROOT = 0;
/** The limit of Linux. */
const LINKS_MAX = 40;
const OWN_FOLDER = /^\.changelog-copy-(.+)-(\d+)-\w{6}$/;

type Owned = Readonly<{ uid: number }>;

/**
 * Lets `write` fill an empty file, which only its owner can read unless `mode` says otherwise, and then replaces `target`
 * with it atomically. If anything fails, `target` is unchanged and the new file is removed.
 */
export async function replaceFile<T>(
  target: string,
  write: (file: string) => Promise<T>,
  mode = OWNER_ONLY,
): Promise<T> {
  return await withTemporaryFile(
    target,
    async (temporary) => {
      const result = await write(temporary);
      sync(temporary);
      renameSync(temporary, target);
      syncFolder(path.dirname(target));
      return result;
    },
    mode,
  );
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
  const own = createFolderIn(path.dirname(target));
  try {
    const temporary = path.join(own, path.basename(target));
    closeSync(openSync(temporary, 'wx', mode));
    return await work(temporary);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** The directories of commands that were killed. One of another machine or container may be in use for a day. */
export function listLeft(folder: string): string[] {
  try {
    return readdirSync(folder).flatMap((name) => {
      const [, host, pid] = OWN_FOLDER.exec(name) ?? [];
      if (host === undefined) return [];
      const own = path.join(folder, name);
      const { mtimeMs } = statSync(own);
      const isInUse =
        host === hostname() ? isRunning(Number(pid), mtimeMs, DAY_MS) : Date.now() - mtimeMs <= DAY_MS;
      return isInUse ? [] : own;
    });
  } catch {
    // It cannot be listed, or another process has just removed one.
    return [];
  }
}

function removeLeft(folder: string): void {
  try {
    for (const left of listLeft(folder)) rmSync(left, { recursive: true });
  } catch {
    // It may be of another user. `doctor` names it.
  }
}

/** Follows symbolic links to the file to replace, which need not exist, so that no link is replaced. */
export function resolveTarget(folder: string, name: string): string {
  const file = path.resolve(folder, name);
  try {
    return follow(file, LINKS_MAX);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    // Creating the file will fail with the right error.
    return file;
  }
}

/** Unlike `realpath`, this checks the owner of each link, and accepts a missing file. */
function follow(file: string, linksMax: number): string {
  const parent = path.dirname(file);
  if (parent === file) return file;
  const folder = follow(parent, linksMax);
  const place = path.join(folder, path.basename(file));
  const link = lstatSync(place, { throwIfNoEntry: false });
  if (!link?.isSymbolicLink()) return place;
  if (linksMax === 0) throw new Refusal(`${place} leads in a circle of symbolic links; choose another file.`);
  if (!mayFollow(process.getuid?.(), link, statSync(folder)))
    throw new Refusal(
      `${place} is a symbolic link of another user, and is not followed: its owner would choose what is overwritten. Remove it, or choose another file.`,
    );
  return follow(path.resolve(folder, readlinkSync(place)), linksMax - 1);
}

/**
 * In a directory that all users can write to, such as /tmp, anyone can replace the file with a link. Linux has the same
 * rule (`fs.protected_symlinks`), but cannot apply it to links that a program follows itself.
 */
export function mayFollow(user: number | undefined, link: Owned, folder: Owned): boolean {
  return [user, folder.uid, ROOT].includes(link.uid);
}

function createFolderIn(folder: string): string {
  try {
    removeLeft(folder);
    return mkdtempSync(path.join(folder, `.changelog-copy-${hostname()}-${process.pid}-`));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason =
      code === 'ENOENT'
        ? `the directory ${folder} does not exist; create it, or choose another file`
        : `cannot create files in ${folder} (${code}); make it a directory that this user may write to, or choose another file`;
    throw new Refusal(reason, { cause: error });
  }
}

function sync(file: string): void {
  const handle = openSync(file, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Makes the new name survive a power failure, where the file system can. */
function syncFolder(folder: string): void {
  try {
    sync(folder);
  } catch {
    // Not every file system can sync a directory. The file is complete and has its name.
  }
}
