// SQLite: a file, opened within this process.
import { statSync } from 'node:fs';
import path from 'node:path';
import { Kysely, sql } from 'kysely';
import { COMMAND } from '../../command-name.ts';
import { Refusal } from '../../errors.ts';
import { makeFolder } from '../../make-folder.ts';
import { asReader, type Engine, type OpenOptions, type Reader, type Writer } from '../engine/engine.ts';
import { describeFailure } from '../engine/failures.ts';
import { DirectReader } from '../engine/prepared.ts';
import { pollTouches } from '../engine/revisions.ts';
import { requireCopy, requireReplaceable } from './copies.ts';
import { describeDamage } from './damage.ts';
import { readDialect, WRITE_AHEAD, writeDialect } from './dialect.ts';
import Sqlite from './driver.ts';
import { requireOwnSchema } from './own-schema.ts';
import { copyPages, type OnCopied } from './pages.ts';
import { canOpen, keepOld, writeContent } from './restore.ts';
import { deleteUnused } from './unused-file.ts';
import { watchFile } from './watch-file.ts';

/** While a read waits for a lock, the whole process waits. Only crash recovery locks out readers. */
const READER_BUSY_MS = 50;
const WRITER_BUSY_MS = 30_000;
/** Ids are random, so a large document writes to pages all over their indexes. */
const WRITER_CACHE_KIB = 32 * 1024;
/** The system caches the file, too: with the 16 MB that are the default, queries take about as long. */
const READER_CACHE_BYTES = 4 * 1024 * 1024;
const READER_PRAGMAS = ['query_only = on', `cache_size = -${READER_CACHE_BYTES / 1024}`];
/** Committed data survives a power failure. */
const WRITER_PRAGMAS = ['synchronous = full', `cache_size = -${WRITER_CACHE_KIB}`];
export const sqlite: Engine = {
  openReader: (url, options) => connectReader(openToRead(url), options),
  openWriter: (url, { create }) => {
    const file = fileOf(url);
    if (!create) requireFile(file);
    const isNew = !mayExist(file);
    const onClosed = isNew ? () => deleteUnused(file) : () => {};
    // The mode of an existing file is not changed before it is clear that it is not another program's.
    const pragmas = isNew ? [WRITE_AHEAD, ...WRITER_PRAGMAS] : WRITER_PRAGMAS;
    // A new file and its folder are for their owner alone: it has drafts and hashes of keys.
    const umask = isNew ? process.umask(0o077) : null;
    try {
      return connectWriter(openFile(file, { timeout: WRITER_BUSY_MS }, pragmas), onClosed);
    } catch (error) {
      onClosed();
      throw error;
    } finally {
      if (umask !== null) process.umask(umask);
    }
  },
  openRecorder: (url, { isDurable } = { isDurable: false }) => {
    const file = fileOf(url);
    requireFile(file);
    return connectWriter(openFile(file, { timeout: 0 }, [`synchronous = ${isDurable ? 'full' : 'normal'}`]));
  },
  openScratch: (url) => (mayExist(fileOf(url)) ? null : connectWriter(new Sqlite(':memory:'))),
  exists: (url) => mayExist(fileOf(url)),
  describe: fileOf,
  fileOf,
  /** A copy made with `vacuum into` is not in this mode. */
  isReadyToServe: async (db) => (await readPragma(db, 'journal_mode')) === 'wal',
  checkIntegrity: async (db) => {
    const damage = describeDamage(await readPragma(db, 'quick_check(1)'));
    if (damage !== null) return damage;
    const orphans = await readPragma(db, 'foreign_key_check');
    return orphans === undefined ? null : `rows of ${orphans} refer to rows that do not exist`;
  },
  /** `doctor` checks the permissions of the file itself. */
  whyNotWritable: async () => null,
  rightsOf: async () => ({ unreadable: [], mayWriteContent: true }),
  watch: (url) => {
    const watched = watchFile(fileOf(url));
    const database = openToRead(url);
    // Records the sidecar files, which exist from here on.
    watched.isSameFile();
    const version = database.prepare('pragma data_version').pluck();
    const db = connectReader(database, {});
    return {
      commits: () => version.get() as number,
      poll: (since) => pollTouches(db, since),
      db,
      ...watched,
    };
  },
  backup: (url) => ({
    requireReplaceable: (file, name) => requireReplaceable(fileOf(url), file, name),
    copyTo: (file, onCopied) => {
      requireFile(fileOf(url));
      const database = openFile(fileOf(url), { readonly: true, timeout: WRITER_BUSY_MS }, []);
      return copyDatabase(database, file, onCopied);
    },
  }),
  restore: (url) => {
    const file = fileOf(url);
    return {
      requireCopy: (copy, name) => requireCopy(file, copy, name),
      openCopy: (copy) => connectWriter(openFile(copy, {}, [])),
      requireOwnSchema,
      isUsable: () => mayExist(file) && canOpen(() => openFile(file, { timeout: WRITER_BUSY_MS }, [])),
      write: (copy, onCopied) => writeContent(file, copy, onCopied),
      keepOld: (suffix) => keepOld(file, suffix),
    };
  },
  poolOf: () => null,
};

