// Which files a copy of the database may replace, and which may be such a copy.
import { closeSync, openSync, readSync, realpathSync, type Stats, statSync } from 'node:fs';
import { COMMAND } from '../../command-name.ts';
import { Refusal } from '../../errors.ts';

const HEADER = Buffer.from('SQLite format 3\0');
/** Files that SQLite finds by name next to a database. It would apply the first two to a copy in its place. */
export const SIDECARS = ['-wal', '-journal', '-shm'] as const;
const [WAL, JOURNAL] = SIDECARS;

/** Throws unless the file is missing, empty or an older copy that nothing uses. */
export function requireReplaceable(database: string, target: string, name: string): void {
  const found = look(target);
  if (isOneOf(filesOf(database), target, found))
    throw new Refusal(`${name} is the database itself, or belongs to it; choose another file.`);
  if (found?.isDirectory())
    throw new Refusal(`${name} is a directory; name a file in it, such as ${name}/changelog.db.`);
  if (found !== null && !(found.isFile() && (found.size === 0 || isDatabase(target))))
    throw new Refusal(`${name} exists and is not a copy of a database; choose another file.`);
  requireClosed(target, name, 'choose another file');
}

/** Throws unless the file is a database that nothing uses, and not the one to restore. */
export function requireCopy(database: string, copy: string, name: string): void {
  const found = look(copy);
  if (isOneOf(filesOf(database), copy, found))
    throw new Refusal(`${name} is the database itself, or belongs to it; name a backup of it.`);
  if (!found?.isFile() || !isDatabase(copy))
    throw new Refusal(
      `${name} ${found === null ? 'does not exist, or this user may not see it' : 'is not a SQLite database that this user can read'}; name a file that \`${COMMAND} backup\` made.`,
    );
  requireClosed(copy, name, `copy it with \`${COMMAND} backup\` first, with DATABASE_URL=sqlite:${name}`);
}

function requireClosed(file: string, name: string, advice: string): void {
  for (const suffix of [WAL, JOURNAL])
    if ((look(file + suffix)?.size ?? 0) > 0)
      throw new Refusal(
        `${name} is in use as a database, or was not closed: ${name}${suffix} is not empty; ${advice}.`,
      );
}

function filesOf(database: string): string[] {
  const real = look(database) === null ? database : realpathSync(database);
  return ['', ...SIDECARS].map((suffix) => real + suffix);
}

/** True also for another name of the same file. */
function isOneOf(files: readonly string[], target: string, found: Stats | null): boolean {
  return files.some((file) => {
    const other = found === null ? null : look(file);
    return file === target || (other !== null && other.dev === found?.dev && other.ino === found.ino);
  });
}

/** Null if the file does not exist, or this user may not see it. */
function look(file: string): Stats | null {
  try {
    return statSync(file);
  } catch {
    return null;
  }
}

/** False also for a file that this user may not read. */
function isDatabase(file: string): boolean {
  const head = Buffer.alloc(HEADER.length);
  try {
    const handle = openSync(file, 'r');
    readSync(handle, head);
    closeSync(handle);
  } catch {
    return false;
  }
  return head.equals(HEADER);
}
