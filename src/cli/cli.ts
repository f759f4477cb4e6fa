// The environment of a command: its folder, its streams, and access to the database.
import { COMMAND } from '../command-name.ts';
import { type Config, type Environment, loadConfig, withDotEnv } from '../config.ts';
import type { Hook } from '../domain/hook.ts';
import { isNoSpace, Refusal } from '../errors.ts';
import type { Engine, Reader, Rights, Writer } from '../store/engine/engine.ts';
import { describeFailure, isUnavailable } from '../store/engine/failures.ts';
import { engineOf, loadSqlite } from '../store/engine/open.ts';
import { requireKnownSettings } from '../unknown-settings.ts';
import { escapeControls, escapeName } from './terminal/text.ts';

export type Cli = Readonly<{
  environment: Environment;
  folder: string;
  /** Writes to standard output. Commands that print much await it. */
  print: (text: string) => void | Promise<void>;
  /** The width of the terminal; absent if standard output is not a terminal. */
  columns?: () => number;
  /** Writes a line to standard error. */
  say: (text: string) => void;
  /** Absent if standard error is not a terminal. */
  terminal?: Readonly<{ columns: () => number; draw: (text: string) => void }>;
  /** Absent if standard input is not a terminal. */
  ask?: (question: string) => Promise<string>;
  standardInput: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  now: () => string;
  exit: (code: number) => never;
}>;

export function configOf(cli: Cli): Config {
  requireKnownSettings(cli);
  return loadConfig(cli.environment, cli.folder);
}

/** The hooks of the file in `HOOKS`. The demo has none: its content is not news. */
export async function hooksOf({ environment, folder }: Cli, config: Config): Promise<readonly Hook[]> {
  if (config.hooksFile === null || config.demoPage !== null) return [];
  // Loaded here: few commands need the parser.
  const { readHooks } = await import('../hooks/file.ts');
  return readHooks(config.hooksFile, { environment: withDotEnv(environment, folder), folder });
}

/** The message for the user, in one line. */
export function messageFor(error: unknown): string {
  const failure = describeFailure(error);
  const { message } = error as Error;
  if (failure !== null) return inOneLine(`the database failed: ${failure}`);
  if (isNoSpace(error)) return inOneLine(`the disk is full (${message}); free some space and try again.`);
  return inOneLine(message);
}

/** The message for the user, with a line for each further problem. */
export function linesFor(error: unknown): string[] {
  return [messageFor(error), ...(error instanceof Refusal ? error.more.map(inOneLine) : [])];
}

function inOneLine(message: string): string {
  return escapeControls(message.replaceAll(/\s*\n\s*/g, ' '));
}

/** Loaded only when needed: commands without a database start without the query builder. */
const loadMigrate = () => import('../store/migrate/migrate.ts');

export type Place = Readonly<{ engine: Engine; url: string; name: string }>;

export async function placeOf(url: string): Promise<Place> {
  const engine = await engineOf(url);
  return { engine, url, name: engine.describe(url) };
}

/** The database that is written to. A replica might not have the writes of the last command yet. */
export async function primaryOf(cli: Cli): Promise<Place> {
  return await placeOf(configOf(cli).databaseUrls[0]);
}

/** A database file that does not exist is more often the wrong path than a wish for a new database. */
export function requireDatabase({ engine, url, name }: Place): void {
  if (engine.exists(url)) return;
  throw new Refusal(
    `there is no database at ${name}. If a server has one elsewhere, use the DATABASE_URL, the directory and the user of that server; \`${COMMAND} migrate\` would create a new one.`,
  );
}

export function describeCreated(database: string): string {
  return `created ${database}; was that meant? If there is another database, set DATABASE_URL to it, or run this in its directory.`;
}

export async function withReader<T>(cli: Cli, read: (db: Reader) => Promise<T>): Promise<T> {
  const place = await primaryOf(cli);
  requireDatabase(place);
  const { requireCurrentSchema } = await loadMigrate();
  await using db = place.engine.openReader(place.url, {});
  await requireCurrentSchema(db, place.name);
  return await read(db);
}

