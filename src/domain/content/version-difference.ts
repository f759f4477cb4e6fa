// What of a version would change, as a person wants to read it.

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
  yanked?: Replaced<boolean>;
  /** The lines of the description that go and come. */
  description?: Readonly<{ removed: readonly string[]; added: readonly string[] }>;
  changes?: readonly ChangeDifference[];
  /** Do changes that stay stand in another order? */
  isReordered?: true;
}>;

type ExistingVersion = Omit<VersionContent, 'changes'> & Readonly<{ changes: readonly ExistingChange[] }>;

export function differenceOf(before: ExistingVersion, after: VersionContent): VersionDifference {
  return {
    ...replaced('title', before, after),
    ...replaced('status', before, after),
    ...replaced('publishedAt', before, after),
    ...replaced('yanked', before, after),
    ...(before.description !== after.description && {
      description: differentLines(before.description ?? '', after.description ?? ''),
    }),
    ...differentChanges(before.changes, after.changes),
  };
}

function replaced<Key extends 'title' | 'status' | 'publishedAt' | 'yanked'>(
  key: Key,
  before: ExistingVersion,
  after: VersionContent,
) {
  return before[key] === after[key] ? {} : { [key]: { from: before[key], to: after[key] } };
}

/** All lines between the first and the last that differ: short, and found in one pass over texts of any length. */
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

/** By the same rule that gives changes their ids: what keeps its id and reads otherwise was edited. */
function differentChanges(before: readonly ExistingChange[], after: readonly ChangeContent[]) {
  const resolved = resolveChanges(before, after);
  const byId = new Map(before.map((change) => [change.id, change]));
  const stays = resolved.flatMap(({ id }) => id ?? []);
  const staying = new Set(stays);
  const differences: ChangeDifference[] = [];
  for (const change of before) {
    if (!staying.has(change.id)) differences.push({ action: 'removed', ...wordsOf(change) });
  }
  for (const { id, ...change } of resolved) {
    const was = id === null ? undefined : byId.get(id);
    if (was === undefined) differences.push({ action: 'added', ...wordsOf(change) });
    else if (!isSame(was, change))
      differences.push({ action: 'edited', from: wordsOf(was), to: wordsOf(change) });
  }
  const stood = before.filter(({ id }) => staying.has(id));
  const isReordered = stood.some(({ id }, place) => id !== stays[place]);
  return {
    ...(differences.length > 0 && { changes: differences }),
    ...(isReordered && { isReordered: true as const }),
  };
}

function wordsOf({ type, text, breaking }: ChangeContent) {
  return { type, text, breaking };
}

function isSame(a: ChangeContent, b: ChangeContent): boolean {
  return a.type === b.type && a.text === b.text && a.breaking === b.breaking;
}
