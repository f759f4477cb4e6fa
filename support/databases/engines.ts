// What the tests ask of a database engine.
import type { Environment } from '../../src/config.ts';

export const ENGINES = ['sqlite', 'postgres'] as const;
export type EngineName = (typeof ENGINES)[number];

/** Where a database is: that of the folder, unless the environment names another. */
export type DatabaseLocation = {
  folder: string;
  environment?: Environment;
  /** Nobody has made the database that our program would fill. */
  withoutDatabase?: boolean;
};

export type Row = Record<string, unknown>;
/** A connection that is none of ours, as an operator's shell or somebody else's program has it. */
export type Session = Readonly<{
  query: (statement: string) => Promise<Row[]>;
  /** How many rows the statement wrote. */
  execute: (statement: string) => Promise<number>;
  tables: () => Promise<string[]>;
  close: () => Promise<void>;
}>;

export type Engine = Readonly<{
  url: (folder: string) => string;
  /** Makes the empty database that has to be there before our program can work on it. */
  provide: (folder: string) => Promise<void>;
  /** Makes one with the schema in it, unless there is one: a copy, which takes less time than to make it again. */
  provideMigrated: (folder: string) => Promise<void>;
  /** Fills it from a copy of a whole database: the file of SQLite, or the dump of PostgreSQL as plain SQL. */
  restore: (folder: string, copy: Buffer) => Promise<void>;
  connect: (folder: string) => Promise<Session>;
  /** Has anybody made something there? */
  exists: (folder: string) => Promise<boolean>;
  /** Makes the database impossible to read; returns what gives it back. */
  makeUnavailable: (folder: string) => Promise<() => Promise<void>>;
  /** How our program names the database. */
  describe: (folder: string) => string;
  /** How our program refuses to work where there is no database. */
  missing: RegExp;
  /** How long a running server may go on with what it has read, and the same in words. */
  stale: Readonly<{ msMax: number; words: string }>;
}>;
