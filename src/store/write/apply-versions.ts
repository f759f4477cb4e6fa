// Writes the versions of one changelog as planned, in batches.
import { sql } from 'kysely';
import { ContentProblem, type FieldPath, type VersionContent } from '../../domain/content/content.ts';
import { presentAt } from '../../domain/content/future-date.ts';
import { timeOfNew } from '../../domain/content/update-time.ts';
import { batches, rowInserter, updateRows } from '../engine/batches.ts';
import type { Writer } from '../engine/engine.ts';
import type { Tables } from '../engine/schema.ts';
import { newId } from './ids.ts';
import type { ReportOutcome } from './outcome.ts';
import type { DatedFields, PlannedVersion } from './plan.ts';
import { requireFreeVersionId, requireOwnChangeId, requireOwnVersionId } from './taken.ts';
import { storedUpdateTime } from './update-times.ts';
import { fieldsOf } from './version-fields.ts';
import { idsOfNew, listLowestIds } from './version-ids.ts';

const VERSIONS_AT_ONCE = 100;

export type VersionsToApply = Readonly<{
  changelogId: string;
  /** The product, as `team/product`. */
  name: string;
  planned: readonly PlannedVersion[];
  /** Had the changelog no versions before? */
  wasEmpty: boolean;
  path: FieldPath;
  now: string;
  report: ReportOutcome;
}>;

export async function applyVersions(trx: Writer, work: VersionsToApply): Promise<void> {
  const { planned, changelogId, now } = work;
  if (planned.length === 0) return;
  const created = planned.flatMap(({ version, before }) => (before === null ? version : []));
  let createdBefore = 0;
  let lowest = new Map<string, string>();
  if (!work.wasEmpty) {
    createdBefore = await lastCreatedOrder(trx, changelogId);
    lowest = await listLowestIds(trx, changelogId, created, now);
    await requireFreeLabels(trx, work);
    await clearForUpdate(trx, planned);
  }
  // A document lists the newest first, so its last new version counts as created first.
  await writeVersions(trx, work, idsOfNew(created, { now, lowest }), createdBefore + created.length);
}

function renamedIn(planned: readonly PlannedVersion[]): { ordinal: number; id: string; label: string }[] {
  return planned.flatMap(({ before, update }, ordinal) =>
    before && update && before.label !== update.fields.label
      ? { ordinal, id: before.id, label: update.fields.label }
      : [],
  );
}

/** A label may be taken from another version of the document, but not from one that the document leaves out. */
async function requireFreeLabels(
  trx: Writer,
  { planned, changelogId, path }: VersionsToApply,
): Promise<void> {
  const renamed = renamedIn(planned);
  if (renamed.length === 0) return;
  const inDocument = new Set(planned.map(({ before }) => before?.id));
  for (const some of batches(renamed)) {
    const labels = some.map(({ label }) => label);
    const rows = await trx
      .selectFrom('versions')
      .where('changelog_id', '=', changelogId)
      .where('label', 'in', labels)
      .select(['id', 'label'])
      .execute();
    const kept = new Map(rows.filter(({ id }) => !inDocument.has(id)).map(({ id, label }) => [label, id]));
    const first = some.find(({ label }) => kept.has(label));
    if (first !== undefined)
      throw new ContentProblem(
        [...path, first.ordinal, 'version'],
        `the version ${kept.get(first.label)} already has this label; choose another.`,
      );
  }
}

/** Removes what an update replaces: old changes, and labels that another version of the document may need. */
async function clearForUpdate(trx: Writer, planned: readonly PlannedVersion[]): Promise<void> {
  const replaced = planned.flatMap(({ before, update }) => (before && update?.changeIds ? before.id : []));
  for (const ids of batches(replaced))
    await trx.deleteFrom('changes').where('version_id', 'in', ids).execute();
  for (const some of batches(renamedIn(planned)))
    await trx
      .updateTable('versions')
      .set({ label: sql<string>`'~renaming ' || id` })
      .where(
        'id',
        'in',
        some.map(({ id }) => id),
      )
      .execute();
}

async function lastCreatedOrder(trx: Writer, changelogId: string): Promise<number> {
  const row = await trx
    .selectFrom('versions')
    .where('changelog_id', '=', changelogId)
    .select((eb) => eb.fn.max('created_order').as('last'))
    .executeTakeFirst();
  return Number(row?.last ?? 0);
}

