// The names of sections, whatever the format, and the type of change that each stands for. The same names are used
// before texts: `[BUGFIX] …`, `Fix: …`.
import names from '../../../locales/changelogs/sections.json' with { type: 'json' };
import { CHANGE_TYPES, type ChangeType } from '../../domain/model.ts';
import { makeSingular, plainName } from './names.ts';

export type Section = Readonly<{
  type: ChangeType;
  breaking: boolean;
  /** Whether the type says as much as the name. If not, the name is kept in the texts. */
  isImpliedByType: boolean;
  /** Whether the name says so little that the texts may say more. */
  isVague: boolean;
}>;

/** Undefined if the name is the project's own. */
export type FindSection = (name: string) => Section | undefined;

export const implied = (type: ChangeType): Section => ({
  type,
  breaking: false,
  isImpliedByType: true,
  isVague: false,
});
export const kept = (type: ChangeType): Section => ({ ...implied(type), isImpliedByType: false });
export const vague = (section: Section): Section => ({ ...section, isVague: true });
export const breaking = (section: Section): Section => ({ ...section, breaking: true });

/** What the kinds of names in `locales/changelogs/sections.json` stand for. */
export const KINDS = {
  added: implied('added'),
  /** Added, and worth naming; so are the others that a type does not imply. */
  enhanced: kept('added'),
  changed: implied('changed'),
  changes: vague(implied('changed')),
  steps: vague(kept('changed')),
  improved: kept('changed'),
  breaking: breaking(implied('changed')),
  incompatible: breaking(kept('changed')),
  deprecated: implied('deprecated'),
  removed: implied('removed'),
  dropped: kept('removed'),
  fixed: implied('fixed'),
  repaired: kept('fixed'),
  security: implied('security'),
  secured: kept('security'),
  unspecified: vague(implied('other')),
  vague: vague(kept('other')),
  /** What users of the product do not notice. */
  other: kept('other'),
} as const satisfies Readonly<Record<string, Section>>;

/**
 * The names of a language; the first of each type is that of Keep a Changelog. Capitals, accents, a final `s` and spaces
 * between Chinese, Japanese and Korean words do not matter.
 */
export type SectionNames = Readonly<Partial<Record<keyof typeof KINDS, readonly string[]>>> &
  /** Patterns for the beginnings of words that mark a section as breaking. */
  Readonly<{ breakingWords?: readonly string[] }>;

const { English, ...others } = names;
export const LANGUAGES: Readonly<Record<string, SectionNames>> = others;

export function sectionsIn(names: SectionNames): [name: string, section: Section][] {
  return Object.entries(KINDS).flatMap(([kind, section]) =>
    (names[kind as keyof typeof KINDS] ?? []).map((name): [string, Section] => [makeSingular(name), section]),
  );
}

const ENGLISH: ReadonlyMap<string, Section> = new Map(sectionsIn(English));

let foreign: ReadonlyMap<string, Section> | undefined;

/** In all languages but English. Their table is made when a name is not English: it takes longer than reading most files. */
export const findForeignName: FindSection = (key) => {
  if (key === '') return undefined;
  foreign ??= new Map(Object.values(LANGUAGES).flatMap(sectionsIn));
  return foreign.get(key);
};

/** By the name in the singular, in any language. */
export const findName: FindSection = (key) => ENGLISH.get(key) ?? findForeignName(key);

/** The names that this program writes. They never change. */
const OWN_SECTIONS: ReadonlyMap<string, Section> = new Map([
  ...CHANGE_TYPES.map((type) => [type, implied(type)] as const),
  ['breaking', breaking(implied('changed'))],
  ['breaking change', breaking(implied('changed'))],
  ['breaking changes', breaking(implied('changed'))],
]);

export const findOwnSection: FindSection = (name) => OWN_SECTIONS.get(plainName(name));

/** The three names in files that changesets wrote. */
export const CHANGESETS: ReadonlyMap<string, Section> = new Map([
  ['major change', breaking(implied('changed'))],
  ['minor change', implied('added')],
  ['patch change', implied('fixed')],
]);
