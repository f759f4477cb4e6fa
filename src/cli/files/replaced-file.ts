import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { Refusal } from '../../errors.ts';

const OWNER_ONLY = 0o600;
const ROOT = 0;
/** As many as Linux follows. */
const LINKS_MAX = 40;

type Owned = Readonly<{ uid: number }>;

/**
 * Lets `write` fill an empty file that only its owner can read, and then puts that file in the place of `target`, all at
 * once and for good. If anything fails, `target` stays as it was, and nothing else is left. The file is in a directory of
 * its own: in one that others may write to, such as /tmp, they could put a journal or a link next to it.
 */
export async function replaceFile<T>(target: string, write: (file: string) => Promise<T>): Promise<T> {
  const folder = path.dirname(target);
  const own = createFolderIn(folder);
  try {
    const temporary = path.join(own, path.basename(target));
    closeSync(openSync(temporary, 'wx', OWNER_ONLY));
    const result = await write(temporary);
    sync(temporary);
    renameSync(temporary, target);
    syncFolder(folder);
    return result;
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** The file that a name leads to, also if it does not exist yet: symbolic links are followed and never replaced. */
export function resolveTarget(folder: string, name: string): string {
  const file = path.resolve(folder, name);
  try {
    return follow(file, LINKS_MAX);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    // Whatever is wrong, creating a file there says so.
    return file;
  }
}

/** Unlike `realpath`, this looks at the owner of each link, and the file may be missing. */
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
 * In a directory that all users write to, such as /tmp, anyone can put a link in the place of the file. Linux has the same
 * rule (`fs.protected_symlinks`), but not for links that a program follows itself.
 */
export function mayFollow(user: number | undefined, link: Owned, folder: Owned): boolean {
  return [user, folder.uid, ROOT].includes(link.uid);
}

function createFolderIn(folder: string): string {
  try {
    return mkdtempSync(path.join(folder, '.changelog-'));
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
    // The file is complete and in its place.
  }
}
