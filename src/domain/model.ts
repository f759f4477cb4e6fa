// The domain's types, states and identifiers.

export const VISIBILITIES = ['public', 'private'] as const;
export const PLANS = ['free', 'paid'] as const;
export const PUBLICATION_STATES = ['draft', 'published', 'locked'] as const;
export const VERSION_STATES = ['draft', 'published'] as const;
export const CHANGE_TYPES = [
  'added',
  'changed',
  'deprecated',
  'removed',
  'fixed',
  'security',
  'other',
] as const;
export const KEY_KINDS = ['FULL', 'SELECT'] as const;
export const KEY_STATES = ['active', 'disabled'] as const;

export type Visibility = (typeof VISIBILITIES)[number];
export type Plan = (typeof PLANS)[number];
/** For products and changelogs. */
export type PublicationState = (typeof PUBLICATION_STATES)[number];
export type VersionState = (typeof VERSION_STATES)[number];
export type ChangeType = (typeof CHANGE_TYPES)[number];

/** Of a type of change, in numbers that stand for several types. */
export const changeBit = (type: ChangeType) => 1 << CHANGE_TYPES.indexOf(type);
export type KeyKind = (typeof KEY_KINDS)[number];
export type KeyState = (typeof KEY_STATES)[number];

/** The public API, or a team's authenticated API. */
export type Surface = 'public' | 'team';

export const SLUG_PATTERN = '^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$';
const SLUG = new RegExp(SLUG_PATTERN);

export function isSlug(text: string): boolean {
  return SLUG.test(text);
}

/** A version's label: no control characters, and no space at either end. */
export const LABEL_PATTERN = '^[^\\s\\x00-\\x1f\\x7f](?:[^\\x00-\\x1f\\x7f]*[^\\s\\x00-\\x1f\\x7f])?$';
export const LABEL_CHARACTERS_MAX = 128;

export const ID_PREFIXES = { changelog: 'cl', version: 'ver', change: 'chg', key: 'key' } as const;
export type IdKind = keyof typeof ID_PREFIXES;

export function idPattern(kind: IdKind): string {
  return `^${ID_PREFIXES[kind]}_[A-Za-z0-9_-]{1,60}$`;
}

export type SectionKind = 'breaking' | ChangeType;

export type InSection<Type extends string> = Readonly<{ type: Type; breaking: boolean | 0 | 1 }>;

/** In everything that people read, what they must not miss comes first. */
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
