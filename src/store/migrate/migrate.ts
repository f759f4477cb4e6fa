import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { COMMAND } from '../../command-name.ts';
import { Refusal } from '../../errors.ts';
import { dialectOf } from '../engine/dialect.ts';
import type { Reader, Writer } from '../engine/engine.ts';
import { isBusy, isPrivilegeMissing } from '../engine/failures.ts';
import { POSTGRES } from './0001-schema/postgres.ts';
import { SQLITE } from './0001-schema/sqlite.ts';

/**
 * A schema step: the statements for each engine, in order. A released step never changes, because users' databases were
 * created with it; a change to the schema is a new step. So a step imports nothing but files of its own and of earlier
 * steps, which never change either.
 */
export type Step = Readonly<{ name: string; sqlite: readonly string[]; postgres: readonly string[] }>;

export const STEPS: readonly Step[] = [{ name: '0001_schema', sqlite: SQLITE, postgres: POSTGRES }];

const STEPS_TABLE = 'schema_migrations';
const STEPS_COLUMNS = ['name', 'timestamp'];
/** The first steps of earlier schemas, which the present first step replaced. */
const EARLIER_FIRST_STEPS = ['0001_content_and_keys', '0001_first_schema'];
/** 30 seconds in all, as other writers wait. */
const MODE_TRIES_MAX = 600;
const MODE_RETRY_MS = 50;
const NAMES_SHOWN = 5;
const CREATED = /\bcreate (?:or replace |unique |virtual )?(?:table|view|index|trigger|function) "?(\w+)/g;

/** A foreign database has tables, but none of this program. */
export type SchemaState = 'current' | 'empty' | 'foreign' | 'behind' | 'newer';

type MigrateOptions = Readonly<{
  /** For messages, without credentials. */
  database: string;
  /** Creates the tables of this program next to those of another one. */
  intoExisting?: boolean;
}>;

/**
 * To be called before the transaction that migrates the database and writes to it. Throws if the database belongs to
 * another program, and does not change a byte of it.
 */
export async function prepareToMigrate(db: Writer, options: MigrateOptions): Promise<void> {
  const { setMode } = dialectOf(db).catalogue;
  if (setMode === null) return;
  await db.transaction().execute((trx) => requireMigratable(trx, options));
  // Of several processes that create a database together, SQLite lets one do this and does not let the others wait.
  for (let tries = MODE_TRIES_MAX; ; tries--) {
    try {
      return void (await setMode.execute(db));
    } catch (error) {
      if (!isBusy(error) || tries === 0) throw error;
      await setTimeout(MODE_RETRY_MS);
    }
  }
}

/**
 * Brings the schema up to date and returns the steps that it ran. The caller holds the write lock: of several processes
 * that start together, one does the work and the others find it done.
 */
export async function migrate(trx: Writer, options: MigrateOptions): Promise<string[]> {
  const state = await requireMigratable(trx, options);
  const applied = await listAppliedSteps(trx);
  const missing = STEPS.filter(({ name }) => !applied.includes(name));
  try {
    if (applied.length === 0)
      await sql`create table ${sql.table(STEPS_TABLE)}
        (name varchar(255) not null primary key, timestamp varchar(255) not null)`.execute(trx);
    for (const step of missing) {
      for (const statement of step[dialectOf(trx).engine]) await sql.raw(statement).execute(trx);
      await sql`insert into ${sql.table(STEPS_TABLE)} (name, timestamp)
        values (${step.name}, ${new Date().toISOString()})`.execute(trx);
    }
  } catch (error) {
    if (!isPrivilegeMissing(error)) throw error;
    const [what, owned] =
      state === 'behind' ? ['update the schema', 'tables'] : ['create tables', 'database'];
    throw new Refusal(
      `${(error as Error).message}; the user in DATABASE_URL cannot ${what}: run \`${COMMAND} migrate\` as the owner of the ${owned}.`,
      { cause: error },
    );
  }
  return missing.map(({ name }) => name);
}

async function requireMigratable(
  db: Writer,
  { database, intoExisting = false }: MigrateOptions,
): Promise<SchemaState> {
  const state = await schemaState(db);
  requireNotNewer(state);
  if (state === 'foreign' && !intoExisting) throw await otherProgramError(db, database);
  if (state === 'foreign' || state === 'empty') await requireRoom(db, database);
  return state;
}

