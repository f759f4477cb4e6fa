// Import marks: a fingerprint of what the last import wrote of each version, so that the next import recognises manual
// edits. They are in a table of their own, because writing one must not change a revision or a response.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { VersionContent } from '../../domain/content/content.ts';
import type { ImportedState } from '../../domain/content/import-decision.ts';
import type { ExistingChange } from '../../domain/content/matching.ts';
import { VERSION_STATES } from '../../domain/model.ts';
import { CONTENT_COLUMNS, type ContentRow, listChanges, versionContent } from '../catalogue/content.ts';
import { batches } from '../engine/batches.ts';
import { asReader, type Writer } from '../engine/engine.ts';

/** A version of the source and its new mark. */
export type NextMark = Readonly<{ label: string; mark: string }>;

export type MarkedVersion = Readonly<{
  content: VersionContent & Readonly<{ id: string; changes: readonly ExistingChange[] }>;
  mark: ImportedState | null;
}>;

/** `where true` tells SQLite that `on conflict` does not belong to the join. */
export async function writeMarks(
  trx: Writer,
  changelogId: string,
  marks: readonly NextMark[],
): Promise<void> {
  for (const some of batches(marks)) {
    const rows = some.map(({ label, mark }) => sql`(${label}, ${mark})`);
    await sql`insert into import_marks (version_id, mark)
      select versions.id, source.column2 from (values ${sql.join(rows)}) as source
        join versions on versions.changelog_id = ${changelogId} and versions.label = source.column1
        where true
      on conflict (version_id) do update set mark = excluded.mark`.execute(trx);
  }
}

export async function listMarkedByLabel(
  trx: Writer,
  changelogId: string,
  labels: readonly string[],
): Promise<Map<string, MarkedVersion>> {
  const rows = await selectMarked(trx)
    .where('changelog_id', '=', changelogId)
    .where('label', 'in', labels)
    .execute();
  const versions = await withChanges(trx, rows);
  return new Map(versions.map((version) => [version.content.version, version]));
}

/** Drafts that were renamed, with the fingerprint that each had in the source. */
export async function listRenamed(trx: Writer, changelogId: string): Promise<RenamedVersion[]> {
  const rows = await selectMarked(trx)
    .where('changelog_id', '=', changelogId)
    .where('mark', 'like', `%${RENAMED}%`)
    .execute();
  const versions = await withChanges(trx, rows);
  return versions.map(({ content: { version, changes } }, at) => ({
    label: version,
    former: formerOf(rows[at]?.mark),
    texts: changes.map(({ text }) => text),
  }));
}

export type RenamedVersion = Readonly<{
  label: string;
  former: string | undefined;
  texts: readonly string[];
}>;

/** The next import compares it under its new label, and recognises a source that still has the old one. */
export async function markAsRenamed(trx: Writer, id: string, label: string): Promise<void> {
  const rows = await selectMarked(trx).where('versions.id', '=', id).execute();
  const [version] = await withChanges(trx, rows);
  if (version?.mark == null) return;
  const { content } = version.mark;
  const isEdited = fingerprintOf(version.content) !== content;
  const next = isEdited ? content : fingerprintOf({ ...version.content, version: label });
  const mark = next + RENAMED + (formerOf(rows[0]?.mark) ?? content);
  await trx.updateTable('import_marks').set({ mark }).where('version_id', '=', id).execute();
}

const RENAMED = ' renamed ';
const formerOf = (mark: string | null | undefined) => mark?.split(RENAMED)[1];

/** Versions that an import wrote and that are no longer in the source, in batches. */
export async function* listRemoved(
  trx: Writer,
  changelogId: string,
  labels: ReadonlySet<string>,
): AsyncGenerator<MarkedVersion[]> {
  const marked = await trx
    .selectFrom('versions')
    .innerJoin('import_marks', 'import_marks.version_id', 'versions.id')
    .where('changelog_id', '=', changelogId)
    .where('mark', 'not like', `%${RENAMED}%`)
    .orderBy('versions.id')
    .select(['versions.id', 'label'])
    .execute();
  for (const some of batches(marked.filter(({ label }) => !labels.has(label)))) {
    const ids = some.map(({ id }) => id);
    const rows = selectMarked(trx).where('versions.id', 'in', ids).orderBy('versions.id');
    yield await withChanges(trx, await rows.execute());
  }
}

function selectMarked(trx: Writer) {
  return trx
    .selectFrom('versions')
    .leftJoin('import_marks', 'import_marks.version_id', 'versions.id')
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
export function fingerprintOf({
  version,
  title,
  description,
  links,
  yanked,
  changes,
}: VersionContent): string {
  const fields = [
    version,
    title,
    description,
    yanked,
    changes.map(({ type, text, breaking }) => [type, text, breaking]),
    // Only if set: imports before there were links left marks without them.
    ...(links === undefined ? [] : [links.compare]),
  ];
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}

/** For the description of a changelog. */
export function textMark(text: string | null): string | null {
  return text === null ? null : createHash('sha256').update(text).digest('hex');
}

/** `FINGERPRINT`, or `FINGERPRINT STATUS DATE` with a dash for no date; `FINGERPRINT renamed FORMER` after a rename. */
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
