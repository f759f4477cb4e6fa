import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { schemaDialectOf } from '../engine/schema-dialect.ts';

const CURSOR_KEY_BYTES = 16;

/**
 * The orders in which versions are gone through. The state comes early, so that a public read meets no hidden row (R9);
 * what versions are chosen by besides comes last, so that those that are passed over are not looked up.
 */
const INDEXES = [
  [
    'by_state_in_order',
    ['changelog_id', 'status', 'sort_key desc', 'version_id', 'is_prerelease', 'version_order'],
  ],
  [
    'by_version',
    ['changelog_id', 'status', 'version_order desc', 'sort_key desc', 'version_id', 'is_prerelease'],
  ],
  [
    'by_major',
    ['changelog_id', 'status', 'major', 'sort_key desc', 'version_id', 'version_order', 'is_prerelease'],
  ],
  ['by_label', ['changelog_id', 'status', 'label', 'version_id']],
] as const;
/** In any state: for reads that say so, and no others, however an engine that knows little of its rows would guess. */
const IN_ORDER = ['changelog_id', 'sort_key desc', 'version_id', 'is_prerelease', 'version_order'] as const;
export const OF_ANY_STATE = `changelog_id <> ''`;

/** What versions are found by besides their id (R31 to R33), and what cursors are sealed with. */
export async function createVersionFacts(db: Kysely<unknown>): Promise<void> {
  const { facts, text } = schemaDialectOf(db);
  const run = async (statements: readonly string[]) => {
    for (const statement of statements) await sql.raw(statement).execute(db);
  };
  await run(await facts.writeTables(db));
  await run(facts.ofAll);
  for (const [name, columns] of INDEXES) {
    await db.schema
      .createIndex(`version_facts_${name}`)
      .on('version_facts')
      .columns([...columns])
      .execute();
  }
  await db.schema
    .createIndex('version_facts_in_order')
    .on('version_facts')
    .columns([...IN_ORDER])
    .where(sql.raw<boolean>(OF_ANY_STATE))
    .execute();
  await run(facts.triggers);
  await db.schema
    .alterTable('revision')
    .addColumn('cursor_key', text, (column) => column.notNull().defaultTo(''))
    .execute();
  await sql`update revision set cursor_key = ${randomBytes(CURSOR_KEY_BYTES).toString('hex')}`.execute(db);
}
