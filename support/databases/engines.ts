// What the tests need from a database engine.
import type { Environment } from '../../src/config.ts';

export const ENGINES = ['sqlite', 'postgres'] as const;
export type EngineName = (typeof ENGINES)[number];

/** Identifies a database: the folder's own, unless the environment names another. */
export type DatabaseLocation = {
  folder: string;
  environment?: Environment;
  /** The database that the program would fill does not exist. */
  withoutDatabase?: boolean;
};

export type Row = Record<string, unknown>;
/** A connection outside the program, like an operator's shell. */
export type Session = Readonly<{
  query: (statement: string) => Promise<Row[]>;
  /** Returns the number of rows written. */
  execute: (statement: string) => Promise<number>;
  tables: () => Promise<string[]>;
  close: () => Promise<void>;
}>;

export type Engine = Readonly<{
  url: (folder: string) => string;
  /** Creates the empty database that must exist before the program can use it. */
  provide: (folder: string) => Promise<void>;
  /** Creates a database as a copy of another folder's, to which nothing is connected; false if there is one already. */
  provideCopy: (folder: string, original: string) => Promise<boolean>;
  connect: (folder: string) => Promise<Session>;
  /** With a session that nothing else uses meanwhile. */
  use: <T>(folder: string, run: (session: Session) => Promise<T>) => Promise<T>;
  /** Whether the database exists and has tables. */
  exists: (folder: string) => Promise<boolean>;
  /** Makes the database unreadable; returns a function that restores it. */
  makeUnavailable: (folder: string) => Promise<() => Promise<void>>;
  /** How the program names the database in messages. */
  describe: (folder: string) => string;
  /** The program's error if there is no database. */
  missing: RegExp;
  /** How long a running server may serve stale content, also as text. */
  stale: Readonly<{ msMax: number; words: string }>;
}>;
