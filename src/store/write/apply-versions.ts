// Applies the versions of one changelog, in two passes of small batches. The first compares, the second writes.
import {
  ContentProblem,
  type FieldPath,
  type VersionContent,
  type VersionList,
} from '../../domain/content/content.ts';
import { presentAt } from '../../domain/content/future-date.ts';
import { type ExistingChange, resolveChanges } from '../../domain/content/matching.ts';
import { timeOfExisting, timeOfNew } from '../../domain/content/update-time.ts';
import { listChanges } from '../catalogue/content.ts';
import { batches } from '../engine/batches.ts';
import { asReader, type Writer } from '../engine/engine.ts';
import { rowInserter } from '../engine/insert-rows.ts';
import type { Tables } from '../engine/schema.ts';
import { updateRows } from '../engine/update-rows.ts';
import type { TriggerWork } from './bulk.ts';
import { newId } from './ids.ts';
import { differs, type ReportOutcome } from './outcome.ts';
import {
  clearForUpdate,
  countNew,
  type ExistingVersion,
  findKeptLabel,
  listPlanned,
  type PlannedRow,
  savePlan,
} from './plan.ts';
import { requireFreeVersionId, requireOwnChangeId, requireOwnVersionId } from './taken-ids.ts';
import { storedUpdateTime, updateTimeOf } from './update-times.ts';
import { fieldsOf, type VersionFields } from './version-fields.ts';
import { VersionIds } from './version-ids.ts';

/** Small enough that the objects of a batch die young, before the garbage collector promotes them. */
const VERSIONS_AT_ONCE = 100;

type VersionsToCompare = Readonly<{
  /** The index of the product in the document. */
  product: number;
  versions: VersionList;
  /** True if the changelog already has versions, so that a plan was made. */
  isPlanned: boolean;
  now: string;
}>;

export type VersionsCompared = Readonly<{
  isPlanned: boolean;
  newVersions: number;
  newIds: VersionIds;
  isAnyWritten: boolean;
}>;

export type VersionsToApply = VersionsToCompare &
  VersionsCompared &
  Readonly<{
    productId: number;
    changelogId: string;
    /** The product, as `team/product`. */
    name: string;
    path: FieldPath;
    report: ReportOutcome;
    instead: TriggerWork;
  }>;

export async function applyVersions(trx: Writer, work: VersionsToApply): Promise<void> {
  if (work.versions.length === 0) return;
  if (work.isPlanned) {
    await requireFreeLabels(trx, work);
    await clearForUpdate(trx, work.product);
  }
  await writeVersions(trx, work);
}

async function requireFreeLabels(
  trx: Writer,
  { product, changelogId, path }: VersionsToApply,
): Promise<void> {
  const kept = await findKeptLabel(trx, product, changelogId);
  if (kept === undefined) return;
  throw new ContentProblem(
    [...path, kept.ordinal, 'version'],
    `the version ${kept.existing} already has this label; choose another.`,
  );
}

/** Saves in the plan which versions change, and how. Writes nothing else. */
export async function compareVersions(trx: Writer, work: VersionsToCompare): Promise<VersionsCompared> {
  const { product, versions, isPlanned } = work;
  const newVersions = isPlanned ? await countNew(trx, product) : versions.length;
  const newIds = new VersionIds(work.now, newVersions);
  let changedVersions = 0;
  if (isPlanned) changedVersions = await saveChanged(trx, work, newIds);
  else for (const version of versions) newIds.announce(version);
  return { isPlanned, newVersions, newIds, isAnyWritten: newVersions + changedVersions > 0 };
}

async function saveChanged(
  trx: Writer,
  { product, versions, now }: VersionsToCompare,
  newIds: VersionIds,
): Promise<number> {
  let first = 0;
  let changedVersions = 0;
  for (const some of batches(versions, VERSIONS_AT_ONCE)) {
    const planned = await listPlanned(trx, product, first, some.length);
    const ids = [...planned.values()].flatMap(({ before }) => before?.id ?? []);
    const changesBefore = await listChanges(asReader(trx), ids);
    const changed: PlannedRow[] = [];
    for (const [index, version] of some.entries()) {
      const before = planned.get(first + index)?.before;
      if (!before) {
        newIds.announce(version);
        continue;
      }
      const had = changesBefore.get(before.id) ?? [];
      const resolved = resolveChanges(had, version.changes);
      const fields = fieldsOf(version, before.id, before, now);
      const keepsChanges = isSame(had, resolved);
      const isRescheduled = before.publish_at !== fields.publish_at;
      // A schedule is not part of the record: it does not count as an update of it (R45).
      const isChanged = !keepsChanges || differs(before, { ...fields, publish_at: before.publish_at });
      const updatedAt = timeOfExisting(updateTimeOf(before), version, { isChanged, now });
      if (!isChanged && !isRescheduled && updatedAt === updateTimeOf(before)) continue;
      const ids = keepsChanges ? null : resolved.map(({ id }) => id);
      changed.push({
        ordinal: first + index,
        change_ids: JSON.stringify(ids),
        updated_at: storedUpdateTime(fields.published_at, updatedAt),
      });
    }
    await savePlan(trx, product, changed);
    first += some.length;
    changedVersions += changed.length;
  }
  return changedVersions;
}

function isSame(had: readonly ExistingChange[], wanted: readonly object[]): boolean {
  return (
    had.length === wanted.length && wanted.every((change, position) => !differs(had[position] ?? {}, change))
  );
}

