// The only file that knows which database engine the tests run on: TEST_ENGINE, by default SQLite.
import {
  type DatabaseLocation,
  ENGINES,
  type Engine,
  type EngineName,
  type Row,
  type Session,
} from './engines.ts';
import { sqlite } from './sqlite.ts';

export const ENGINE = chooseEngine(process.env.TEST_ENGINE);
const engine: Engine = ENGINE === 'sqlite' ? sqlite : (await import('./postgres.ts')).postgres;

export const NO_DATABASE = engine.missing;
export const STALE = engine.stale;

function chooseEngine(name = 'sqlite'): EngineName {
  const found = ENGINES.find((known) => known === name);
  if (found === undefined) throw new Error(`TEST_ENGINE is "${name}" but must be ${ENGINES.join(' or ')}`);
  return found;
}

export function databaseUrl({ folder }: DatabaseLocation): string {
  return engine.url(folder);
}

export function describeDatabase({ folder }: DatabaseLocation): string {
  return engine.describe(folder);
}

/** Makes the database unreadable, for open connections too; returns a function that restores it. */
export async function makeUnavailable({ folder }: DatabaseLocation): Promise<() => Promise<void>> {
  return await engine.makeUnavailable(folder);
}

/** The environment of a program that runs there; creates the empty database that it names. */
export async function environmentOf(sandbox: DatabaseLocation) {
  const environment = { DATABASE_URL: databaseUrl(sandbox), ...sandbox.environment };
  if (!sandbox.withoutDatabase && environment.DATABASE_URL === databaseUrl(sandbox))
    await engine.provide(sandbox.folder);
  return environment;
}

/** Creates a database with the schema, unless one exists. */
export async function provideMigrated({
  folder,
  environment,
  withoutDatabase,
}: DatabaseLocation): Promise<void> {
  if (!withoutDatabase && environment?.DATABASE_URL === undefined) await engine.provideMigrated(folder);
}

/** Fills the database from a copy of a whole one. */
export async function restore({ folder }: DatabaseLocation, copy: Buffer): Promise<void> {
  await engine.restore(folder, copy);
}

/** A connection outside the program, for tests that write a lot. The caller closes it. */
export async function openSession({ folder }: DatabaseLocation): Promise<Session> {
  return await engine.connect(folder);
}

/** The rows of a query in plain SQL. */
export async function query<T = Row>(sandbox: DatabaseLocation, statement: string): Promise<T[]> {
  return await withSession(sandbox, (session) => session.query(statement) as Promise<T[]>);
}

/** Runs plain SQL that bypasses the program; returns the number of rows written. */
export async function execute(sandbox: DatabaseLocation, statement: string): Promise<number> {
  return await withSession(sandbox, (session) => session.execute(statement));
}

export type Dump = Record<string, Row[]>;

/** Every row of every table, or null if there is no database. */
export async function dump(sandbox: DatabaseLocation): Promise<Dump | null> {
  if (!(await engine.exists(sandbox.folder))) return null;
  return await withSession(sandbox, async ({ tables, query }) => {
    const found: Dump = {};
    for (const table of await tables()) found[table] = inOrder(await query(`select * from ${table}`));
    return found;
  });
}

function inOrder(rows: readonly Row[]): Row[] {
  const write = (row: Row) => JSON.stringify(row);
  return rows.toSorted((a, b) => (write(a) < write(b) ? -1 : 1));
}

async function withSession<T>(
  { folder }: DatabaseLocation,
  use: (session: Session) => Promise<T>,
): Promise<T> {
  await engine.provide(folder);
  const session = await engine.connect(folder);
  try {
    return await use(session);
  } finally {
    await session.close();
  }
}
