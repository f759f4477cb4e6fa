// Makes the versions of a changelog match a document: a plan, which writes nothing, and then the rows.
import { type Insertable, sql } from 'kysely';
import { ContentProblem, type FieldPath, type VersionContent } from '../../domain/content/content.ts';
import { presentAt } from '../../domain/content/future-date.ts';
import { applyPublication } from '../../domain/content/lifecycle.ts';
import { resolveChanges } from '../../domain/content/matching.ts';
import { timeOfExisting, timeOfNew } from '../../domain/content/update-time.ts';
import { changeBit } from '../../domain/model.ts';
import { Refusal } from '../../errors.ts';
import { findVersions, type StoredVersion } from '../catalogue/content.ts';
import { batches, rowInserter, updateRows } from '../engine/batches.ts';
import type { Writer } from '../engine/engine.ts';
import { type Row, rowsOf } from '../engine/rows.ts';
import type { Tables } from '../engine/schema.ts';
import { idsOfNew, newId } from './ids.ts';

export type Outcome = Readonly<{
  action: 'created' | 'changed' | 'unchanged' | 'deleted';
  kind: 'team' | 'product' | 'changelog' | 'version';
  name: string;
}>;

/** Outcomes are reported one by one, for the progress bar. */
export type Report<T> = (
  outcome: T,
  /** The date of a version that is published now; null or absent for everything else. */
  publishedAt?: string | null,
  /** When a draft is to be published; null or absent for everything else. */
  publishAt?: string | null,
) => void;

export type ReportOutcome = Report<Outcome>;

/** Small enough that the rows of a batch die young, before the garbage collector promotes them. */
const VERSIONS_AT_ONCE = 100;

type VersionRow = Row<'versions'>;
/** What a document decides of the row of a version. */
type Fields = Omit<VersionRow, Counted | 'sort_key' | 'created_order' | 'changelog_id'>;
type Counted = 'change_count' | 'types' | 'breaking';

/** A version of the changelog, without its texts, which may be long. */
type Head = Pick<VersionRow, 'id' | 'label' | 'status' | 'published_at' | 'created_order'>;

export type PlannedVersion = Readonly<{
  version: VersionContent;
  /** Null for a new version. */
  before: Head | null;
  /** Null for a new version, and for one that stays as it is. */
  update: Update | null;
}>;

type Update = Readonly<{
  fields: Fields;
  /** All its changes, to replace the old ones; or if those stay in their places, the changes that differ. */
  changes: readonly ChangeRow[];
  isInPlace: boolean;
}>;

export type VersionsPlan = Readonly<{
  /** All versions of the changelog before. */
  heads: readonly Head[];
  planned: readonly PlannedVersion[];
}>;

/** Matches each version with an existing one, by id or else by label, each at most once. */
export async function planVersions(
  trx: Writer,
  changelogId: string | undefined,
  versions: readonly VersionContent[],
  now: string,
): Promise<VersionsPlan> {
  const heads = await rowsOf<Head>(trx)`
    select id, label, status, published_at, created_order from versions
    where changelog_id = ${changelogId ?? null} order by id`;
  const byId = new Map(heads.map((head) => [head.id, head]));
  const named = new Set(versions.map(({ id }) => byId.get(id ?? '')));
  const byLabel = new Map(heads.map((head) => [head.label, head]));
  const match = ({ id, version }: VersionContent) => {
    const same = byLabel.get(version);
    return byId.get(id ?? '') ?? (named.has(same) ? undefined : same) ?? null;
  };
  const planned: PlannedVersion[] = [];
  for (const some of batches(versions, VERSIONS_AT_ONCE)) {
    const matched = some.map((version) => ({ version, before: match(version) }));
    const ids = matched.flatMap(({ before }) => before?.id ?? []);
    const stored = await findVersions(trx, ids);
    for (const { version, before } of matched) {
      const found = before && stored.get(before.id);
      planned.push({ version, before, update: found ? compare(found, version, now) : null });
    }
  }
  return { heads, planned };
}

