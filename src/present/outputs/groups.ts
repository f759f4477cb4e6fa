import { CHANGE_TYPES, type ChangeType } from '../../domain/model.ts';

/** Groups changes by type, keeping the author's order within each. */
export function groupByType<T extends { type: ChangeType }>(changes: readonly T[]): [ChangeType, T[]][] {
  return CHANGE_TYPES.map((type): [ChangeType, T[]] => [
    type,
    changes.filter((change) => change.type === type),
  ]).filter(([, group]) => group.length > 0);
}

export function headingOf(type: ChangeType): string {
  return type.charAt(0).toUpperCase() + type.slice(1);
}
