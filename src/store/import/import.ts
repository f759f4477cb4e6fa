// Imports versions from another source into a changelog, inside one transaction: an error rolls everything back.
import { ContentProblem, type VersionContent, type VersionList } from '../../domain/content/content.ts';
import {
  decideImport,
  decideRemoved,
  type ImportDecision,
  type ImportedState,
  type ImportState,
} from '../../domain/content/import-decision.ts';
import { lockedBy } from '../../domain/content/lifecycle.ts';
import { differenceOf, type VersionDifference } from '../../domain/content/version-difference.ts';
import { Refusal } from '../../errors.ts';
import { batches } from '../engine/batches.ts';
import type { Writer } from '../engine/engine.ts';
import type { ProductPath } from '../read/reads.ts';
import { applyContent, findChangelog } from '../write/apply.ts';
import { lockedMessage, type Outcome } from '../write/outcome.ts';
import { requireProduct } from '../write/writes.ts';
import {
  analyzeNextMarks,
  fingerprintOf,
  formatMark,
  listMarkedByLabel,
  listRemoved,
  type MarkedVersion,
  prepareNextMarks,
  writeNextMarks,
} from './marks.ts';
import { documentFor, findTarget, type ImportTarget } from './target.ts';

const VERSIONS_AT_ONCE = 100;

/** A version of the source and its line there. */
export type VersionToImport = Readonly<{ content: VersionContent; isDated: boolean; line: number }>;
type VersionsToImport = Iterable<VersionToImport> & Readonly<{ length: number }>;

export type ImportOutcome = Readonly<{
  action: 'created' | 'changed' | 'unchanged' | 'deleted' | 'kept';
  version: string;
  /** Why it was kept: edited since the last import, never imported, or removed from the source. */
  reason?: 'edited' | 'foreign' | 'gone' | 'gone-edited';
  difference?: VersionDifference;
}>;

export type ImportOptions = Readonly<{
  /** The name of the source in messages. */
  source: string;
  /** The name that the source gives the changelog, if any. */
  name: string | null;
  create: boolean;
  prune: boolean;
  force: boolean;
  publishedAt: string | null;
  now: string;
  /** Receives the outcome of each version in the order of the source, then of those removed from it. */
  report: (
    outcome: ImportOutcome,
    /** The date of a version that is published now; null or absent for all others. */
    publishedAt?: string | null,
  ) => void;
  /** Receives the team, the product and the changelog if they are created. */
  reportCreated: (outcome: Outcome) => void;
  onCompared?: (versions: number) => void;
  onWritten?: (versions: number, whole: number) => void;
}>;

export type ImportSummary = Readonly<{
  target: ImportTarget;
  /** How many versions of the source have a date, are marked as drafts, or have neither. */
  dated: number;
  drafts: number;
  undated: number;
  /** Versions with neither that are drafts now. */
  undatedDrafts: number;
}>;

export async function importVersions(
  trx: Writer,
  path: ProductPath,
  versions: VersionsToImport,
  options: ImportOptions,
): Promise<ImportSummary> {
  const target = await findTarget(trx, path, options);
  const { writes, ...summary } = await compareVersions(trx, target, versions, options);
  if (target.changelogId !== null) await settleRemoved(trx, path, target, target.changelogId, options);
  if (writes.count > 0 || target.changelogId === null)
    await writeVersions(trx, target, versions, writes, options);
  await writeNextMarks(trx, target.changelogId ?? (await requireCreatedChangelog(trx, path)));
  return { target, ...summary };
}

async function requireCreatedChangelog(trx: Writer, path: ProductPath): Promise<string> {
  const { id } = await requireProduct(trx, path);
  return (await findChangelog(trx, id))?.id ?? '';
}

/** What is written of a version: nothing, or all of it with one of these publications. One byte each, for a million. */
const NOTHING = 0;
const AS_IN_SOURCE = 1;
const AS_DRAFT = 2;
/** With the date that it already has. */
const AS_PUBLISHED = 3;
const PUBLISHED_AT_OPTION = 4;

type Writes = Readonly<{ actions: Uint8Array; count: number }>;

async function compareVersions(
  trx: Writer,
  { changelogId }: ImportTarget,
  versions: VersionsToImport,
  options: ImportOptions,
) {
  const { publishedAt, report, onCompared = () => {} } = options;
  const insertNextMarks = await prepareNextMarks(trx);
  const actions = new Uint8Array(versions.length);
  const counts = { dated: 0, drafts: 0, undated: 0, undatedDrafts: 0 };
  let [compared, toWrite] = [0, 0];
  for (const some of batches(versions, VERSIONS_AT_ONCE)) {
    const labels = some.map(({ content }) => content.version);
    const stored = changelogId === null ? new Map() : await listMarkedByLabel(trx, changelogId, labels);
    const nextMarks = some.map((version) => {
      const { content, isDated } = version;
      const before: MarkedVersion | undefined = stored.get(content.version);
      const decision = decide(version, before, options);
      const action = actionOf(decision, isDated, publishedAt);
      actions[compared++] = action;
      if (action !== NOTHING) toWrite++;
      counts[isDated ? (content.status === 'draft' ? 'drafts' : 'dated') : 'undated']++;
      if (!isDated && decision.publication.status === 'draft') counts.undatedDrafts++;
      const { status, publishedAt: date } =
        decision.action === 'keep' && before ? before.content : decision.publication;
      report(outcomeOf(version, before, decision), status === 'published' ? date : null);
      return { label: content.version, mark: decision.mark && formatMark(decision.mark) };
    });
    await insertNextMarks(trx, nextMarks);
    onCompared(compared);
  }
  await analyzeNextMarks(trx);
  return { writes: { actions, count: toWrite }, ...counts };
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
  const { status, publishedAt } = content;
  return { content: fingerprintOf(content), publication: { status, publishedAt } };
}