function compare(
  { row: before, changes: had }: StoredVersion,
  version: VersionContent,
  now: string,
): Update | null {
  const resolved = resolveChanges(had, version.changes);
  const isInPlace = had.length === resolved.length && resolved.every(({ id }, at) => id === had[at]?.id);
  const fields = fieldsOf(version, before.id, before, now);
  const changes = changeRows(resolved, fields.id).filter(
    (_, at) => !isInPlace || differs(had[at] ?? {}, resolved[at] ?? {}),
  );
  const isRescheduled = before.publish_at !== fields.publish_at;
  // A schedule is not part of the record: it does not count as an update of it (R45).
  const isChanged =
    !isInPlace ||
    changes.length > 0 ||
    differs(before, { ...fields, publish_at: before.publish_at, updated_at: before.updated_at });
  const last = before.updated_at ?? before.published_at ?? '';
  const updatedAt = timeOfExisting(last, version, { isChanged, now });
  if (!isChanged && !isRescheduled && updatedAt === last) return null;
  const updated_at = storedUpdateTime(fields.published_at, updatedAt);
  return { fields: { ...fields, updated_at }, changes, isInPlace };
}

function fieldsOf(version: VersionContent, id: string, before: VersionRow | null, now: string): Fields {
  const had = before && {
    status: before.status,
    publishedAt: before.published_at,
    publishAt: before.publish_at,
  };
  const { status, publishedAt, publishAt } = applyPublication(had, version, now);
  const times = { publishedAt, updatedAt: version.updatedAt };
  return {
    id: version.id ?? id,
    label: version.version,
    title: version.title,
    status,
    published_at: publishedAt,
    publish_at: publishAt,
    description: version.description,
    compare_url: version.links?.compare ?? null,
    image: version.image === undefined ? (before?.image ?? null) : version.image,
    yanked: version.yanked ? 1 : 0,
    updated_at: storedUpdateTime(publishedAt, timeOfNew(times, now, presentAt(now).time)),
  };
}

/** Null stands for the date of publication. */
function storedUpdateTime(publishedAt: string | null, updatedAt: string): string | null {
  return updatedAt === publishedAt ? null : updatedAt;
}

export type VersionsToWrite = VersionsPlan &
  Readonly<{
    changelogId: string;
    /** The product, as `team/product`. */
    name: string;
    path: FieldPath;
    /** Whether versions that are not in the document were deleted. */
    pruning: boolean;
    now: string;
    report: ReportOutcome;
  }>;

export async function writeVersions(trx: Writer, work: VersionsToWrite): Promise<void> {
  const { heads, planned, changelogId, name, path, now, report } = work;
  const created = planned.flatMap(({ version, before }) => (before === null ? version : []));
  const ids = idsOfNew(created, heads, now).values();
  // A document lists the newest first, so its last new version counts as created first.
  let order = created.length + heads.reduce((last, head) => Math.max(last, head.created_order), 0);
  requireFreeLabels(work);
  await clearForUpdate(trx, planned);
  await requireOwnIds(trx, planned, path);
  for (const some of batches(planned.entries(), VERSIONS_AT_ONCE)) {
    const added: NewVersion[] = [];
    const changed: Fields[] = [];
    const changes: ChangeRow[] = [];
    const edits: ChangeRow[] = [];
    for (const [index, { version, before, update }] of some) {
      requireNotFuture(version, [...path, index], now);
      if (before === null) {
        const fields = fieldsOf(version, ids.next().value ?? '', null, now);
        const counts = countsOf(version.changes);
        added.push({ ...fields, ...counts, changelog_id: changelogId, created_order: order-- });
        changes.push(...changeRows(version.changes, fields.id));
      } else if (update !== null) {
        const { fields } = update;
        if (fields.id !== before.id)
          await sql`update versions set id = ${fields.id} where id = ${before.id}`.execute(trx);
        changed.push(fields);
        (update.isInPlace ? edits : changes).push(...update.changes);
      }
      // Once published on schedule, it no longer waits.
      const isPublished = before?.status === 'published' && before.published_at === version.publishAt;
      report(
        {
          action: before === null ? 'created' : update === null ? 'unchanged' : 'changed',
          kind: 'version',
          name: `${name} ${version.version}`,
        },
        version.status === 'published' ? (version.publishedAt ?? before?.published_at ?? now) : null,
        isPublished ? null : version.publishAt,
      );
    }
    // Changes first: a version then counts and indexes all of its own at once, and a time that is set stays.
    await insertChanges(trx, changes);
    await insertVersions(trx, added);
    await updateRows(trx, 'changes', edits);
    await updateRows(trx, 'versions', changed);
  }
}

/** A label may be taken from another version of the document, but not from one that the document leaves out. */
function requireFreeLabels({ heads, planned, pruning, path }: VersionsToWrite): void {
  if (pruning) return;
  const inDocument = new Set(planned.map(({ before }) => before));
  const others = new Map(heads.flatMap((head) => (inDocument.has(head) ? [] : [[head.label, head.id]])));
  for (const [index, { version, before, update }] of planned.entries())
    if (before && update && before.label !== version.version && others.has(version.version))
      throw new ContentProblem(
        [...path, index, 'version'],
        `the version ${others.get(version.version)} already has this label; choose another.`,
      );
}

