// What a command is given: where it runs, where it writes, and how it reaches the database.
import { type Config, type DatabaseUrls, type Environment, loadConfig } from '../config.ts';
import type { Reader, Writer } from '../store/engine/engine.ts';
import { describeFailure, isUnavailable } from '../store/engine/failures.ts';
import { engineOf, openReader } from '../store/engine/open.ts';
import { migrate, requireCurrentSchema, schemaState } from '../store/migrate/migrate.ts';
import { escapeControls, writePlainJson } from './terminal/plain.ts';

export type Cli = Readonly<{
  environment: Environment;
  folder: string;
  /** Standard output: what the command was asked for. Who prints much waits until it is taken. */
  print: (text: string) => void | Promise<void>;
  /** How wide the window is that standard output goes to; absent where it goes elsewhere. */
  columns?: () => number;
  /** Standard error: what it says on the way. */
  say: (text: string) => void;
  /** Standard error, if it is a terminal. */
  terminal?: Readonly<{
    columns: () => number;
    draw: (text: string) => void;
    /** Does standard output go there, too? */
    isPrintedTo: boolean;
  }>;
  /** Asks whoever sits at the terminal; absent where nobody could answer. What is hidden is not shown as it is typed. */
  ask?: (question: string, options?: { hidden?: boolean }) => Promise<string>;
  standardInput: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  now: () => string;
  /** Ends the process at once. */
  exit: (code: number) => never;
}>;

export function configOf(cli: Cli): Config {
  return loadConfig(cli.environment, cli.folder);
}

/** Prints a result for a program, or else for a person. */
export function printResult(
  cli: Cli,
  options: { json?: boolean },
  value: unknown,
  forPeople: () => string,
): void {
  void cli.print(options.json ? writePlainJson(value, 2) : forPeople());
}

/** What a person is told of a failure: one line. */
export function messageFor(error: unknown): string {
  const failure = describeFailure(error);
  const message = failure === null ? (error as Error).message : `the database failed: ${failure}`;
  return escapeControls(message.replaceAll(/\s*\n\s*/g, ' '));
}

export async function withReader<T>(cli: Cli, read: (db: Reader) => Promise<T>): Promise<T> {
  // The first, which is written to: a person expects to see what the last command did.
  const db = await openReader(configOf(cli).databaseUrls[0]);
  try {
    await requireCurrentSchema(db);
    return await read(db);
  } finally {
    await db.destroy();
  }
}

/**
 * Runs in one transaction, the schema's update included: done completely, or, if it throws, not at all. A rehearsal,
 * which always throws, leaves no database behind where there was none.
 */
export async function withWriter<T>(
  cli: Cli,
  write: (trx: Writer) => Promise<T>,
  { create = false, rehearsal = false } = {},
): Promise<T> {
  const { databaseUrls, autoMigrate } = configOf(cli);
  const [url] = databaseUrls;
  const engine = await engineOf(url);
  const mayCreate = create && autoMigrate;
  const db =
    (rehearsal && mayCreate ? engine.openScratch(url) : null) ??
    engine.openWriter(url, { create: mayCreate });
  try {
    return await db.transaction().execute(async (trx) => {
      if (autoMigrate) await migrate(trx);
      else await requireCurrentSchema(trx);
      return await write(trx);
    });
  } finally {
    await db.destroy();
  }
}

/** Makes the database and brings its schema up to date, where that is needed and allowed. */
export async function prepareDatabase(cli: Cli): Promise<void> {
  if (!(await isCurrent(configOf(cli).databaseUrls))) await withWriter(cli, async () => {}, { create: true });
}

/** Is there a database that can be served as it is? Looks without writing; a replica knows as well as the first. */
async function isCurrent([url, ...others]: DatabaseUrls): Promise<boolean> {
  const engine = await engineOf(url);
  if (!engine.exists(url)) return false;
  const db = engine.openReader(url, {});
  try {
    return (await schemaState(db)) === 'current' && (await engine.isReadyToServe(db));
  } catch (error) {
    const [next, ...rest] = others;
    if (next === undefined || !isUnavailable(error)) throw error;
    return await isCurrent([next, ...rest]);
  } finally {
    await db.destroy();
  }
}
