// The only file that knows which database engine the tests run on: TEST_ENGINE, by default SQLite.
import { sharedScope, temporaryFolder } from '../processes/scope.ts';
import {
  type DatabaseLocation,
  ENGINES,
  type Engine,
  type EngineName,
  type Row,
  type Session,
} from './engines.ts';
import { makeSchema } from './schema.ts';
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

type Fill<T> = (sandbox: DatabaseLocation) => Promise<T>;
type Pattern<T> = Readonly<{ folder: string; filled: T }>;

/** Databases that tests get copies of, which is faster than filling their own; made once in a process. */
const patterns = new Map<Fill<unknown>, Promise<Pattern<unknown>>>();
const scope = sharedScope();

function patternOf<T>(fill: Fill<T>): Promise<Pattern<T>> {
  const making = patterns.get(fill) ?? makePattern(fill);
  patterns.set(fill, making);
  return making as Promise<Pattern<T>>;
}

async function makePattern<T>(fill: Fill<T>): Promise<Pattern<T>> {
  const folder = temporaryFolder(scope);
  return { folder, filled: await fill({ folder }) };
}

/** Creates a database with the schema, unless one exists. */
export async function provideMigrated(sandbox: DatabaseLocation): Promise<void> {
  if (isOwn(sandbox)) await engine.provideCopy(sandbox.folder, (await patternOf(makeMigrated)).folder);
}

async function makeMigrated({ folder }: DatabaseLocation): Promise<void> {
  await engine.provide(folder);
  await makeSchema(engine.url(folder));
}

/** Fills the database: a new one as a copy of one that was filled before. Returns what `fill` returned. */
export async function provideFilled<T>(sandbox: DatabaseLocation, fill: Fill<T>): Promise<T> {
  if (!isOwn(sandbox)) return await fill(sandbox);
  const { folder, filled } = await patternOf(fill);
  return (await engine.provideCopy(sandbox.folder, folder)) ? filled : await fill(sandbox);
}

const isOwn = ({ environment, withoutDatabase }: DatabaseLocation) =>
  !withoutDatabase && environment?.DATABASE_URL === undefined;

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
  run: (session: Session) => Promise<T>,
): Promise<T> {
  await engine.provide(folder);
  return await engine.use(folder, run);
}
