import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { COMMAND } from '../../command-name.ts';
import { Refusal } from '../../errors.ts';
import { dialectOf } from '../engine/dialect.ts';
import type { Reader, Writer } from '../engine/engine.ts';
import { isPrivilegeMissing } from '../engine/failures.ts';
import type { Step } from './step.ts';
import { STEPS } from './steps.ts';

export const MIGRATIONS: Readonly<Record<string, Migration>> = Object.fromEntries(
  STEPS.map((step) => [step.name, { up: (db: Writer) => runStep(step, db) }]),
);
const STEPS_TABLE = 'schema_migrations';
const LOCK_TABLE = 'schema_migrations_lock';

/** Empty: without a table of this program, though other programs may have some. */
export type SchemaState = 'current' | 'empty' | 'behind' | 'newer';

/**
 * Brings the schema up to date and returns the steps that it ran. The caller holds the write lock: of several processes
 * that start together, one does the work and the others find it done.
 */
export async function migrate(trx: Writer): Promise<string[]> {
  const state = await schemaState(trx);
  requireNotNewer(state);
  if (state === 'current') return [];
  const migrator = new Migrator({
    db: trx,
    provider: { getMigrations: async () => ({ ...MIGRATIONS }) },
    migrationTableName: STEPS_TABLE,
    migrationLockTableName: LOCK_TABLE,
  });
  const { results = [], error } = await migrator.migrateToLatest();
  if (isPrivilegeMissing(error))
    throw new Refusal(
      `${(error as Error).message}; the user in DATABASE_URL cannot ${state === 'empty' ? 'create tables' : 'update the schema'}: run \`${COMMAND} migrate\` as the owner of the ${state === 'empty' ? 'database' : 'tables'}.`,
      { cause: error },
    );
  if (error !== undefined) throw error;
  return results.map((result) => result.migrationName);
}

export async function schemaState(db: Reader | Writer): Promise<SchemaState> {
  const applied = await listAppliedSteps(db as Writer);
  if (applied.some((step) => !(step in MIGRATIONS))) return 'newer';
  if (applied.length === 0) return 'empty';
  return applied.length === Object.keys(MIGRATIONS).length ? 'current' : 'behind';
}

/** Also true for a database that a newer program made. */
export async function hasStep(db: Reader, name: string): Promise<boolean> {
  return (await listAppliedSteps(db as unknown as Writer)).includes(name);
}

export function requireNotNewer(state: SchemaState): void {
  if (state === 'newer') {
    throw new Refusal(
      'the database was made by a newer version of this program: use that version or a later one.',
    );
  }
}

export function requireNotEmpty(state: SchemaState): void {
  if (state === 'empty')
    throw new Refusal(
      `the database has no tables of this program: check DATABASE_URL, or create them with \`${COMMAND} migrate\`.`,
    );
}

export async function requireCurrentSchema(db: Reader | Writer): Promise<void> {
  const state = await schemaState(db);
  requireNotNewer(state);
  requireNotEmpty(state);
  if (state === 'behind') throw new Refusal(`the database has an older schema: run \`${COMMAND} migrate\`.`);
}

async function listAppliedSteps(db: Writer): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === STEPS_TABLE)) return [];
  const { rows } = await sql<{
    name: string;
  }>`select name from ${sql.table(STEPS_TABLE)} order by name`.execute(db);
  return rows.map((row) => row.name);
}

async function runStep(step: Step, db: Writer): Promise<void> {
  for (const statement of step[dialectOf(db).engine]) await sql.raw(statement).execute(db);
}
