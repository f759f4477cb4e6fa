// Versions from another source into a changelog. Runs inside one transaction; whatever it refuses undoes all of it.
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
  countNextMarks,
  fingerprintOf,
  listGone,
  listMarkedByLabel,
  type MarkedVersion,
  prepareNextMarks,
  writeMark,
  writeNextMarks,
} from './marks.ts';
import { documentFor, findTarget, type ImportTarget } from './target.ts';

const VERSIONS_AT_ONCE = 100;

/** A version as a source has it; the line is where it stands. */
export type VersionToImport = Readonly<{ content: VersionContent; isDated: boolean; line: number }>;
export type VersionsToImport = Iterable<VersionToImport> & Readonly<{ length: number }>;

export type ImportOutcome = Readonly<{
  action: 'created' | 'changed' | 'unchanged' | 'deleted' | 'kept';
  version: string;
  /** Why it was kept: it was edited since the last import, or never came from one, or is not in the source any more. */
  reason?: 'edited' | 'foreign' | 'gone' | 'gone-edited';
  difference?: VersionDifference;
}>;

export type ImportOptions = Readonly<{
  /** How the source is called in messages. */
  source: string;
  /** What the source calls itself, if it does. */
  name: string | null;
  create: boolean;
  prune: boolean;
  force: boolean;
  publishedAt: string | null;
  now: string;
  /** Is told what becomes of each version, in the order of the source, and then of those that are gone from it. */
  tell: (outcome: ImportOutcome) => void;
  /** Is told of the team, the product and the changelog if they are made. */
  tellMade: (outcome: Outcome) => void;
  onCompared?: (versions: number) => void;
  /** Of as many as are to be written. */
  onWritten?: (versions: number, whole: number) => void;
}>;

export type ImportSummary = Readonly<{
  place: ImportTarget;
  /** Of the versions in the source: how many it gives a date, calls drafts, and says nothing about. */
  dated: number;
  drafts: number;
  undated: number;
  /** Those that it says nothing about and that are drafts now. */
  undatedDrafts: number;
}>;

export async function importVersions(
  trx: Writer,
  path: ProductPath,
  versions: VersionsToImport,
  options: ImportOptions,
): Promise<ImportSummary> {
  const place = await findTarget(trx, path, options);
  const { writes, ...summary } = await compareVersions(trx, place, versions, options);
  if (place.changelogId !== null) await settleGone(trx, path, place, place.changelogId, options);
  if (writes.count > 0 || place.changelogId === null)
    await writeVersions(trx, place, versions, writes, options);
  await writeNextMarks(trx, place.changelogId ?? (await requireCreatedChangelog(trx, path)));
  return { place, ...summary };
}

async function requireCreatedChangelog(trx: Writer, path: ProductPath): Promise<string> {
  const { id } = await requireProduct(trx, path);
  return (await findChangelog(trx, id))?.id ?? '';
}

/** What is written of a version, in one byte: nothing, or all of it with one of these publications. */
const NOTHING = 0;
const AS_IN_SOURCE = 1;
const AS_DRAFT = 2;
/** With the date that it has. */
const AS_PUBLISHED = 3;
const PUBLISHED_AT_OPTION = 4;

type Writes = Readonly<{ codes: Uint8Array; count: number }>;

