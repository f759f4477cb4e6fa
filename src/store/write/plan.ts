// Which existing version each version of a document updates, and how. Writes nothing.
import type { VersionContent } from '../../domain/content/content.ts';
import { type ExistingChange, resolveChanges } from '../../domain/content/matching.ts';
import { timeOfExisting } from '../../domain/content/update-time.ts';
import { listChanges } from '../catalogue/content.ts';
import { batches } from '../engine/batches.ts';
import { asReader, type Writer } from '../engine/engine.ts';
import { differs } from './outcome.ts';
import { storedUpdateTime, updateTimeOf } from './update-times.ts';
import { type ExistingVersion, fieldsOf, type VersionFields } from './version-fields.ts';

/** Small enough that the rows of a batch die young, before the garbage collector promotes them. */
const VERSIONS_AT_ONCE = 100;

export type DatedFields = VersionFields & Pick<ExistingVersion, 'updated_at'>;

export type PlannedVersion = Readonly<{
  version: VersionContent;
  /** Null for a new version. */
  before: Pick<ExistingVersion, 'id' | 'label' | 'status' | 'published_at'> | null;
  /** Null for a new version, and for one that stays as it is. */
  update: Readonly<{
    fields: DatedFields;
    /** False if only its changes are others. */
    isRowChanged: boolean;
    /** The ids of its changes, null for a change that needs a new one; or null if its changes stay as they are. */
    changeIds: readonly (string | null)[] | null;
  }> | null;
}>;

export function planNew(versions: readonly VersionContent[]): PlannedVersion[] {
  return versions.map((version) => ({ version, before: null, update: null }));
}

/** Matches each version with an existing one, by id or else by label, each at most once. */
export async function planVersions(
  trx: Writer,
  changelogId: string,
  versions: readonly VersionContent[],
  now: string,
): Promise<PlannedVersion[]> {
  const planned: PlannedVersion[] = [];
  const named = await listNamed(trx, changelogId, versions);
  for (const some of batches(versions, VERSIONS_AT_ONCE)) {
    const existing = await listExisting(trx, changelogId, some, named);
    const changes = await listChanges(
      asReader(trx),
      [...existing.values()].map(({ id }) => id),
    );
    for (const version of some) {
      const before = existing.get(version);
      const update =
        before === undefined ? null : compare(before, version, changes.get(before.id) ?? [], now);
      planned.push({ version, before: before === undefined ? null : headOf(before), update });
    }
  }
  return planned;
}

/** Without its texts, which may be long. */
function headOf({ id, label, status, published_at }: ExistingVersion): PlannedVersion['before'] {
  return { id, label, status, published_at };
}

/** The ids of the document that versions of the changelog have. */
async function listNamed(
  trx: Writer,
  changelogId: string,
  versions: readonly VersionContent[],
): Promise<Set<string>> {
  const named = new Set<string>();
  for (const ids of batches(versions.flatMap(({ id }) => id ?? []))) {
    const rows = await trx
      .selectFrom('versions')
      .where('id', 'in', ids)
      .select(['id', 'changelog_id'])
      .execute();
    for (const { id, changelog_id } of rows) if (changelog_id === changelogId) named.add(id);
  }
  return named;
}

async function listExisting(
  trx: Writer,
  changelogId: string,
  versions: readonly VersionContent[],
  named: ReadonlySet<string>,
): Promise<Map<VersionContent, ExistingVersion>> {
  const [byId, byLabel] = [new Map<string, VersionContent>(), new Map<string, VersionContent>()];
  for (const version of versions) {
    if (named.has(version.id ?? '')) byId.set(version.id ?? '', version);
    else byLabel.set(version.version, version);
  }
  const all = trx.selectFrom('versions').selectAll();
  const inChangelog = all.where('changelog_id', '=', changelogId);
  const withIds = byId.size === 0 ? [] : await all.where('id', 'in', [...byId.keys()]).execute();
  const withLabels =
    byLabel.size === 0 ? [] : await inChangelog.where('label', 'in', [...byLabel.keys()]).execute();
  return new Map([
    ...withIds.map((row) => [byId.get(row.id) as VersionContent, row] as const),
    ...withLabels
      .filter(({ id }) => !named.has(id))
      .map((row) => [byLabel.get(row.label) as VersionContent, row] as const),
  ]);
}

function compare(
  before: ExistingVersion,
  version: VersionContent,
  had: readonly ExistingChange[],
  now: string,
): PlannedVersion['update'] {
  const resolved = resolveChanges(had, version.changes);
  const fields = fieldsOf(version, before.id, before, now);
  const keepsChanges = isSame(had, resolved);
  const isRescheduled = before.publish_at !== fields.publish_at;
  // A schedule is not part of the record: it does not count as an update of it (R45).
  const isChanged = !keepsChanges || differs(before, { ...fields, publish_at: before.publish_at });
  const updatedAt = timeOfExisting(updateTimeOf(before), version, { isChanged, now });
  if (!isChanged && !isRescheduled && updatedAt === updateTimeOf(before)) return null;
  const dated = { ...fields, updated_at: storedUpdateTime(fields.published_at, updatedAt) };
  return {
    fields: dated,
    isRowChanged: differs(before, { ...dated, change_count: version.changes.length }),
    changeIds: keepsChanges ? null : resolved.map(({ id }) => id),
  };
}

function isSame(had: readonly ExistingChange[], wanted: readonly object[]): boolean {
  return (
    had.length === wanted.length && wanted.every((change, position) => !differs(had[position] ?? {}, change))
  );
}
