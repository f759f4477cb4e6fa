import type { Selectable } from 'kysely';
import { ContentProblem, type FieldPath, type VersionContent } from '../domain/content.ts';
import { moveVersion } from '../domain/lifecycle.ts';
import { matchVersions, type ResolvedChange, resolveChanges } from '../domain/matching.ts';
import { batches } from './batches.ts';
import { listChanges } from './content.ts';
import { asReader, type Writer } from './engine.ts';
import { newId } from './ids.ts';
import { differs, type Outcome } from './outcome.ts';
import type { Tables } from './schema.ts';

type ExistingVersion = Selectable<Tables['versions']>;
type VersionFields = Omit<ExistingVersion, 'sort_key' | 'created_order' | 'changelog_id' | 'change_count'>;

type VersionsToApply = Readonly<{
  changelogId: string;
  /** The product, as `team/product`. */
  name: string;
  versions: readonly VersionContent[];
  path: FieldPath;
  now: string;
}>;

type PlannedVersion = Readonly<{
  path: FieldPath;
  before: ExistingVersion | undefined;
  fields: VersionFields;
  /** Null if they stay as they are. */
  changes: readonly ResolvedChange[] | null;
}>;

export async function applyVersions(
  trx: Writer,
  { changelogId, name, versions, path, now }: VersionsToApply,
): Promise<Outcome[]> {
  const existing = await trx
    .selectFrom('versions')
    .where('changelog_id', '=', changelogId)
    .selectAll()
    .execute();
  const changes = await listChanges(asReader(trx), changelogId);
  const matches = matchVersions(existing, versions);
  const plan = versions.map((version, index): PlannedVersion => {
    const before = matches[index];
    const had = before ? (changes.get(before.id) ?? []) : [];
    const wanted = resolveChanges(had, version.changes);
    const same =
      had.length === wanted.length && wanted.every((change, place) => !differs(had[place] ?? {}, change));
    return {
      path: [...path, index],
      before,
      fields: fieldsOf(version, before, now),
      changes: same ? null : wanted,
    };
  });
  const named = new Set(matches);
  const unnamed = existing.filter((version) => !named.has(version));

  await clearForUpdate(trx, plan);
  await refuseTaken(trx, plan, unnamed);
  await updateVersions(trx, plan);
  await insertVersions(trx, changelogId, plan, existing);
  await insertChanges(trx, plan);
  return plan.map((version) => ({
    action: actionOf(version),
    kind: 'version',
    name: `${name} ${version.fields.label}`,
  }));
}

function fieldsOf(version: VersionContent, before: ExistingVersion | undefined, now: string): VersionFields {
  const dated = version.publishedAt ?? before?.published_at ?? null;
  const { status, publishedAt } = moveVersion({ status: 'draft', publishedAt: dated }, version.status, now);
  return {
    id: version.id ?? before?.id ?? newId('version'),
    label: version.version,
    title: version.title,
    status,
    published_at: publishedAt,
    description: version.description,
    yanked: version.yanked ? 1 : 0,
  };
}

function actionOf({ before, fields, changes }: PlannedVersion): Outcome['action'] {
  if (before === undefined) return 'created';
  return differs(before, fields) || changes !== null ? 'changed' : 'unchanged';
}

/** Takes away what an update replaces: old changes, and labels that may be wanted by another version of the document. */
async function clearForUpdate(trx: Writer, plan: readonly PlannedVersion[]): Promise<void> {
  for (const { before, fields, changes } of plan) {
    if (before === undefined) continue;
    if (changes !== null) await trx.deleteFrom('changes').where('version_id', '=', before.id).execute();
    if (before.label === fields.label) continue;
    await trx
      .updateTable('versions')
      .set({ label: `~renaming ${before.id}` })
      .where('id', '=', before.id)
      .execute();
  }
}

/** A label or an id that somebody else keeps cannot be taken. */
async function refuseTaken(
  trx: Writer,
  plan: readonly PlannedVersion[],
  kept: readonly ExistingVersion[],
): Promise<void> {
  const keptLabels = new Map(kept.map((version) => [version.label, version]));
  const newVersionIds = new Map<string, FieldPath>();
  const newChangeIds = new Map<string, FieldPath>();
  for (const { path, before, fields, changes } of plan) {
    const holder = keptLabels.get(fields.label);
    if (holder !== undefined) {
      throw new ContentProblem(
        [...path, 'version'],
        `the version ${holder.id} has this label already; give another.`,
      );
    }
    if (before?.id !== fields.id) newVersionIds.set(fields.id, [...path, 'id']);
    changes?.forEach(({ id }, index) => {
      if (id !== null) newChangeIds.set(id, [...path, 'changes', index, 'id']);
    });
  }
  await refuseTakenIds(trx, 'versions', newVersionIds);
  await refuseTakenIds(trx, 'changes', newChangeIds);
}

async function refuseTakenIds(
  trx: Writer,
  table: 'versions' | 'changes',
  ids: ReadonlyMap<string, FieldPath>,
): Promise<void> {
  for (const some of batches([...ids.keys()])) {
    const taken = await trx.selectFrom(table).where('id', 'in', some).select('id').executeTakeFirst();
    if (taken !== undefined) {
      throw new ContentProblem(
        ids.get(taken.id) ?? [],
        `the id ${taken.id} is in use elsewhere; leave it out.`,
      );
    }
  }
}

async function updateVersions(trx: Writer, plan: readonly PlannedVersion[]): Promise<void> {
  for (const { before, fields } of plan) {
    if (before === undefined || !differs(before, fields)) continue;
    await trx.updateTable('versions').set(fields).where('id', '=', before.id).execute();
  }
}

/** A document lists the newest first, so its last new version counts as created first. */
async function insertVersions(
  trx: Writer,
  changelogId: string,
  plan: readonly PlannedVersion[],
  existing: readonly ExistingVersion[],
): Promise<void> {
  const last = existing.reduce((highest, { created_order }) => Math.max(highest, created_order), 0);
  const rows = plan
    .filter(({ before }) => before === undefined)
    .reverse()
    .map(({ fields }, index) => ({ ...fields, changelog_id: changelogId, created_order: last + index + 1 }));
  for (const some of batches(rows)) await trx.insertInto('versions').values(some).execute();
}

async function insertChanges(trx: Writer, plan: readonly PlannedVersion[]): Promise<void> {
  const rows = plan.flatMap(({ fields, changes }) =>
    (changes ?? []).map(({ id, type, text, breaking }, position) => ({
      id: id ?? newId('change'),
      version_id: fields.id,
      position,
      type,
      text,
      breaking: breaking ? (1 as const) : (0 as const),
    })),
  );
  for (const some of batches(rows)) await trx.insertInto('changes').values(some).execute();
}
