// The sections of changes in everything that people read: what they must not miss comes first.
import { CHANGE_TYPES, type ChangeType } from '../model.ts';

export type SectionKind = 'breaking' | ChangeType;

export type InSection<Type extends string> = Readonly<{ type: Type; breaking: boolean | 0 | 1 }>;

export const SECTION_KINDS: ReadonlySet<SectionKind> = new Set(['breaking', 'security', ...CHANGE_TYPES]);

/**
 * Breaking changes of all types have one section, the first. Keeps the order of the changes in each; types that are not
 * known come last.
 */
export function sectionsOf<T extends InSection<string>>(
  changes: readonly T[],
): { kind: 'breaking' | T['type']; changes: T[] }[] {
  const byKind = Map.groupBy(changes, ({ type, breaking }): 'breaking' | T['type'] =>
    breaking ? 'breaking' : type,
  );
  return [...new Set([...SECTION_KINDS, ...byKind.keys()])].flatMap((kind) => {
    const found = byKind.get(kind);
    return found === undefined ? [] : [{ kind, changes: found }];
  });
}
