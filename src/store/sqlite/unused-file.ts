import { existsSync, realpathSync, rmSync, statSync } from 'node:fs';

/** A table needs a second page. */
const FIRST_PAGE_BYTES = 4096;

/**
 * Deletes the file of a database that was created and got no table: otherwise the next command would take it for the
 * database that it looks for. Not if another process has the database open, which then has a log file next to it.
 */
export function deleteUnused(name: string): void {
  try {
    const file = realpathSync(name);
    if (statSync(file).size <= FIRST_PAGE_BYTES && !existsSync(`${file}-wal`)) rmSync(file);
  } catch {
    // It was not created, or may not be deleted. An empty file does less harm than an error that hides the first one.
  }
}
