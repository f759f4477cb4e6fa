// Decides what an import does with a version, from what is stored, what the last import wrote, and the source.
import { MIDNIGHT, scheduledIfLater } from './future-date.ts';
import { applyPublication, type ScheduledPublication, type VersionPublication } from './lifecycle.ts';

/** A version as imports compare it; `content` is a fingerprint. */
export type ImportState = Readonly<{ content: string; publication: ScheduledPublication }>;

/** What a source says. The publication is null if it has no dates, and in the mark that such an import left. */
export type ImportedState = Readonly<{ content: string; publication: VersionPublication | null }>;

export type ImportCase = Readonly<{
  stored: ImportState | null;
  /** What the last import wrote; null if no import has seen the version. */
  mark: ImportedState | null;
  source: ImportedState;
  force: boolean;
  /** If set, undated versions that were never published are published as of this time. */
  publishedAt: string | null;
  now: string;
}>;

export type ImportDecision = Readonly<{
  action: 'create' | 'change' | 'leave' | 'keep';
  /** The publication that the source asks for; ignored for a kept version. */
  publication: ScheduledPublication;
  /** The new mark, or null if the mark does not change. */
  mark: ImportedState | null;
}>;

export function decideImport(given: ImportCase): ImportDecision {
  const { stored, mark, source, force } = given;
  const publication = publicationAfter(given);
  const next: ImportedState = {
    content: source.content,
    publication:
      source.publication === null ? (mark?.publication ?? null) : inWordsOf(source.publication, publication),
  };
  const nextMark = mark !== null && isEqual(mark, next) ? null : next;
  if (stored === null) return { action: 'create', publication, mark: next };
  if (stored.content === source.content && isSamePublication(stored.publication, publication))
    return { action: 'leave', publication, mark: nextMark };
  if (isEdited(given, stored, publication) && !force) return { action: 'keep', publication, mark: null };
  return { action: 'change', publication, mark: nextMark };
}

/** A source without dates does not change them; with `publishedAt`, it publishes versions that never were. */
function publicationAfter({ stored, mark, source, publishedAt, now }: ImportCase): ScheduledPublication {
  const had = stored?.publication ?? { status: 'draft', publishedAt: null, publishAt: null };
  const given = publishedAt === null ? null : ({ status: 'published', publishedAt } as const);
  const wanted = source.publication ?? (had.publishedAt === null ? given : null);
  if (wanted === null) return had;
  // A schedule that an import took from a date ends with that date. One that a person set stays.
  const isFromSource = had.publishAt !== null && had.publishAt === mark?.publication?.publishedAt;
  const schedule = isFromSource ? { publishAt: null } : {};
  return applyPublication(had, { ...schedule, ...scheduledIfLater(withTimeOf(had, wanted), now) }, now);
}

/** A source that has only the day leaves the time of that day alone. */
function withTimeOf(had: ScheduledPublication, wanted: VersionPublication): VersionPublication {
  const known = had.publishAt ?? had.publishedAt;
  const isDay =
    wanted.publishedAt?.endsWith(MIDNIGHT) && wanted.publishedAt.slice(0, 10) === known?.slice(0, 10);
  return isDay ? { ...wanted, publishedAt: known } : wanted;
}

/** A source says of a scheduled draft that it is published at that time, or that it is a draft. */
function inWordsOf(source: VersionPublication, { status, publishedAt, publishAt }: ScheduledPublication) {
  return source.status === 'published' && publishAt !== null
    ? ({ status: 'published', publishedAt: publishAt } as const)
    : { status, publishedAt };
}

/** Whether it differs from both the source and what the last import wrote. */
function isEdited(
  { mark, source }: ImportCase,
  stored: ImportState,
  publication: VersionPublication,
): boolean {
  const counts = source.publication !== null;
  const equalsSource =
    stored.content === source.content && (!counts || isSamePublication(stored.publication, publication));
  return !equalsSource && (mark === null || !equalsMark(stored, mark, counts));
}

type Publication = VersionPublication & Partial<ScheduledPublication>;

export type DescriptionAction = 'created' | 'changed' | 'unchanged' | 'kept';

/** For the changelog's own description. A source without one leaves it as it is. */
export function decideDescription(given: {
  stored: string | null;
  source: string | null;
  /** Whether it differs from what the last import wrote. */
  isEdited: boolean;
  force: boolean;
}): DescriptionAction {
  const { stored, source, isEdited, force } = given;
  if (source === null || source === stored) return 'unchanged';
  if (isEdited && !force) return 'kept';
  return stored === null ? 'created' : 'changed';
}

/** For a version that an import wrote and that its source no longer has. */
export function decideRemoved(given: {
  stored: ImportState;
  mark: ImportedState;
  prune: boolean;
  force: boolean;
}): 'delete' | 'keep' | 'keep-edited' {
  const { stored, mark, prune, force } = given;
  if (!prune) return 'keep';
  return force || equalsMark(stored, mark, true) ? 'delete' : 'keep-edited';
}

function equalsMark(stored: ImportState, mark: ImportedState, publicationCounts: boolean): boolean {
  if (stored.content !== mark.content) return false;
  if (!publicationCounts || mark.publication === null) return true;
  return isSamePublication(inWordsOf(mark.publication, stored.publication), mark.publication);
}

function isEqual(a: ImportedState, b: ImportedState): boolean {
  return a.content === b.content && isSamePublication(a.publication, b.publication);
}

function isSamePublication(a: Publication | null, b: Publication | null): boolean {
  return a?.status === b?.status && a?.publishedAt === b?.publishedAt && a?.publishAt === b?.publishAt;
}
