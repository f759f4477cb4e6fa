// Imports versions from another source into a changelog, inside one transaction: an error rolls everything back.
import { sql } from 'kysely';
import { ContentProblem, type VersionContent } from '../../domain/content/content.ts';
import {
  type DescriptionAction,
  decideDescription,
  decideImport,
  decideRemoved,
  type ImportDecision,
  type ImportedState,
  type ImportState,
} from '../../domain/content/import-decision.ts';
import { differenceOf, type VersionDifference } from '../../domain/content/version-difference.ts';
import { otherLabel } from '../../domain/version-names.ts';
import { Refusal } from '../../errors.ts';
import { batches } from '../engine/batches.ts';
import type { Writer } from '../engine/engine.ts';
import type { ProductPath } from '../read/reads.ts';
import { applyContent } from '../write/apply.ts';
import type { Outcome, Report } from '../write/versions.ts';
import { requireChangelog, requireUnlocked } from '../write/writes.ts';
import {
  findMarked,
  fingerprintOf,
  formerOf,
  listMarked,
  type MarkedHead,
  type MarkedVersion,
  textMark,
  writeMarks,
} from './marks.ts';
import { documentFor, findTarget, type ImportTarget, type TargetOptions } from './target.ts';

const VERSIONS_AT_ONCE = 100;

/** A version of the source and its line there. */
export type VersionToImport = Readonly<{ content: VersionContent; isDated: boolean; line: number }>;

export type ImportOutcome = Readonly<{
  action: 'created' | 'changed' | 'unchanged' | 'deleted' | 'kept';
  version: string;
  /** Why it was kept: edited since the last import, never imported, removed from the source, or renamed to `label`. */
  reason?: 'edited' | 'foreign' | 'gone' | 'gone-edited' | 'renamed';
  label?: string;
  difference?: VersionDifference;
}>;

export type ImportOptions = TargetOptions &
  Readonly<{
    /** The name of the source in messages. */
    source: string;
    /** The introduction of the source, if any. */
    description: string | null;
    prune: boolean;
    force: boolean;
    publishedAt: string | null;
    now: string;
    /** Receives the outcome of each version in the order of the source, then of those removed from it. */
    report: Report<ImportOutcome>;
    /** Receives the team, the product and the changelog if they are created or published. */
    reportTarget: (outcome: Outcome) => void;
    onWritten?: (versions: number, whole: number) => void;
  }>;

export type ImportSummary = Readonly<{
  target: ImportTarget;
  /** Versions without a date that are drafts now, and are not marked as drafts. */
  undatedDrafts: number;
  /** What became of the changelog's own description. */
  description: DescriptionAction;
}>;

export async function importVersions(
  trx: Writer,
  path: ProductPath,
  versions: readonly VersionToImport[],
  options: ImportOptions,
): Promise<ImportSummary> {
  const target = await findTarget(trx, path, options);
  const heads = target.changelogId === null ? [] : await listMarked(trx, target.changelogId);
  const { writes, marks, undatedDrafts } = await compareVersions(trx, heads, versions, options);
  const labels = new Set(versions.map(({ content }) => content.version));
  const removed = heads.filter(
    (head) => head.mark && formerOf(head) === undefined && !labels.has(head.label),
  );
  await settleRemoved(trx, path, target, removed, options);
  if (writes.length > 0 || target.changelogId === null || options.publish)
    await writeVersions(trx, target, writes, options);
  const changelogId = target.changelogId ?? (await requireChangelog(trx, path)).changelog.id;
  await writeMarks(trx, changelogId, marks);
  const description = await describeChangelog(trx, path, { ...target, changelogId }, options);
  return { target, undatedDrafts, description };
}

async function describeChangelog(
  trx: Writer,
  path: ProductPath,
  target: ImportTarget,
  { description, force }: ImportOptions,
): Promise<DescriptionAction> {
  const { description: stored, status } = target.changelog;
  const isEdited = (stored === null ? null : textMark(stored)) !== target.descriptionMark;
  const action = decideDescription({ stored, source: description, isEdited, force });
  if (description === null || action === 'unchanged' || action === 'kept') return action;
  requireUnlocked(path, target.product.status, status);
  await sql`update changelogs set description = ${description}, description_mark = ${textMark(description)}
    where id = ${target.changelogId}`.execute(trx);
  return action;
}

