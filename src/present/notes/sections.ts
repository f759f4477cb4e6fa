// The changes of one version as release notes show them: what readers must not miss comes first.
import { CHANGE_TYPES, type ChangeType } from '../../domain/model.ts';
import type { FullVersion } from '../../store/read/pages.ts';
import type { ChangeRow } from '../../store/read/reads.ts';
import { headingOf } from '../outputs/groups.ts';

/** What notes say of a version. They have no heading. */
export type NotedVersion = Pick<FullVersion, 'yanked' | 'description' | 'changes'>;

type SectionKind = 'breaking' | ChangeType;

export type Section<T> = Readonly<{ kind: SectionKind; heading: string; items: readonly Item<T>[] }>;

/** `lead` is the type of a breaking change, in words; otherwise the section's heading has it. */
export type Item<T> = Readonly<{ lead: string; change: T }>;

const ORDER = new Set<SectionKind>(['breaking', 'security', ...CHANGE_TYPES]);

export const YANKED = { word: 'Yanked:', text: 'withdrawn after its release.' } as const;

/** Keeps the author's order in each section. Breaking changes of all types have one of their own. */
export function sectionsOf<T extends Pick<ChangeRow, 'type' | 'breaking'>>(
  changes: readonly T[],
): Section<T>[] {
  return [...ORDER]
    .map((kind) => ({
      kind,
      heading: kind === 'breaking' ? 'Breaking changes' : headingOf(kind),
      items: changes
        .filter(({ type, breaking }) => (breaking ? 'breaking' : type) === kind)
        .map((change) => ({
          lead: kind === 'breaking' && change.type !== 'other' ? `${headingOf(change.type)}:` : '',
          change,
        })),
    }))
    .filter(({ items }) => items.length > 0);
}
