// Which of the things that exist a document means. Pure: the store reads and writes around it.

import type { ChangeType } from '../model.ts';
import type { ChangeContent } from './content.ts';

export type ExistingChange = Readonly<{ id: string; type: ChangeType; text: string; breaking: boolean }>;

/** A change as it shall be; an id of null is still to be made up. */
export type ResolvedChange = Readonly<{
  id: string | null;
  type: ChangeType;
  text: string;
  breaking: boolean;
}>;

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

  const byContent = groupBy(free.values(), contentOf);
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

function contentOf({ type, text, breaking }: { type: ChangeType; text: string; breaking: boolean }): string {
  return `${type} ${breaking} ${text}`;
}

function groupBy<T>(items: Iterable<T>, keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