function actionOf(
  { action, publication }: ImportDecision,
  isDated: boolean,
  publishedAt: string | null,
): number {
  if (action === 'leave' || action === 'keep') return NOTHING;
  if (isDated) return AS_IN_SOURCE;
  if (publication.status === 'draft') return AS_DRAFT;
  return publication.publishedAt === publishedAt ? PUBLISHED_AT_OPTION : AS_PUBLISHED;
}

const ACTIONS = { create: 'created', change: 'changed', leave: 'unchanged', keep: 'kept' } as const;

function outcomeOf(
  { content }: VersionToImport,
  before: MarkedVersion | undefined,
  { action, publication }: ImportDecision,
): ImportOutcome {
  const outcome = { action: ACTIONS[action], version: content.version };
  if (before === undefined || action === 'leave') return outcome;
  // Sources know no schedules: publishing a version ends its own, and nothing else changes it.
  const publishAt = publication.status === 'draft' ? before.content.publishAt : null;
  const difference = differenceOf(before.content, { ...content, ...publication, publishAt });
  if (action !== 'keep') return { ...outcome, difference };
  return { ...outcome, reason: before.mark === null ? 'foreign' : 'edited', difference };
}

/** Applies the versions that changed as a content document. */
async function writeVersions(
  trx: Writer,
  target: ImportTarget,
  versions: VersionsToImport,
  writes: Writes,
  options: ImportOptions,
): Promise<void> {
  const { source, now, publishedAt, reportCreated, onWritten = () => {} } = options;
  const toWrite: VersionList = {
    length: writes.count,
    *[Symbol.iterator]() {
      for (const [version, action] of chosen(versions, writes)) yield asWritten(version, action, publishedAt);
    },
  };
  let written = 0;
  try {
    await applyContent(trx, documentFor(target, toWrite), {
      pruning: false,
      now,
      report: (outcome) => {
        if (outcome.kind === 'version') onWritten(++written, writes.count);
        else if (outcome.action !== 'unchanged') reportCreated(outcome);
      },
      reportPruned: () => {},
    });
  } catch (error) {
    if (!(error instanceof ContentProblem)) throw error;
    const line = lineOf(error, versions, writes);
    throw new Refusal(line === null ? error.message : `${source}:${line}: ${error.message}`, {
      cause: error,
    });
  }
}

function* chosen(versions: VersionsToImport, { actions }: Writes): Generator<[VersionToImport, number]> {
  let index = 0;
  for (const version of versions) {
    const action = actions[index++] ?? NOTHING;
    if (action !== NOTHING) yield [version, action];
  }
}

function asWritten({ content }: VersionToImport, action: number, publishedAt: string | null): VersionContent {
  if (action === AS_IN_SOURCE) return content;
  if (action === AS_DRAFT) return { ...content, status: 'draft', publishedAt: null };
  return {
    ...content,
    status: 'published',
    publishedAt: action === PUBLISHED_AT_OPTION ? publishedAt : null,
  };
}

/** The path of a problem in a version is `products[0].changelog.versions[INDEX]`. */
function lineOf({ path }: ContentProblem, versions: VersionsToImport, writes: Writes): number | null {
  const wanted = path[4];
  if (typeof wanted !== 'number') return null;
  let index = 0;
  for (const [{ line }] of chosen(versions, writes)) if (index++ === wanted) return line;
  return null;
}

async function settleRemoved(
  trx: Writer,
  { team, product }: ProductPath,
  target: ImportTarget,
  changelogId: string,
  { prune, force, report }: ImportOptions,
): Promise<void> {
  const lock = lockedBy(target.product.status, target.changelog.status);
  let removed: MarkedVersion[] = [];
  do {
    removed = await listRemoved(trx, changelogId, removed.at(-1)?.content.id ?? '', VERSIONS_AT_ONCE);
    const deleted: string[] = [];
    for (const version of removed) {
      const { id, version: label } = version.content;
      const mark = version.mark as ImportedState;
      const decision = decideRemoved({ stored: stateOf(version), mark, prune, force });
      if (decision === 'delete') {
        if (lock !== null) throw new Refusal(lockedMessage(lock, `${team}/${product}`));
        deleted.push(id);
        report({ action: 'deleted', version: label });
      } else {
        report({ action: 'kept', version: label, reason: decision === 'keep' ? 'gone' : 'gone-edited' });
      }
    }
    if (deleted.length > 0) await trx.deleteFrom('versions').where('id', 'in', deleted).execute();
  } while (removed.length === VERSIONS_AT_ONCE);
}
