import { type Kysely, sql } from 'kysely';
import { schemaDialectOf } from '../engine/schema-dialect.ts';

/** Apart from the versions, so that to mark one is no change to it; see import-marks.ts. */
export async function createImportMarks(db: Kysely<unknown>): Promise<void> {
  const { text, importMarkGuards } = schemaDialectOf(db);
  await db.schema
    .createTable('import_marks')
    .addColumn('version_id', text, (column) =>
      column.notNull().primaryKey().references('versions.id').onDelete('cascade').onUpdate('cascade'),
    )
    .addColumn('mark', text, (column) => column.notNull())
    .execute();
  for (const statement of importMarkGuards) await sql.raw(statement).execute(db);
}
