import type { SectionKind } from '../../domain/content/sections.ts';
import { CHANGE_TYPES, type ChangeType } from '../../domain/model.ts';

/** Groups changes by type, keeping the author's order within each. */
export function groupByType<T extends { type: ChangeType }>(changes: readonly T[]): [ChangeType, T[]][] {
  return CHANGE_TYPES.map((type): [ChangeType, T[]] => [
    type,
    changes.filter((change) => change.type === type),
  ]).filter(([, group]) => group.length > 0);
}

export function headingOf(kind: SectionKind): string {
  return kind === 'breaking' ? 'Breaking changes' : kind.charAt(0).toUpperCase() + kind.slice(1);
}

/** What a text begins with: the type of a breaking change, whose section has all types. */
export function leadOf({
  type,
  breaking,
}: Readonly<{ type: ChangeType; breaking: boolean | 0 | 1 }>): string {
  return breaking && type !== 'other' ? `${headingOf(type)}:` : '';
}
