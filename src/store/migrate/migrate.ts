import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { COMMAND } from '../../command-name.ts';
import { Refusal } from '../../errors.ts';
import { dialectOf } from '../engine/dialect.ts';
import type { Reader, Writer } from '../engine/engine.ts';
import { isPrivilegeMissing } from '../engine/failures.ts';
import { listTables, otherProgramError, requireFreeNames } from './other-programs.ts';
import type { Step } from './step.ts';
import { STEPS } from './steps.ts';

const STEPS_TABLE = 'schema_migrations';
const STEPS_COLUMNS = ['name', 'timestamp'];
const LOCK_TABLE = 'schema_migrations_lock';
/** The first of the steps that the first schema replaced. */
const EARLIER_STEP = '0001_content_and_keys';

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
  await setMode.execute(db);
}

/**
 * Brings the schema up to date and returns the steps that it ran. The caller holds the write lock: of several processes
 * that start together, one does the work and the others find it done.
 */
export async function migrate(trx: Writer, options: MigrateOptions): Promise<string[]> {
  const state = await requireMigratable(trx, options);
  if (state === 'current') return [];
  const schema = await findSchema(trx, state, options.database);
  const migrator = new Migrator({
    db: trx,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(STEPS.map((step) => [step.name, { up: (db: Writer) => runStep(step, db) }])),
    },
    migrationTableName: STEPS_TABLE,
    migrationLockTableName: LOCK_TABLE,
    // Otherwise it would find the table of that name in the schema of another program.
    ...(schema !== null && { migrationTableSchema: schema }),
  });
  const { results = [], error } = await migrator.migrateToLatest();
  if (isPrivilegeMissing(error))
    throw new Refusal(
      `${(error as Error).message}; the user in DATABASE_URL cannot ${state === 'behind' ? 'update the schema' : 'create tables'}: run \`${COMMAND} migrate\` as the owner of the ${state === 'behind' ? 'tables' : 'database'}.`,
      { cause: error },
    );
  if (error !== undefined) throw error;
  return results.map((result) => result.migrationName);
}

/** The schema of the migration tables, or null if the engine has no schemas. */
async function findSchema(trx: Writer, state: SchemaState, database: string): Promise<string | null> {
  const { columnsOf, place } = dialectOf(trx).catalogue;
  if (place === null) return null;
  if (state === 'behind') return (await columnsOf(STEPS_TABLE).execute(trx)).rows[0]?.schema ?? null;
  const { schema = null, path } = (await place.execute(trx)).rows[0] ?? {};
  if (schema === null)
    throw new Refusal(
      `${database} has no schema ${path}: create it with \`create schema\`, or correct DATABASE_URL.`,
    );
  return schema;
}

async function requireMigratable(
  db: Writer,
  { database, intoExisting = false }: MigrateOptions,
): Promise<SchemaState> {
  const state = await schemaState(db);
  requireNotNewer(state);
  if (state === 'foreign' && !intoExisting) throw await otherProgramError(db, database);
  if (state === 'foreign' || state === 'empty')
    await requireFreeNames(db, database, [STEPS_TABLE, LOCK_TABLE]);
  return state;
}

/** Throws if the database has the schema steps of an earlier commit. */
export async function schemaState(db: Reader | Writer): Promise<SchemaState> {
  let applied = await listAppliedSteps(db);
  if (applied.length === 0) {
    if ((await listTables(db)).length === 0) return 'empty';
    // Another process may just have created them.
    applied = await listAppliedSteps(db);
    if (applied.length === 0) return 'foreign';
  }
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
  const { rows: columns } = await dialectOf(db)
    .catalogue.columnsOf(STEPS_TABLE)
    .execute(db as Writer);
  if (!STEPS_COLUMNS.every((wanted) => columns.some(({ name }) => name === wanted))) return [];
  const { rows } = await sql<{
    name: string;
  }>`select name from ${sql.table(STEPS_TABLE)} order by name`.execute(db as Writer);
  const names = rows.map((row) => row.name);
  if (names.includes(EARLIER_STEP))
    throw new Refusal(
      `the database was made by an earlier version of this program and cannot be upgraded; nothing was changed. Export each team with that version (\`${COMMAND} export TEAM\`), and apply the documents to a new database with this one (\`${COMMAND} apply FILE\`).`,
    );
  return names.includes(STEPS[0]?.name ?? '') ? names : [];
}

async function runStep(step: Step, db: Writer): Promise<void> {
  for (const statement of step[dialectOf(db).engine]) await sql.raw(statement).execute(db);
}
