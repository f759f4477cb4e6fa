// Puts a copy of the database in its place.
import { existsSync, linkSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { damageOf } from '../engine/failures.ts';
import { SIDECARS } from './copies.ts';
import Sqlite from './driver.ts';
import { copyPages, type OnCopied } from './pages.ts';

const LOCK_MS_MAX = 30_000;
const LOCK_RETRY_MS = 50;
const CHECKPOINT_MS_MAX = 1_000;

/**
 * SQLite itself writes the pages into the database, in one transaction: nobody sees a part of it, and after a failure
 * nothing has changed. A new file with the name of the old one would be read with the log of the old one, and what others
 * commit to the old one would be lost.
 */
export async function writeContent(target: string, copy: string, onCopied: OnCopied): Promise<void> {
  const source = new Sqlite(copy);
  try {
    takePageSizeOf(target, source);
    const giveUpAt = performance.now() + LOCK_MS_MAX;
    while (!(await copyPages(source, target, onCopied))) {
      if (performance.now() > giveUpAt) throw new Sqlite.SqliteError('database is locked', 'SQLITE_BUSY');
      onCopied(0, statSync(copy).size);
      await setTimeout(LOCK_RETRY_MS);
    }
  } finally {
    source.close();
  }
  // It is committed: now the log and the file need the space.
  rmSync(copy);
  moveIntoFile(target);
}

/** A database in WAL mode cannot change its own. */
function takePageSizeOf(target: string, source: Sqlite.Database): void {
  const database = new Sqlite(target, { readonly: true, timeout: LOCK_MS_MAX });
  const wanted = database.pragma('page_size', { simple: true });
  database.close();
  if (source.pragma('page_size', { simple: true }) === wanted) return;
  source.pragma('journal_mode = delete');
  source.pragma(`page_size = ${wanted}`);
  source.exec('vacuum');
}

/** Not twice the space for long. Readers or a full disk may prevent that: the log has everything, and others move it later. */
function moveIntoFile(target: string): void {
  const database = new Sqlite(target, { timeout: CHECKPOINT_MS_MAX });
  try {
    database.pragma('synchronous = full');
    database.pragma('wal_checkpoint(truncate)');
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError)) throw error;
  } finally {
    database.close();
  }
}

/** False if it is not a database, or its first page is damaged. Throws if that cannot be known. */
export function canOpen(open: () => Sqlite.Database): boolean {
  try {
    open().close();
    return true;
  } catch (error) {
    if (damageOf(error) === null) throw error;
    return false;
  }
}

/** The database keeps its name too, until another file takes it: a server that starts in between would create one. */
export function keepOld(name: string, suffix: string): string | null {
  const isThere = existsSync(name);
  const database = isThere ? realpathSync(name) : name;
  const old = database + suffix;
  if (isThere) linkSync(database, old);
  const found = SIDECARS.filter((sidecar) => existsSync(database + sidecar));
  for (const sidecar of found) renameSync(database + sidecar, old + sidecar);
  return isThere || found.length > 0 ? old : null;
}