/** Throws if the database has the schema steps of an earlier commit. */
export async function schemaState(db: Reader | Writer): Promise<SchemaState> {
  // In this order: if another process creates the tables now, these are not taken for those of another program.
  const tables = await listTables(db);
  const applied = await listAppliedSteps(db);
  if (applied.length === 0) return tables.length === 0 ? 'empty' : 'foreign';
  if (applied.some((step) => !STEPS.some(({ name }) => name === step))) return 'newer';
  return applied.length === STEPS.length ? 'current' : 'behind';
}

export function requireNotNewer(state: SchemaState): void {
  if (state === 'newer') {
    throw new Refusal(
      'the database was made by a newer version of this program: use that version or a later one.',
    );
  }
}

/** Throws unless the database has tables of this program, of any version. */
export async function requireOwnTables(db: Reader | Writer, database: string): Promise<SchemaState> {
  const state = await schemaState(db);
  if (state === 'foreign') throw await otherProgramError(db, database);
  if (state === 'empty')
    throw new Refusal(
      `the database has no tables of this program: check DATABASE_URL, or create them with \`${COMMAND} migrate\`.`,
    );
  return state;
}

export async function requireCurrentSchema(db: Reader | Writer, database = 'the database'): Promise<void> {
  const state = await requireOwnTables(db, database);
  requireNotNewer(state);
  if (state === 'behind') throw new Refusal(`the database has an older schema: run \`${COMMAND} migrate\`.`);
}

/** Empty without the first step: other programs have a table of the same name, some even with the same columns. */
async function listAppliedSteps(db: Reader | Writer): Promise<string[]> {
  const writer = db as Writer;
  const { rows: columns } = await dialectOf(db).catalogue.columnsOf(STEPS_TABLE).execute(writer);
  if (!STEPS_COLUMNS.every((wanted) => columns.some(({ name }) => name === wanted))) return [];
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(STEPS_TABLE)}`.execute(writer);
  const names = rows.map(({ name }) => name);
  if (EARLIER_FIRST_STEPS.some((name) => names.includes(name)))
    throw new Refusal(
      `the database was made by an earlier version of this program and cannot be upgraded; nothing was changed. Export each team with that version (\`${COMMAND} export TEAM\`), and apply the documents to a new database with this one (\`${COMMAND} apply FILE\`).`,
    );
  return names.includes(STEPS[0]?.name ?? '') ? names : [];
}

async function listTables(db: Reader | Writer): Promise<string[]> {
  const { rows } = await dialectOf(db).catalogue.names.execute(db as Writer);
  return rows.filter(({ isTable }) => isTable).map(({ name }) => name);
}

/** A database may belong to an application that the user did not mean to share. */
export async function otherProgramError(db: Reader | Writer, database: string): Promise<Refusal> {
  const place =
    dialectOf(db).catalogue.place === null ? '' : 'a schema of its own (?schema=NAME in the URL) or ';
  return new Refusal(
    `${database} has tables of another program (${formatNames(await listTables(db))}) and none of this one; nothing was changed. Set CHANGELOG_DATABASE_URL to another database, or, to share that one, use ${place}\`${COMMAND} migrate --into-existing\`.`,
  );
}

/** Throws if new tables have no place, or if a name is taken that the steps need, even if a later one drops it again. */
async function requireRoom(db: Writer, database: string): Promise<void> {
  const { engine, catalogue } = dialectOf(db);
  const { schema, path } = (await catalogue.place?.execute(db))?.rows[0] ?? {};
  if (schema === null)
    throw new Refusal(
      `${database} has no schema ${path}: create it with \`create schema\`, or correct DATABASE_URL.`,
    );
  const statements = STEPS.flatMap((step) => step[engine]);
  const created = statements.flatMap((text) => [...text.matchAll(CREATED)].map(([, name = '']) => name));
  const { rows } = await catalogue.names.execute(db);
  const taken = new Set(rows.map(({ name }) => name)).intersection(new Set([...created, STEPS_TABLE]));
  if (taken.size === 0) return;
  const place = catalogue.place === null ? '' : ', or a schema of its own (?schema=NAME in the URL)';
  throw new Refusal(
    `${database} already has ${formatNames([...taken])} of another program, and this one needs the same names; nothing was changed. Use another database${place}.`,
  );
}

function formatNames(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN);
  const more = names.length - shown.length;
  return new Intl.ListFormat('en-GB').format([...shown, ...(more > 0 ? [`${more} more`] : [])]);
}