async function compareVersions(
  trx: Writer,
  { changelogId }: ImportTarget,
  versions: VersionsToImport,
  options: ImportOptions,
) {
  const { publishedAt, tell, onCompared = () => {} } = options;
  const insertNextMarks = await prepareNextMarks(trx);
  const codes = new Uint8Array(versions.length);
  const counts = { dated: 0, drafts: 0, undated: 0, undatedDrafts: 0 };
  let [compared, toWrite] = [0, 0];
  for (const some of batches(versions, VERSIONS_AT_ONCE)) {
    const labels = some.map(({ content }) => content.version);
    const stored = changelogId === null ? new Map() : await listMarkedByLabel(trx, changelogId, labels);
    const nextMarks = some.map((version) => {
      const { content, isDated } = version;
      const before: MarkedVersion | undefined = stored.get(content.version);
      const decision = decide(version, before, options);
      const code = codeOf(decision, isDated, publishedAt);
      codes[compared++] = code;
      if (code !== NOTHING) toWrite++;
      counts[isDated ? (content.status === 'draft' ? 'drafts' : 'dated') : 'undated']++;
      if (!isDated && decision.publication.status === 'draft') counts.undatedDrafts++;
      tell(outcomeOf(version, before, decision));
      return { label: content.version, mark: decision.mark && writeMark(decision.mark) };
    });
    await insertNextMarks(trx, nextMarks);
    onCompared(compared);
  }
  await countNextMarks(trx);
  return { writes: { codes, count: toWrite }, ...counts };
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

function codeOf(
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
  const difference = differenceOf(before.content, { ...content, ...publication });
  if (action !== 'keep') return { ...outcome, difference };
  return { ...outcome, reason: before.mark === null ? 'foreign' : 'edited', difference };
}

/** Gives the versions that are to be written to where documents are applied, and nothing else. */
async function writeVersions(
  trx: Writer,
  place: ImportTarget,
  versions: VersionsToImport,
  writes: Writes,
  options: ImportOptions,
): Promise<void> {
  const { source, now, publishedAt, tellMade, onWritten = () => {} } = options;
  const toWrite: VersionList = {
    length: writes.count,
    *[Symbol.iterator]() {
      for (const [version, code] of chosen(versions, writes)) yield asWritten(version, code, publishedAt);
    },
  };
  let written = 0;
  try {
    await applyContent(trx, documentFor(place, toWrite), {
      pruning: false,
      now,
      tell: (outcome) => {
        if (outcome.kind === 'version') onWritten(++written, writes.count);
        else if (outcome.action !== 'unchanged') tellMade(outcome);
      },
      tellPruned: () => {},
    });
  } catch (error) {
    if (!(error instanceof ContentProblem)) throw error;
    const line = lineOf(error, versions, writes);
    throw new Refusal(line === null ? error.message : `${source}:${line}: ${error.message}`, {
      cause: error,
    });
  }
}

function* chosen(versions: VersionsToImport, { codes }: Writes): Generator<[VersionToImport, number]> {
  let index = 0;
  for (const version of versions) {
    const code = codes[index++] ?? NOTHING;
    if (code !== NOTHING) yield [version, code];
  }
}

function asWritten({ content }: VersionToImport, code: number, publishedAt: string | null): VersionContent {
  if (code === AS_IN_SOURCE) return content;
  if (code === AS_DRAFT) return { ...content, status: 'draft', publishedAt: null };
  return { ...content, status: 'published', publishedAt: code === PUBLISHED_AT_OPTION ? publishedAt : null };
}

/** A problem of a version stands at `products[0].changelog.versions[INDEX]`. */
function lineOf({ path }: ContentProblem, versions: VersionsToImport, writes: Writes): number | null {
  const wanted = path[4];
  if (typeof wanted !== 'number') return null;
  let index = 0;
  for (const [{ line }] of chosen(versions, writes)) if (index++ === wanted) return line;
  return null;
}

async function settleGone(
  trx: Writer,
  { team, product }: ProductPath,
  place: ImportTarget,
  changelogId: string,
  { prune, force, tell }: ImportOptions,
): Promise<void> {
  const lock = lockedBy(place.product.status, place.changelog.status);
  let gone: MarkedVersion[] = [];
  do {
    gone = await listGone(trx, changelogId, gone.at(-1)?.content.id ?? '', VERSIONS_AT_ONCE);
    const deleted: string[] = [];
    for (const version of gone) {
      const { id, version: label } = version.content;
      const mark = version.mark as ImportedState;
      const decision = decideRemoved({ stored: stateOf(version), mark, prune, force });
      if (decision === 'delete') {
        if (lock !== null) throw new Refusal(lockedMessage(lock, `${team}/${product}`));
        deleted.push(id);
        tell({ action: 'deleted', version: label });
      } else {
        tell({ action: 'kept', version: label, reason: decision === 'keep' ? 'gone' : 'gone-edited' });
      }
    }
    if (deleted.length > 0) await trx.deleteFrom('versions').where('id', 'in', deleted).execute();
  } while (gone.length === VERSIONS_AT_ONCE);
}
