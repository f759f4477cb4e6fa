// Copies of a database: backups, and their way back into its place.
import { closeSync, existsSync, openSync, readSync, realpathSync, rmSync, statSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { COMMAND } from '../../command-name.ts';
import { Refusal } from '../../errors.ts';
import { identityOf, look, SIDECARS } from './files.ts';
import { connectWriter, describeDamage, openFile, WRITER_BUSY_MS } from './sqlite.ts';

const HEADER = Buffer.from('SQLite format 3\0');
/** Between two steps, a signal can stop the copy. */
const PAGES_A_STEP = 1_000;
const LOCK_RETRY_MS = 50;
const CHECKPOINT_MS_MAX = 1_000;

type OnCopied = (bytes: number, wholeBytes: number) => void;

/** Throws unless the file is missing, empty or an older copy that nothing uses. */
export function requireReplaceable(database: string, target: string, name: string): void {
  const found = look(target);
  if (found?.isDirectory())
    throw new Refusal(`${name} is a directory; name a file in it, such as ${name}/changelog.db.`);
  requireUnused(database, target, name, 'choose another file');
  if (found !== null && !(found.isFile() && found.size === 0) && !isDatabase(target))
    throw new Refusal(`${name} exists and is not a copy of a database; choose another file.`);
}

/** Throws unless the file is a database that nothing uses, and not the one to restore. */
export function requireCopy(database: string, copy: string, name: string): void {
  const advice = `name a file that \`${COMMAND} backup\` made`;
  requireUnused(database, copy, name, advice);
  if (!isDatabase(copy))
    throw new Refusal(
      `${name} does not exist, or is not a SQLite database that this user can read; ${advice}.`,
    );
}

/** A file may have several names. */
function requireUnused(database: string, file: string, name: string, advice: string): void {
  const real = existsSync(database) ? realpathSync(database) : database;
  const identity = identityOf(file);
  for (const own of ['', ...SIDECARS].map((suffix) => real + suffix))
    if (own === file || (identity !== null && identityOf(own) === identity))
      throw new Refusal(`${name} is the database itself, or belongs to it; ${advice}.`);
  for (const suffix of ['-wal', '-journal'])
    if ((look(file + suffix)?.size ?? 0) > 0)
      throw new Refusal(
        `${name} is in use as a database, or was not closed: ${name}${suffix} is not empty; ${advice}.`,
      );
}

/** False also for a file that this user may not read. */
function isDatabase(file: string): boolean {
  const head = Buffer.alloc(HEADER.length);
  if (!look(file)?.isFile()) return false;
  try {
    const handle = openSync(file, 'r');
    readSync(handle, head);
    closeSync(handle);
  } catch {
    return false;
  }
  return head.equals(HEADER);
}

/**
 * Writes a copy to an empty file. The open transaction keeps the state that it has seen: without it, every commit of
 * another process would make SQLite start again. Writers go on; readers are not delayed.
 */
export async function copyDatabase(file: string, copy: string, onCopied: OnCopied): Promise<void> {
  using database = closing(openFile(file, { readonly: true, timeout: WRITER_BUSY_MS }, []));
  database.exec('begin; select count(*) from sqlite_schema');
  await copyPages(database, copy, onCopied);
  // Pages are copied unchecked, and a damaged copy must not replace an intact one.
  using copied = closing(new Sqlite(copy));
  const damage = describeDamage(copied.pragma('quick_check(1)', { simple: true }));
  if (damage !== null)
    throw new Refusal(`the database ${file} is damaged: ${damage}. No copy was made; restore an older one.`);
}

/** Copies all pages to another database, in one transaction there. False if another process has the lock of that one. */
async function copyPages(database: Sqlite.Database, target: string, onCopied: OnCopied): Promise<boolean> {
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

/** Opens such a file, to check and to update it. */
export const openCopy = (copy: string) => connectWriter(openFile(copy, {}, []));

/**
 * Replaces all content, after waiting for the transaction of another writer. Readers and writers that have the database
 * open go on with the new content: SQLite itself writes the pages, in one transaction. A new file with the name of the old
 * one would be read with the log of the old one, and what others commit to the old one would be lost.
 */
export async function writeContent(target: string, copy: string, onCopied: OnCopied): Promise<void> {
  {
    using source = closing(new Sqlite(copy));
    const giveUpAt = performance.now() + WRITER_BUSY_MS;
    while (!(await copyPages(source, target, onCopied))) {
      if (performance.now() > giveUpAt) throw new Sqlite.SqliteError('database is locked', 'SQLITE_BUSY');
      onCopied(0, statSync(copy).size);
      await setTimeout(LOCK_RETRY_MS);
    }
  }
  // It is committed: now the log and the file need the space, but not twice for long.
  rmSync(copy);
  try {
    using database = closing(new Sqlite(target, { timeout: CHECKPOINT_MS_MAX }));
    database.pragma('wal_checkpoint(truncate)');
  } catch {
    // Readers or a full disk may prevent that: the log has everything, and others move it later.
  }
}

/** For `using`. */
const closing = (database: Sqlite.Database): Sqlite.Database & Disposable =>
  Object.assign(database, { [Symbol.dispose]: () => void database.close() });

/**
 * Throws unless the schema of a copy is what these statements make: a foreign trigger or view would decide what is shown.
 * Tables of another program and their indexes may stay next to ours: they do nothing by themselves.
 */
export function requireOwnSchema(copy: string, name: string, statements: readonly string[]): void {
  using own = closing(new Sqlite(':memory:'));
  own.pragma('trusted_schema = off');
  for (const statement of statements) own.exec(statement);
  own.prepare('attach ? as copy').run(copy);
  const differences = own.prepare(DIFFERENCES).pluck().all();
  if (differences.length > 0)
    throw new Refusal(
      `${name} does not have the schema that this program makes; nothing was restored. Foreign, changed or missing: ${differences.join(', ')}. Restore a backup that nothing else has changed.`,
    );
}

const DIFFERENCES = `with expected as (select type, name, tbl_name, sql from main.sqlite_schema),
    found as (select type, name, tbl_name, sql from copy.sqlite_schema)
  select type || ' ' || name from (select * from found except select * from expected)
    where type not in ('table', 'index') or tbl_name in (select tbl_name from expected)
  union select type || ' ' || name from (select * from expected except select * from found) order by 1`;
