// Decides what an import does with a version, from what is stored, what the last import wrote, and the source.
import { moveVersion, type VersionPublication } from './lifecycle.ts';

/** A version as imports compare it; `content` is a fingerprint. */
export type ImportState = Readonly<{ content: string; publication: VersionPublication }>;

/** The publication is null if the source has no dates, and in the mark that such an import left. */
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
  publication: VersionPublication;
  /** The new mark, or null if the mark does not change. */
  mark: ImportedState | null;
}>;

export function decideImport(given: ImportCase): ImportDecision {
  const { stored, mark, source, force } = given;
  const publication = publicationAfter(given);
  const next: ImportedState = {
    content: source.content,
    publication: source.publication === null ? (mark?.publication ?? null) : publication,
  };
  const nextMark = mark !== null && isEqual(mark, next) ? null : next;
  if (stored === null) return { action: 'create', publication, mark: next };
  if (isEqual(stored, { content: source.content, publication }))
    return { action: 'leave', publication, mark: nextMark };
  if (isEdited(given, stored, publication) && !force) return { action: 'keep', publication, mark: null };
  return { action: 'change', publication, mark: nextMark };
}

/** A source without dates does not change them; with `publishedAt`, it publishes versions that never were. */
function publicationAfter({ stored, source, publishedAt, now }: ImportCase): VersionPublication {
  const had = stored?.publication ?? { status: 'draft', publishedAt: null };
  if (source.publication !== null) {
    const dated = source.publication.publishedAt ?? had.publishedAt;
    return moveVersion({ status: 'draft', publishedAt: dated }, source.publication.status, now);
  }
  return had.publishedAt === null && publishedAt !== null ? { status: 'published', publishedAt } : had;
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
  return (
    !publicationCounts || mark.publication === null || isSamePublication(stored.publication, mark.publication)
  );
}

function isEqual(a: ImportedState, b: ImportedState): boolean {
  return a.content === b.content && isSamePublication(a.publication, b.publication);
}

function isSamePublication(a: VersionPublication | null, b: VersionPublication | null): boolean {
  return a?.status === b?.status && a?.publishedAt === b?.publishedAt;
}