/** Removes what an update replaces: old changes, and labels that another version of the document may need. */
async function clearForUpdate(trx: Writer, planned: readonly PlannedVersion[]): Promise<void> {
  const idsWhere = (isChosen: (update: Update, before: Head) => boolean) =>
    batches(
      planned.flatMap(({ before, update }) =>
        before && update && isChosen(update, before) ? before.id : [],
      ),
    );
  for (const ids of idsWhere(({ isInPlace }) => !isInPlace))
    await sql`delete from changes where version_id in (${sql.join(ids)})`.execute(trx);
  for (const ids of idsWhere(({ fields }, { label }) => label !== fields.label))
    await sql`update versions set label = '~renaming ' || id where id in (${sql.join(ids)})`.execute(trx);
}

/** The ids of new rows that the document gives must not belong to others. */
async function requireOwnIds(
  trx: Writer,
  planned: readonly PlannedVersion[],
  path: FieldPath,
): Promise<void> {
  const [versions, changes]: [GivenId[], GivenId[]] = [[], []];
  for (const [index, { version, before, update }] of planned.entries()) {
    const at = [...path, index];
    if (version.id !== undefined && version.id !== before?.id) versions.push({ id: version.id, path: at });
    if (before === null || update?.isInPlace === false)
      for (const [position, { id }] of version.changes.entries())
        if (id !== undefined) changes.push({ id, path: [...at, 'changes', position] });
  }
  await requireFreeIds(trx, 'versions', versions);
  await requireFreeIds(trx, 'changes', changes);
}

type GivenId = Readonly<{ id: string; path: FieldPath }>;

export async function requireFreeIds(
  trx: Writer,
  table: 'changelogs' | 'versions' | 'changes',
  given: readonly GivenId[],
): Promise<void> {
  for (const some of batches(given)) {
    const ids = sql.join(some.map(({ id }) => id));
    const [found] = await rowsOf<GivenId>(
      trx,
    )`select id from ${sql.table(table)} where id in (${ids}) limit 1`;
    const taken = some.find(({ id }) => id === found?.id);
    if (taken !== undefined)
      throw new ContentProblem(
        [...taken.path, 'id'],
        `the id ${taken.id} is in use elsewhere; leave it out.`,
      );
  }
}

function requireNotFuture({ updatedAt }: VersionContent, path: FieldPath, now: string): void {
  if (updatedAt && updatedAt > presentAt(now).time)
    throw new ContentProblem(
      [...path, 'updatedAt'],
      `${updatedAt} is in the future; correct it or leave it out.`,
    );
}

/** As the triggers count them: then they have nothing to correct. */
const countsOf = (changes: VersionContent['changes']): Pick<VersionRow, Counted> => ({
  change_count: changes.length,
  types: changes.reduce((bits, { type }) => bits | changeBit(type), 0),
  breaking: changes.reduce((bits, { type, breaking }) => (breaking ? bits | changeBit(type) : bits), 0),
});

type NewVersion = Fields & Pick<VersionRow, Counted | 'changelog_id' | 'created_order'>;
type ChangeRow = Tables['changes'];
/** A change without an id gets a new one. */
type ChangeToWrite = Omit<VersionContent['changes'][number], 'id'> &
  Readonly<{ id?: string | null | undefined }>;

function changeRows(changes: readonly ChangeToWrite[], versionId: string): ChangeRow[] {
  return changes.map(({ id, type, text, breaking }, position) => ({
    id: id ?? newId('change'),
    version_id: versionId,
    position,
    type,
    text,
    breaking: breaking ? 1 : 0,
  }));
}

const [insertVersions, insertChanges] = [inserterOf('versions'), inserterOf('changes')];
function inserterOf<Table extends 'versions' | 'changes'>(table: Table) {
  const insert = rowInserter<Tables[Table]>(table);
  return async (trx: Writer, rows: readonly Insertable<Tables[Table]>[]): Promise<void> => {
    if ((await insert(trx, rows)) < rows.length)
      throw new Refusal('another process has written the same versions; try again.');
  };
}

/** True if any of the wanted fields differs in the row. */
export function differs(row: object, wanted: object): boolean {
  for (const key in wanted)
    if ((row as Record<string, unknown>)[key] !== (wanted as Record<string, unknown>)[key]) return true;
  return false;
}
