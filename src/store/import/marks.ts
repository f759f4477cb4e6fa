// Import marks: a fingerprint of what the last import wrote of each version, so that the next import recognises manual
// edits. They are in a table of their own, because writing one must not change a revision or a response.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { VersionContent } from '../../domain/content/content.ts';
import type { ImportedState } from '../../domain/content/import-decision.ts';
import type { ExistingChange } from '../../domain/content/matching.ts';
import { VERSION_STATES } from '../../domain/model.ts';
import { CONTENT_COLUMNS, type ContentRow, listChanges, versionContent } from '../catalogue/content.ts';
import { dialectOf } from '../engine/dialect.ts';
import { asReader, type Writer } from '../engine/engine.ts';
import { type InsertRows, rowInserter } from '../engine/insert-rows.ts';
import { createTemporaryTable } from '../engine/temporary-table.ts';

/** A version of the source and its new mark, or null if its mark stays. */
type NextMark = Readonly<{ label: string; mark: string | null }>;

export type MarkedVersion = Readonly<{
  content: VersionContent & Readonly<{ id: string; changes: readonly ExistingChange[] }>;
  mark: ImportedState | null;
}>;

/** Creates a temporary table for the versions of the source, which may be too many for memory. */
export async function prepareNextMarks(trx: Writer): Promise<InsertRows<NextMark>> {
  const { text } = dialectOf(trx);
  await createTemporaryTable(trx, 'import_source')
    .addColumn('label', text, (column) => column.notNull().primaryKey())
    .addColumn('mark', text)
    .execute();
  await sql`delete from import_source`.execute(trx);
  return rowInserter<NextMark>('import_source');
}

/** Call after the last insert: without statistics PostgreSQL would choose a slow plan. */
export async function analyzeNextMarks(trx: Writer): Promise<void> {
  await sql`analyze import_source`.execute(trx);
}

export async function writeNextMarks(trx: Writer, changelogId: string): Promise<void> {
  await sql`insert into import_marks (version_id, mark)
    select versions.id, import_source.mark from import_source
      join versions on versions.changelog_id = ${changelogId} and versions.label = import_source.label
      where import_source.mark is not null
    on conflict (version_id) do update set mark = excluded.mark`.execute(trx);
}

export async function listMarkedByLabel(
  trx: Writer,
  changelogId: string,
  labels: readonly string[],
): Promise<Map<string, MarkedVersion>> {
  const rows = await selectMarked(trx, changelogId).where('label', 'in', labels).execute();
  const versions = await withChanges(trx, rows);
  return new Map(versions.map((version) => [version.content.version, version]));
}

/** Versions that an import wrote and that are no longer in the source, in batches. */
export async function listRemoved(
  trx: Writer,
  changelogId: string,
  afterId: string,
  limit: number,
): Promise<MarkedVersion[]> {
  const rows = await selectMarked(trx, changelogId)
    .where('mark', 'is not', null)
    .where('versions.id', '>', afterId)
    .where(sql<boolean>`not exists (select 1 from import_source where import_source.label = versions.label)`)
    .orderBy('versions.id')
    .limit(limit)
    .execute();
  return await withChanges(trx, rows);
}

function selectMarked(trx: Writer, changelogId: string) {
  return trx
    .selectFrom('versions')
    .leftJoin('import_marks', 'import_marks.version_id', 'versions.id')
    .where('changelog_id', '=', changelogId)
    .select([...CONTENT_COLUMNS, 'mark']);
}

type MarkedRow = ContentRow & Readonly<{ mark: string | null }>;

async function withChanges(trx: Writer, rows: readonly MarkedRow[]): Promise<MarkedVersion[]> {
  const changes = await listChanges(
    asReader(trx),
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    content: versionContent(row, changes.get(row.id)),
    mark: row.mark === null ? null : parseMark(row.mark),
  }));
}

/** Covers everything in a version except when it was published. */
export function fingerprintOf({ version, title, description, yanked, changes }: VersionContent): string {
  const fields = [
    version,
    title,
    description,
    yanked,
    changes.map(({ type, text, breaking }) => [type, text, breaking]),
  ];
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}

/** `FINGERPRINT`, or `FINGERPRINT STATUS DATE` with a dash for no date. */
export function formatMark({ content, publication }: ImportedState): string {
  return publication === null
    ? content
    : `${content} ${publication.status} ${publication.publishedAt ?? '-'}`;
}

function parseMark(text: string): ImportedState {
  const [content = '', status, publishedAt = '-'] = text.split(' ');
  const known = VERSION_STATES.find((state) => state === status);
  if (known === undefined) return { content, publication: null };
  return { content, publication: { status: known, publishedAt: publishedAt === '-' ? null : publishedAt } };
}
