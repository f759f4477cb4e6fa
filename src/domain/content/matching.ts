// Which of the things that exist a document means. Pure: the store reads and writes around it.

import type { ChangeContent } from './content.ts';

export type ExistingChange = ChangeContent & Readonly<{ id: string }>;

/** A change as it shall be; one without an id gets a new one. */
type ResolvedChange = Omit<ChangeContent, 'id'> & Readonly<{ id: string | null }>;

/**
 * Gives each change of a document the id it had before: the one it names; else that of a change that reads the same;
 * else that of the change in its place, which was then edited.
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
    const inPlace = existing[index];
    if (resolved[index] === null && inPlace !== undefined && free.delete(inPlace.id))
      resolved[index] = inPlace.id;
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