export type WriteOptions = Readonly<{
  /** Creates a missing database, unless `AUTO_MIGRATE` forbids it. */
  create?: boolean;
  /** Called with the URL, without credentials, if the database was created. By default, it is said. */
  onCreated?: (database: string) => void;
  /** Rolls the transaction back, which is in memory if there is no database yet. */
  isDryRun?: boolean;
}>;

class RollBack extends Error {}

/** Runs `write` in one transaction, which includes the migration of the schema. */
export async function withWriter<T>(
  cli: Cli,
  write: (trx: Writer) => Promise<T>,
  { create = false, onCreated, isDryRun = false }: WriteOptions = {},
): Promise<T> {
  const place = await primaryOf(cli);
  const { engine, url, name: database } = place;
  const { autoMigrate } = configOf(cli);
  if (!create || !autoMigrate) requireDatabase(place);
  const isNew = !engine.exists(url);
  const { migrate, prepareToMigrate, requireCurrentSchema } = await loadMigrate();
  await using db =
    isNew && isDryRun ? (await loadSqlite()).openScratch() : engine.openWriter(url, { create: isNew });
  await prepareToMigrate(db, { database });
  let result: T | undefined;
  const work = async (trx: Writer) => {
    if (autoMigrate) await migrate(trx, { database });
    else await requireCurrentSchema(trx, database);
    result = await write(trx);
    if (isDryRun) throw new RollBack();
  };
  await db
    .transaction()
    .execute(work)
    .catch((error: unknown) => {
      if (!(error instanceof RollBack)) throw error;
    });
  const say = (created: string) => cli.say(`changelog: ${escapeName(describeCreated(created))}`);
  if (isNew && !isDryRun) (onCreated ?? say)(`sqlite:${engine.fileOf(url)}`);
  return result as T;
}

export const dryRun: typeof withWriter = (cli, work, options) =>
  withWriter(cli, work, { ...options, isDryRun: true });

/** Creates and migrates the database if needed, and returns its URL if it was created. */
export async function prepareDatabase(cli: Cli): Promise<string | null> {
  if (await isCurrent(configOf(cli).databaseUrls)) return null;
  const created: string[] = [];
  await withWriter(cli, async () => {}, { create: true, onCreated: (database) => created.push(database) });
  return created[0] ?? null;
}

/** Why a user of the database cannot serve, or null: those of docs/ci.md and docs/production/postgresql.md. */
export function whyNotServing({ unreadable }: Rights): string | null {
  if (unreadable.includes('api_keys'))
    return 'this user cannot read API keys. It can use commands for content, such as `import` and `apply`, but not serve: for that, use the owner of the tables in DATABASE_URL, or the user that deploy/postgres/server-role.sql makes.';
  return unreadable.length === 0
    ? null
    : `this user cannot read ${unreadable.join(', ')}: as the owner of the tables, run deploy/postgres/server-role.sql, which grants what a server needs; do so after each upgrade.`;
}

/** Whether the database can be served without a migration. Asks a replica if the primary is down. */
async function isCurrent([first, ...others]: Config['databaseUrls']): Promise<boolean> {
  const { engine, url, name } = await placeOf(first);
  if (!engine.exists(url)) return false;
  const { schemaState } = await loadMigrate();
  await using db = engine.openReader(url, {});
  try {
    if ((await schemaState(db)) !== 'current') return false;
    const hindrance = whyNotServing(await engine.rightsOf(db));
    if (hindrance !== null) throw new Refusal(`${name}: ${hindrance}`);
    return await engine.isReadyToServe(db);
  } catch (error) {
    const [next, ...rest] = others;
    if (next === undefined || !isUnavailable(error)) throw error;
    return await isCurrent([next, ...rest]);
  }
}