async function writeVersions(
  trx: Writer,
  work: VersionsToApply,
  ids: readonly string[],
  lastOrder: number,
): Promise<void> {
  const { planned, name, path, now, report } = work;
  const writer = versionWriter(trx, work.changelogId);
  const { time: latest } = presentAt(now);
  let created = 0;
  let ordinal = 0;
  for (const some of batches(planned, VERSIONS_AT_ONCE)) {
    for (const { version, before, update } of some) {
      const at = [...path, ordinal++];
      if (version.updatedAt && version.updatedAt > latest)
        throw new ContentProblem(
          [...at, 'updatedAt'],
          `${version.updatedAt} is in the future; correct it or leave it out.`,
        );
      if (before === null) {
        const fields = fieldsOf(version, ids[created] as string, null, now);
        const times = { publishedAt: fields.published_at, updatedAt: version.updatedAt };
        const updated_at = storedUpdateTime(fields.published_at, timeOfNew(times, now, latest));
        writer.create(version, { ...fields, updated_at }, lastOrder - created++, at);
      } else if (update !== null) await writer.change(version, before.id, update, at);
      const action = before === null ? 'created' : update === null ? 'unchanged' : 'changed';
      const date = version.publishedAt ?? before?.published_at ?? now;
      report(
        { action, kind: 'version', name: `${name} ${version.version}` },
        version.status === 'published' ? date : null,
        isPublishedOnSchedule(version, before) ? null : version.publishAt,
      );
    }
    await writer.flush();
  }
}

/** Then it no longer waits. */
function isPublishedOnSchedule({ publishAt }: VersionContent, before: PlannedVersion['before']): boolean {
  return before?.status === 'published' && before.published_at === publishAt;
}

type NewVersion = DatedFields & { changelog_id: string; created_order: number; change_count: number };
type NewChange = Tables['changes'];

/** Buffers rows, so that one statement inserts many. */
function versionWriter(trx: Writer, changelogId: string) {
  const insertVersions = rowInserter<Tables['versions']>('versions');
  const insertChanges = rowInserter<Tables['changes']>('changes');
  let versions: { row: NewVersion; path: FieldPath }[] = [];
  let changed: (DatedFields & { change_count: number })[] = [];
  let changes: { row: NewChange; path: FieldPath }[] = [];

  function addChanges(
    version: VersionContent,
    versionId: string,
    ids: readonly (string | null)[],
    path: FieldPath,
  ): void {
    for (const [position, { id, type, text, breaking }] of version.changes.entries()) {
      const row: NewChange = {
        id: ids[position] ?? id ?? newId('change'),
        version_id: versionId,
        position,
        type,
        text,
        breaking: breaking ? 1 : 0,
      };
      changes.push({ row, path: [...path, 'changes', position] });
    }
  }

  return {
    create: (version: VersionContent, fields: DatedFields, createdOrder: number, path: FieldPath): void => {
      const row = {
        ...fields,
        changelog_id: changelogId,
        created_order: createdOrder,
        change_count: version.changes.length,
      };
      versions.push({ row, path });
      addChanges(version, fields.id, [], path);
    },
    change: async (
      version: VersionContent,
      beforeId: string,
      { fields, isRowChanged, changeIds }: NonNullable<PlannedVersion['update']>,
      path: FieldPath,
    ): Promise<void> => {
      const row = { ...fields, change_count: version.changes.length };
      if (beforeId !== fields.id) {
        await requireFreeVersionId(trx, fields.id, path);
        await trx.updateTable('versions').set(row).where('id', '=', beforeId).execute();
      }
      if (isRowChanged) changed.push(row);
      if (changeIds !== null) addChanges(version, fields.id, changeIds, path);
    },
    flush: async (): Promise<void> => {
      if ((await insertVersions(trx, versions.map(rowOf))) < versions.length)
        for (const { row, path } of versions) await requireOwnVersionId(trx, row, path);
      if ((await insertChanges(trx, changes.map(rowOf))) < changes.length)
        for (const { row, path } of changes) await requireOwnChangeId(trx, row, path);
      // After the changes, whose triggers set the time of the write.
      const dated = versions.map(({ row: { id, updated_at } }) => ({ id, updated_at }));
      await updateRows(trx, 'versions', ['id'], dated);
      await updateRows(trx, 'versions', ['id'], changed);
      [versions, changed, changes] = [[], [], []];
    },
  };
}

const rowOf = <Row>({ row }: { row: Row }): Row => row;