async function writeVersions(trx: Writer, work: VersionsToApply): Promise<void> {
  const { product, versions, isPlanned, newVersions, newIds, name, path, now, report, instead } = work;
  const writer = versionWriter(trx, work.changelogId);
  const { time: latest } = presentAt(now);
  const createdBefore = isPlanned ? await lastCreatedOrder(trx, work.changelogId) : 0;
  // A document lists the newest first, so its last new version counts as created first.
  let order = newVersions + createdBefore;
  let first = 0;
  for (const some of batches(versions, VERSIONS_AT_ONCE)) {
    const planned = isPlanned ? await listPlanned(trx, product, first, some.length) : null;
    const created = planned && some.filter((_, index) => !planned.get(first + index)?.before);
    if (created) await newIds.lookUp(trx, work.changelogId, createdBefore, created);
    for (const [index, version] of some.entries()) {
      const plan = planned?.get(first + index);
      const at = [...path, first + index];
      if (version.updatedAt && version.updatedAt > latest)
        throw new ContentProblem(
          [...at, 'updatedAt'],
          `${version.updatedAt} is in the future; correct it or leave it out.`,
        );
      if (!plan?.before) {
        const fields = fieldsOf(version, newIds.next(version), null, now);
        const times = { publishedAt: fields.published_at, updatedAt: version.updatedAt };
        const updated_at = storedUpdateTime(fields.published_at, timeOfNew(times, now, latest));
        writer.create(version, { ...fields, updated_at }, order--, at);
      } else if (plan.change_ids !== null) {
        const fields = {
          ...fieldsOf(version, plan.before.id, plan.before, now),
          updated_at: plan.updated_at,
        };
        await writer.change(version, plan.before, fields, plan.change_ids, at);
      }
      const action = !plan?.before ? 'created' : plan.change_ids === null ? 'unchanged' : 'changed';
      if (action !== 'unchanged')
        instead.touch(work.productId, version.status === 'published' || plan?.before?.status === 'published');
      const date = version.publishedAt ?? plan?.before?.published_at ?? now;
      report(
        { action, kind: 'version', name: `${name} ${version.version}` },
        version.status === 'published' ? date : null,
        isPublishedOnSchedule(version, plan?.before) ? null : version.publishAt,
      );
    }
    await instead.refreshFacts(await writer.flush());
    first += some.length;
  }
}

/** Then it no longer waits. */
function isPublishedOnSchedule({ publishAt }: VersionContent, before?: ExistingVersion | null): boolean {
  return before?.status === 'published' && before.published_at === publishAt;
}

async function lastCreatedOrder(trx: Writer, changelogId: string): Promise<number> {
  const row = await trx
    .selectFrom('versions')
    .where('changelog_id', '=', changelogId)
    .select((eb) => eb.fn.max('created_order').as('last'))
    .executeTakeFirst();
  return Number(row?.last ?? 0);
}

type DatedFields = VersionFields & Pick<ExistingVersion, 'updated_at'>;
type NewVersion = DatedFields & { changelog_id: string; created_order: number; change_count: number };
type NewChange = Tables['changes'];

/** Buffers rows, so that one statement inserts many. */
function versionWriter(trx: Writer, changelogId: string) {
  const insertVersions = rowInserter<Tables['versions']>('versions');
  const insertChanges = rowInserter<Tables['changes']>('changes');
  let versions: { row: NewVersion; path: FieldPath }[] = [];
  let changed: (DatedFields & { change_count: number })[] = [];
  let changes: { row: NewChange; path: FieldPath }[] = [];
  let written = new Set<string>();

  function addChanges(
    version: VersionContent,
    fields: DatedFields,
    ids: readonly (string | null)[],
    path: FieldPath,
  ): void {
    for (const [position, { id, type, text, breaking }] of version.changes.entries()) {
      const row: NewChange = {
        id: ids[position] ?? id ?? newId('change'),
        version_id: fields.id,
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
      written.add(fields.id);
      addChanges(version, fields, [], path);
    },
    change: async (
      version: VersionContent,
      before: ExistingVersion,
      fields: DatedFields,
      changeIds: string,
      path: FieldPath,
    ): Promise<void> => {
      if (before.id !== fields.id) await requireFreeVersionId(trx, fields.id, path);
      const ids: (string | null)[] | null = JSON.parse(changeIds);
      const row = { ...fields, change_count: version.changes.length };
      if (before.id !== fields.id)
        await trx.updateTable('versions').set(row).where('id', '=', before.id).execute();
      else if (differs(before, row)) changed.push(row);
      if (ids !== null) addChanges(version, fields, ids, path);
      written.add(before.id).add(fields.id);
    },
    /** Returns the ids of the versions written since the last time. */
    flush: async (): Promise<string[]> => {
      await updateRows(trx, 'versions', ['id'], changed);
      if ((await insertVersions(trx, versions.map(rowOf))) < versions.length)
        for (const { row, path } of versions) await requireOwnVersionId(trx, row, path);
      if ((await insertChanges(trx, changes.map(rowOf))) < changes.length)
        for (const { row, path } of changes) await requireOwnChangeId(trx, row, path);
      const ids = [...written];
      [versions, changed, changes, written] = [[], [], [], new Set()];
      return ids;
    },
  };
}

const rowOf = <Row>({ row }: { row: Row }): Row => row;