/**
 * Copies page by page, and closes the database. The open transaction keeps the state that it has seen: without it, every
 * commit of another process would make SQLite start again.
 */
async function copyDatabase(database: Sqlite.Database, file: string, onCopied: OnCopied): Promise<void> {
  try {
    database.exec('begin');
    database.prepare('select count(*) from sqlite_schema').get();
    await copyPages(database, file, onCopied);
  } finally {
    database.close();
  }
  requireIntact(file, database.name);
}

/** Pages are copied unchecked, and a damaged copy must not replace an intact one. */
function requireIntact(copy: string, original: string): void {
  const database = new Sqlite(copy);
  try {
    const damage = describeDamage(database.pragma('quick_check(1)', { simple: true }));
    if (damage !== null)
      throw new Refusal(
        `the database ${original} is damaged: ${damage}. No copy was made; restore an older one.`,
      );
  } finally {
    database.close();
  }
}

function fileOf(url: string): string {
  return path.resolve(url.slice('sqlite:'.length));
}

function openToRead(url: string): Sqlite.Database {
  const file = fileOf(url);
  requireFile(file);
  return openFile(file, { readonly: true, timeout: READER_BUSY_MS }, READER_PRAGMAS);
}

function connectReader(database: Sqlite.Database, { onQuery }: OpenOptions) {
  return asReader(
    new DirectReader({
      dialect: readDialect(database),
      prepareStatement: (text) => {
        const statement = database.prepare(text);
        return (parameters) => statement.all(parameters);
      },
      close: () => database.close(),
      onQuery,
    }),
  );
}

function connectWriter(database: Sqlite.Database, onClosed = () => {}): Writer {
  database.pragma('foreign_keys = on');
  return new Kysely({ dialect: writeDialect(database, onClosed) });
}

export async function openMemory(fill: (trx: Writer) => Promise<void>): Promise<Reader & AsyncDisposable> {
  const database = new Sqlite(':memory:');
  try {
    await connectWriter(database).transaction().execute(fill);
  } catch (error) {
    database.close();
    throw error;
  }
  return connectReader(database, {});
}

/** The first value that a pragma returns. */
async function readPragma(db: Reader, pragma: string): Promise<unknown> {
  const query = sql<Record<string, unknown>>`pragma ${sql.raw(pragma)}`;
  const { rows } = await query.execute(db as unknown as Writer);
  return Object.values(rows[0] ?? {})[0];
}

function openFile(file: string, options: Sqlite.Options, pragmas: readonly string[]): Sqlite.Database {
  let database: Sqlite.Database | null = null;
  try {
    if (!options.readonly) makeFolder(path.dirname(file));
    database = new Sqlite(file, options);
    // Opening is lazy: this is the first access to the file.
    database.pragma('schema_version');
    for (const pragma of pragmas) database.pragma(pragma);
    return database;
  } catch (error) {
    database?.close();
    const reason = describeFailure(error) ?? `${(error as Error).message}; check DATABASE_URL.`;
    throw new Refusal(`the database ${file} cannot be opened: ${reason}`, { cause: error });
  }
}

function requireFile(file: string): void {
  if (!mayExist(file))
    throw new Refusal(
      `there is no database at ${file}; check DATABASE_URL, the directory and the user, or create one with \`${COMMAND} init\` or \`${COMMAND} migrate\`.`,
    );
}

/** A file in a directory that this user may not enter is not missing. */
function mayExist(file: string): boolean {
  try {
    statSync(file);
    return true;
  } catch (error) {
    return !['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
  }
}
