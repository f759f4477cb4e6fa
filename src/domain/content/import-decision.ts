// What an import does with a version, given what is stored, what the last import left, and what the source says.
import { moveVersion, type VersionPublication } from './lifecycle.ts';

/** A version as far as imports compare it; `content` is a fingerprint of all that it says. */
export type ImportState = Readonly<{ content: string; publication: VersionPublication }>;

/** The same without a publication where that was not said: by a source without dates, or in the mark that it left. */
export type ImportedState = Readonly<{ content: string; publication: VersionPublication | null }>;

export type ImportCase = Readonly<{
  stored: ImportState | null;
  /** What the last import left, if any import has met the version. */
  mark: ImportedState | null;
  source: ImportedState;
  force: boolean;
  /** When versions without a date that were never published are to be published, if they are. */
  publishedAt: string | null;
  now: string;
}>;

export type ImportDecision = Readonly<{
  action: 'create' | 'change' | 'leave' | 'keep';
  /** How the version stands as the source would have it; a kept one stays as it is. */
  publication: VersionPublication;
  /** The mark that it is to have, or null if its mark stays as it is. */
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

/** A source that says nothing of dates leaves them alone, and with `publishedAt` publishes what never was. */
function publicationAfter({ stored, source, publishedAt, now }: ImportCase): VersionPublication {
  const had = stored?.publication ?? { status: 'draft', publishedAt: null };
  if (source.publication !== null) {
    const dated = source.publication.publishedAt ?? had.publishedAt;
    return moveVersion({ status: 'draft', publishedAt: dated }, source.publication.status, now);
  }
  return had.publishedAt === null && publishedAt !== null ? { status: 'published', publishedAt } : had;
}

/** Does it differ both from the source and from what the last import left? */
function isEdited(
  { mark, source }: ImportCase,
  stored: ImportState,
  publication: VersionPublication,
): boolean {
  const counts = source.publication !== null;
  const isAsInSource =
    stored.content === source.content && (!counts || isSamePublication(stored.publication, publication));
  return !isAsInSource && (mark === null || !isAsMarked(stored, mark, counts));
}

/** Of a version that an import wrote and that its source no longer has. */
export function decideRemoved(given: {
  stored: ImportState;
  mark: ImportedState;
  prune: boolean;
  force: boolean;
}): 'delete' | 'keep' | 'keep-edited' {
  const { stored, mark, prune, force } = given;
  if (!prune) return 'keep';
  return force || isAsMarked(stored, mark, true) ? 'delete' : 'keep-edited';
}

function isAsMarked(stored: ImportState, mark: ImportedState, publicationCounts: boolean): boolean {
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
