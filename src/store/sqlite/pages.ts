import type Sqlite from './driver.ts';

/** Between two steps, a signal can stop the copy. */
const PAGES_A_STEP = 1_000;

export type OnCopied = (bytes: number, wholeBytes: number) => void;

/** Copies all pages to another database, in one transaction there. False if another process has the lock of that one. */
export async function copyPages(
  database: Sqlite.Database,
  target: string,
  onCopied: OnCopied,
): Promise<boolean> {
  const pageBytes = database.pragma('page_size', { simple: true }) as number;
  const { totalPages } = await database.backup(target, {
    progress: ({ totalPages, remainingPages }) => {
      onCopied((totalPages - remainingPages) * pageBytes, totalPages * pageBytes);
      return PAGES_A_STEP;
    },
  });
  // The driver takes "locked" at the first step for "nothing left to copy".
  return totalPages > 0;
}
