// Matches a document's changes with the existing ones.

import type { ChangeContent } from './content.ts';

export type ExistingChange = ChangeContent & Readonly<{ id: string }>;

/** A change without an id gets a new one. */
type ResolvedChange = Omit<ChangeContent, 'id'> & Readonly<{ id: string | null }>;

/**
 * Gives each of a document's changes its id: the document's own, otherwise that of an equal change, otherwise that of
 * the change at the same position, which then counts as edited.
 */
export function resolveChanges(
  existing: readonly ExistingChange[],
  wanted: readonly ChangeContent[],
): ResolvedChange[] {
  const named = new Set(wanted.flatMap(({ id }) => id ?? []));
  const free = new Map(existing.filter(({ id }) => !named.has(id)).map((change) => [change.id, change]));
  const resolved = wanted.map((change) => change.id ?? null);

  const byContent = Map.groupBy(free.values(), contentOf);
  wanted.forEach((change, index) => {
    if (resolved[index] !== null) return;
    const same = byContent.get(contentOf(change))?.shift();
    if (same === undefined) return;
    resolved[index] = same.id;
    free.delete(same.id);
  });
  wanted.forEach((_, index) => {
    const atPosition = existing[index];
    if (resolved[index] === null && atPosition !== undefined && free.delete(atPosition.id))
      resolved[index] = atPosition.id;
  });
  return wanted.map(({ type, text, breaking }, index) => ({
    id: resolved[index] ?? null,
    type,
    text,
    breaking,
  }));
}

function contentOf({ type, text, breaking }: ChangeContent): string {
  return `${type} ${breaking} ${text}`;
}
