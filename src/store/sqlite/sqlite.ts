// SQLite: a file, opened within this process.
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { Kysely, sql } from 'kysely';
import { COMMAND } from '../../command-name.ts';
import { Refusal } from '../../errors.ts';
import { makeFolder } from '../../make-folder.ts';
import { asReader, type Engine, type OpenOptions, type Reader, type Writer } from '../engine/engine.ts';
import { describeFailure } from '../engine/failures.ts';
import { DirectReader } from '../engine/prepared.ts';
import { dialectFor } from './dialect.ts';
import { deleteUnused, mayExist, watchFile } from './files.ts';

/** While a read waits for a lock, the whole process waits. Only crash recovery locks out readers. */
const READER_BUSY_MS = 50;
export const WRITER_BUSY_MS = 30_000;
const RECORDER = { timeout: 0, fileMustExist: true };
/** The system caches the file, too: with the 16 MB that are the default, queries take about as long. */
const READER_CACHE_BYTES = 4 * 1024 * 1024;
const READER_PRAGMAS = ['query_only = on', `cache_size = -${READER_CACHE_BYTES / 1024}`];
/**
 * Committed data survives a power failure, and deleted texts do not stay in the file. 32 MiB, because ids are random, so a
 * large document writes to pages all over their indexes.
 */
const WRITER_PRAGMAS = ['synchronous = full', 'secure_delete = on', 'cache_size = -32768'];

export const sqlite: Engine = {
  openReader: (url, options) => connectReader(openToRead(url), options),
  openWriter: (url, { create }) => {
    const file = fileOf(url);
    const onClosed = mayExist(file) ? () => {} : () => deleteUnused(file);
    const options = { timeout: WRITER_BUSY_MS, fileMustExist: !create };
    // A new file and its folder are for their owner alone: it has drafts and hashes of keys.
    const umask = process.umask(0o077);
    try {
      return connectWriter(openFile(file, options, WRITER_PRAGMAS), onClosed);
    } catch (error) {
      onClosed();
      throw error;
    } finally {
      process.umask(umask);
    }
  },
  openRecorder: (url, { isDurable } = { isDurable: false }) =>
    connectWriter(openFile(fileOf(url), RECORDER, [`synchronous = ${isDurable ? 'full' : 'normal'}`])),
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
  rightsOf: async () => ({ unreadable: [], mayWriteContent: true, whyNotWritable: null }),
  watch: (url) => {
    const isSameFile = watchFile(fileOf(url));
    const database = openToRead(url);
    // Records the sidecar files, which exist from here on.
    isSameFile();
    const version = database.prepare('pragma data_version').pluck();
    return { commits: () => version.get() as number, db: connectReader(database, {}), isSameFile };
  },
  ownTools: null,
};

/** What SQLite's quick check found, in one line, or null. */
export function describeDamage(verdict: unknown): string | null {
  return verdict === 'ok' ? null : String(verdict).replace(/^\*{3} in database \w+ \*{3}\s*/, '');
}

function fileOf(url: string): string {
  return path.resolve(url.slice('sqlite:'.length));
}

function openToRead(url: string): Sqlite.Database {
  return openFile(fileOf(url), { readonly: true, timeout: READER_BUSY_MS }, READER_PRAGMAS);
}

function connectReader(database: Sqlite.Database, { onQuery }: OpenOptions) {
  return asReader(
    new DirectReader({
      dialect: dialectFor(database, 'read'),
      prepareStatement: (text) => {
        const statement = database.prepare(text);
        return (parameters) => statement.all(parameters);
      },
      close: () => database.close(),
      onQuery,
    }),
  );
}

export function connectWriter(database: Sqlite.Database, onClosed = () => {}): Writer {
  database.pragma('foreign_keys = on');
  return new Kysely({ dialect: dialectFor(database, 'write', onClosed) });
}

/** A database in memory, for a dry run without a database. */
export const openScratch = () => connectWriter(new Sqlite(':memory:'));

/** The first value that a pragma returns. */
async function readPragma(db: Reader, pragma: string): Promise<unknown> {
  const query = sql<Record<string, unknown>>`pragma ${sql.raw(pragma)}`;
  const { rows } = await query.execute(db as unknown as Writer);
  return Object.values(rows[0] ?? {})[0];
}

export function openFile(file: string, options: Sqlite.Options, pragmas: readonly string[]): Sqlite.Database {
  const mustExist = options.readonly === true || options.fileMustExist === true;
  if (mustExist && !mayExist(file))
    throw new Refusal(
      `there is no database at ${file}; check DATABASE_URL, the directory and the user, or create one with \`${COMMAND} init\` or \`${COMMAND} migrate\`.`,
    );
  let database: Sqlite.Database | null = null;
  try {
    if (!mustExist) makeFolder(path.dirname(file));
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
