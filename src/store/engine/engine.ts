// What the rest of the store asks of a database engine. `open.ts` chooses one by the address of the database.
import type { Kysely, LogEvent } from 'kysely';
import type { ReadonlyKysely } from 'kysely/readonly';
import type { Touch } from '../source/revisions.ts';
import type { Tables } from './schema.ts';

/** A database to read from; nothing can be written through it, neither by type nor by the engine. */
export type Reader = ReadonlyKysely<Tables>;
export type Writer = Kysely<Tables>;

/** A writer can read, too; the library's types keep the two apart. */
export function asReader(db: Writer): Reader {
  return db as unknown as Reader;
}

export type OpenOptions = Readonly<{
  onQuery?: (event: LogEvent) => void;
  /** How many questions may be with a database server at a time. */
  connectionsMax?: number;
  /** How long an answer is waited for; unset: as long as a person at a terminal would. */
  patienceMs?: number;
  /** How long a connection is waited for: a far server takes several round trips for one. Unset: as for an answer. */
  connectMs?: number;
}>;

export type Engine = Readonly<{
  openReader: (url: string, options: OpenOptions) => Reader;
  /** Makes the database if `create` is set and the engine can; one that is not there is otherwise refused. */
  openWriter: (url: string, options: { create: boolean }) => Writer;
  /** A connection that adds to what is there without ever waiting for another writer. */
  openRecorder: (url: string) => Writer;
  /** A database to rehearse in, gone when it is closed; null where there is one already to rehearse in. */
  openScratch: (url: string) => Writer | null;
  /** Could there be a database? An engine that must ask over the network says yes. */
  exists: (url: string) => boolean;
  /** The database in words, without credentials. */
  describe: (url: string) => string;
  /** The file that the database is in, or null if it is not in a file of this machine. */
  fileOf: (url: string) => string | null;
  /** Is it in the mode that writers put it into? */
  isReadyToServe: (db: Reader) => Promise<boolean>;
  /** What the engine finds damaged, or null. */
  checkIntegrity: (db: Reader) => Promise<string | null>;
  /** Why nothing can be written to it, as far as the engine knows, or null. */
  whyNotWritable: (db: Reader) => Promise<string | null>;
  /** What time it is there, or null if its clock is that of this machine. */
  clockMs: (db: Reader) => Promise<number | null>;
  /** A number that changes when anybody commits, where asking costs next to nothing; null where it does not. */
  watch: ((url: string) => CommitWatch) | null;
  /** How a reader's connections stand, or null if it has no pool of them. */
  poolOf: (db: Reader) => PoolView | null;
}>;

/** The connections of a pool, and who waits for one. */
export type PoolView = Readonly<{ open: number; idle: number; waiting: number }>;

export type CommitWatch = Readonly<{
  commits: () => number;
  /** The latest revision, and what was touched after another. */
  poll: (since: number) => Readonly<{ revision: number; touches: Touch[] }>;
  /** Is it still the file that was opened which is in its place? */
  isSameFile: () => boolean;
  /** Removes what the engine keeps beside a file that was replaced: the new one must not be read together with it. */
  removeStaleSidecars: () => void;
  /** For questions about what was committed. */
  db: Reader;
}>;