async function compareVersions(
  trx: Writer,
  heads: readonly MarkedHead[],
  versions: readonly VersionToImport[],
  options: ImportOptions,
) {
  const { report } = options;
  const writes: Pick<VersionToImport, 'content' | 'line'>[] = [];
  const marks: { label: string; mark: ImportedState }[] = [];
  let undatedDrafts = 0;
  const byLabel = new Map(heads.map((head) => [head.label, head]));
  const renamed = heads.filter((head) => formerOf(head) !== undefined);
  const renamedContent = await findMarked(trx, renamed);
  const newLabels = new Set(renamed.map(({ label }) => label));
  /** A draft that was renamed to `v1.3.0` is `1.3.0` in the source, or the other way round. */
  const storedLabel = (label: string) => (newLabels.has(otherLabel(label)) ? otherLabel(label) : label);
  for (const some of batches(versions, VERSIONS_AT_ONCE)) {
    const known = some.flatMap(({ content }) => byLabel.get(storedLabel(content.version)) ?? []);
    const stored = await findMarked(trx, known);
    for (const version of some) {
      const { content, isDated, line } = version;
      const before = stored.get(storedLabel(content.version));
      const other = before
        ? undefined
        : renamed.find((head) => isSameDraft(content, formerOf(head), renamedContent.get(head.label)));
      if (other !== undefined) {
        report({ action: 'kept', version: content.version, reason: 'renamed', label: other.label });
        continue;
      }
      const decision = decide(version, before, options);
      if (decision.action === 'create' || decision.action === 'change')
        writes.push({ content: { id: before?.content.id, ...content, ...decision.publication }, line });
      if (decision.mark) marks.push({ label: content.version, mark: decision.mark });
      const { status, publishedAt, publishAt } =
        decision.action === 'keep' && before ? stateOf(before).publication : decision.publication;
      if (!isDated && status === 'draft' && publishAt === null) undatedDrafts++;
      const publishedNow = status === 'published' ? publishedAt : null;
      report(
        outcomeOf(version, before, decision),
        publishedNow,
        content.status === 'draft' ? null : publishAt,
      );
    }
  }
  return { writes, marks, undatedDrafts };
}

/** Whether the source still has a renamed draft under its old name, perhaps with more changes. */
function isSameDraft(content: VersionContent, former?: string, renamed?: MarkedVersion): boolean {
  if (fingerprintOf(content) === former) return true;
  const written = new Set(content.changes.map(({ text }) => text));
  const changes = renamed?.content.changes ?? [];
  return content.status === 'draft' && changes.length > 0 && changes.every(({ text }) => written.has(text));
}

function decide(
  { content, isDated }: VersionToImport,
  before: MarkedVersion | undefined,
  { force, publishedAt, now }: ImportOptions,
): ImportDecision {
  const { status, publishedAt: date } = content;
  const source: ImportedState = {
    content: fingerprintOf(content),
    publication: isDated ? { status, publishedAt: date } : null,
  };
  const stored = before === undefined ? null : stateOf(before);
  return decideImport({ stored, mark: before?.mark ?? null, source, force, publishedAt, now });
}

function stateOf({ content }: MarkedVersion): ImportState {
  const { status, publishedAt, publishAt = null } = content;
  return { content: fingerprintOf(content), publication: { status, publishedAt, publishAt } };
}

const ACTIONS = { create: 'created', change: 'changed', leave: 'unchanged', keep: 'kept' } as const;

function outcomeOf(
  { content }: VersionToImport,
  before: MarkedVersion | undefined,
  { action, publication }: ImportDecision,
): ImportOutcome {
  const outcome = { action: ACTIONS[action], version: content.version };
  if (before === undefined || action === 'leave') return outcome;
  const difference = differenceOf(before.content, { ...content, ...publication });
  if (action !== 'keep') return { ...outcome, difference };
  return { ...outcome, reason: before.mark === null ? 'foreign' : 'edited', difference };
}

/** Applies the versions that changed as a content document. */
async function writeVersions(
  trx: Writer,
  target: ImportTarget,
  writes: readonly Pick<VersionToImport, 'content' | 'line'>[],
  options: ImportOptions,
): Promise<void> {
  const { source, now, reportTarget, onWritten = () => {} } = options;
  const versions = writes.map(({ content }) => content);
  let written = 0;
  try {
    await applyContent(trx, documentFor(target, versions), {
      pruning: false,
      now,
      report: (outcome) => {
        if (outcome.kind === 'version') onWritten(++written, writes.length);
        else if (outcome.action !== 'unchanged') reportTarget(outcome);
      },
    });
  } catch (error) {
    if (!(error instanceof ContentProblem)) throw error;
    // The path of a problem in a version is `products[0].changelog.versions[INDEX]`.
    const line = writes[Number(error.path[4])]?.line;
    throw new Refusal(line === undefined ? error.message : `${source}:${line}: ${error.message}`, {
      cause: error,
    });
  }
}

async function settleRemoved(
  trx: Writer,
  path: ProductPath,
  { product, changelog }: ImportTarget,
  removed: readonly MarkedHead[],
  { prune, force, report }: ImportOptions,
): Promise<void> {
  for (const some of batches(removed)) {
    const deleted: string[] = [];
    for (const [label, version] of await findMarked(trx, some)) {
      const mark = version.mark as ImportedState;
      const decision = decideRemoved({ stored: stateOf(version), mark, prune, force });
      if (decision === 'delete') {
        requireUnlocked(path, product.status, changelog.status);
        deleted.push(version.content.id);
        report({ action: 'deleted', version: label });
      } else {
        report({ action: 'kept', version: label, reason: decision === 'keep' ? 'gone' : 'gone-edited' });
      }
    }
    if (deleted.length > 0) await sql`delete from versions where id in (${sql.join(deleted)})`.execute(trx);
  }
}
