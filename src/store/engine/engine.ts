// The interface of a database engine. `open.ts` chooses one by the database URL.
import type { Kysely } from 'kysely';
import type { ReadonlyKysely } from 'kysely/readonly';
import type { Tables } from './schema.ts';

/** A read-only connection, enforced by its type and by the engine. */
export type Reader = ReadonlyKysely<Tables>;
export type Writer = Kysely<Tables>;

/** A writer can also read, but Kysely's types do not say so. */
export function asReader(db: Writer): Reader & AsyncDisposable {
  return db as unknown as Reader & AsyncDisposable;
}

/** A query that runs. */
export type QueryEvent = Readonly<{ query: Readonly<{ sql: string; parameters: readonly unknown[] }> }>;

export type OpenOptions = Readonly<{
  onQuery?: (event: QueryEvent) => void;
  /** The size of the connection pool. */
  connectionsMax?: number;
  /** The timeout of a query. By default, there is none. */
  patienceMs?: number;
  /** The timeout of connecting, which takes several round trips. By default, that of the commands. */
  connectMs?: number;
}>;

export type Engine = Readonly<{
  openReader: (url: string, options: OpenOptions) => Reader & AsyncDisposable;
  /** Creates a missing database if `create` is set and the engine can; otherwise throws. */
  openWriter: (url: string, options: { create: boolean }) => Writer;
  /** A connection for small writes that does not wait long for another writer. A crash may lose what is not durable. */
  openRecorder: (url: string, options?: { isDurable: boolean }) => Writer;
  /** True if the database may exist. An engine that would have to connect returns true. */
  exists: (url: string) => boolean;
  /** The database for messages, without credentials. */
  describe: (url: string) => string;
  /** The file of the database, or null if it is on a server. */
  fileOf: (url: string) => string | null;
  /** True if the database is in the mode that writers set. */
  isReadyToServe: (db: Reader) => Promise<boolean>;
  /** The damage that the engine finds, or null. */
  checkIntegrity: (db: Reader) => Promise<string | null>;
  /** What the user of the database may do, as far as the engine knows. */
  rightsOf: (db: Reader) => Promise<Rights>;
  /** Watches for commits; null if the engine has no cheap way to notice them. */
  watch: ((url: string) => CommitWatch) | null;
  /** The commands of the server's own tools, without the password; null if the database is a file: see `loadCopies`. */
  ownTools: Readonly<Record<'backup' | 'restore', (url: string, file: string) => readonly string[]>> | null;
}>;

export type Rights = Readonly<{
  /** The tables that a server reads and this user cannot. */
  unreadable: readonly string[];
  mayWriteContent: boolean;
  /** Null if anything can be written. */
  whyNotWritable: string | null;
}>;

/** The connections of a pool, and the number of queries beyond those that usually share them. */
export type PoolView = Readonly<{ open: number; idle: number; waiting: number }>;

export type CommitWatch = Readonly<{
  /** A number that changes with every commit of another connection. */
  commits: () => number;
  /** False if another file has replaced the one that was opened. What belonged to that one is then deleted. */
  isSameFile: () => boolean;
  /** The connection that watches. */
  db: Reader;
}>;
