// The differences between two states of a version, for reports.

import type { ChangeType } from '../model.ts';
import type { ChangeContent, VersionContent } from './content.ts';
import { type ExistingChange, resolveChanges } from './matching.ts';

type Replaced<T> = Readonly<{ from: T; to: T }>;

export type ChangeDifference = Readonly<
  | { action: 'added' | 'removed'; type: ChangeType; text: string; breaking: boolean }
  | { action: 'edited'; from: ChangeContent; to: ChangeContent }
>;

export type VersionDifference = Readonly<{
  title?: Replaced<string>;
  status?: Replaced<string>;
  publishedAt?: Replaced<string | null>;
  publishAt?: Replaced<string | null>;
  yanked?: Replaced<boolean>;
  compare?: Replaced<string | null>;
  description?: Readonly<{ removed: readonly string[]; added: readonly string[] }>;
  changes?: readonly ChangeDifference[];
  /** Whether the remaining changes are in another order. */
  isReordered?: true;
}>;

type ExistingVersion = Omit<VersionContent, 'changes'> & Readonly<{ changes: readonly ExistingChange[] }>;

export function differenceOf(before: ExistingVersion, after: VersionContent): VersionDifference {
  return {
    ...replaced('title', before, after),
    ...replaced('status', before, after),
    ...replaced('publishedAt', before, after),
    ...replaced('publishAt', before, after),
    ...replaced('yanked', before, after),
    ...(before.links?.compare !== after.links?.compare && {
      compare: { from: before.links?.compare ?? null, to: after.links?.compare ?? null },
    }),
    ...(before.description !== after.description && {
      description: differentLines(before.description ?? '', after.description ?? ''),
    }),
    ...differentChanges(before.changes, after.changes),
  };
}

function replaced<Key extends 'title' | 'status' | 'publishedAt' | 'publishAt' | 'yanked'>(
  key: Key,
  before: ExistingVersion,
  after: VersionContent,
) {
  return before[key] === after[key] ? {} : { [key]: { from: before[key], to: after[key] } };
}

/** All lines between the first and the last difference: one pass over texts of any length. */
function differentLines(before: string, after: string) {
  const removed = linesOf(before);
  const added = linesOf(after);
  const shorter = Math.min(removed.length, added.length);
  let start = 0;
  while (start < shorter && removed[start] === added[start]) start++;
  let end = 0;
  while (end < shorter - start && removed.at(-1 - end) === added.at(-1 - end)) end++;
  return {
    removed: removed.slice(start, removed.length - end),
    added: added.slice(start, added.length - end),
  };
}

const linesOf = (text: string) => (text === '' ? [] : text.split('\n'));

/** Uses the rule that assigns ids: a change that keeps its id but differs was edited. */
function differentChanges(before: readonly ExistingChange[], after: readonly ChangeContent[]) {
  const resolved = resolveChanges(before, after);
  const byId = new Map(before.map((change) => [change.id, change]));
  const kept = resolved.flatMap(({ id }) => id ?? []);
  const keptIds = new Set(kept);
  const differences: ChangeDifference[] = [];
  for (const change of before) {
    if (!keptIds.has(change.id)) differences.push({ action: 'removed', ...withoutId(change) });
  }
  for (const { id, ...change } of resolved) {
    const was = id === null ? undefined : byId.get(id);
    if (was === undefined) differences.push({ action: 'added', ...withoutId(change) });
    else if (!isSame(was, change))
      differences.push({ action: 'edited', from: withoutId(was), to: withoutId(change) });
  }
  const keptBefore = before.filter(({ id }) => keptIds.has(id));
  const isReordered = keptBefore.some(({ id }, index) => id !== kept[index]);
  return {
    ...(differences.length > 0 && { changes: differences }),
    ...(isReordered && { isReordered: true as const }),
  };
}

function withoutId({ type, text, breaking }: ChangeContent) {
  return { type, text, breaking };
}

function isSame(a: ChangeContent, b: ChangeContent): boolean {
  return a.type === b.type && a.text === b.text && a.breaking === b.breaking;
}
