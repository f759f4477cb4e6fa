// The names of sections in each format, and the type of change that each stands for.
import { CHANGE_TYPES, type ChangeType } from '../../domain/model.ts';
import type { ImportFormat } from '../changelog.ts';

export type Section = Readonly<{
  type: ChangeType;
  breaking: boolean;
  /** Does the type tell as much as the name? If not, the name is kept in the texts. */
  isImpliedByType: boolean;
}>;

const implied = (type: ChangeType, breaking = false): Section => ({ type, breaking, isImpliedByType: true });
const kept = (type: ChangeType, breaking = false): Section => ({ type, breaking, isImpliedByType: false });

export type Sections = Readonly<Record<string, Section>>;

const KEEP_A_CHANGELOG: Sections = Object.fromEntries(CHANGE_TYPES.map((type) => [type, implied(type)]));

const CONVENTIONAL: Sections = {
  features: implied('added'),
  'bug fixes': implied('fixed'),
  'breaking changes': implied('changed', true),
  feature: kept('added'),
  'new features': kept('added'),
  'bug fix': kept('fixed'),
  bugfixes: kept('fixed'),
  fixes: kept('fixed'),
  'breaking change': kept('changed', true),
  deprecations: kept('deprecated'),
  'performance improvements': kept('changed'),
  'code refactoring': kept('changed'),
  reverts: kept('changed'),
};

const CHANGESETS: Sections = {
  'major changes': implied('changed', true),
  'minor changes': implied('added'),
  'patch changes': implied('fixed'),
};

const RELEASES: Sections = {
  "what's changed": implied('changed'),
  'what’s changed': implied('changed'),
  'what is new': kept('added'),
  "what's new": kept('added'),
  enhancements: kept('added'),
  improvements: kept('changed'),
  'security fixes': kept('security'),
};

/** The names that identify each format. */
export const OWN_SECTIONS: Readonly<Record<'keep-a-changelog' | 'conventional' | 'changesets', Sections>> = {
  'keep-a-changelog': KEEP_A_CHANGELOG,
  conventional: CONVENTIONAL,
  changesets: CHANGESETS,
};

const ALL: Sections = {
  ...KEEP_A_CHANGELOG,
  ...CONVENTIONAL,
  ...CHANGESETS,
  breaking: implied('changed', true),
};

export const SECTIONS: Readonly<Record<ImportFormat, Sections>> = {
  // Other names are the project's, even if another format knows them.
  'keep-a-changelog': {
    ...KEEP_A_CHANGELOG,
    breaking: implied('changed', true),
    'breaking change': kept('changed', true),
    'breaking changes': kept('changed', true),
  },
  conventional: ALL,
  changesets: ALL,
  'github-releases': { ...ALL, ...RELEASES },
};

const ALL_NAMED: Sections = Object.fromEntries(
  Object.entries(ALL).map(([name, { type, breaking }]) => [name, kept(type, breaking)]),
);

/** Projects change their tools: an old version may have none of the sections of its format. */
export function sectionsFor(format: ImportFormat, names: readonly string[]): Sections {
  const isOfFormat = names.some((name) => findSection(SECTIONS[format], name) !== undefined);
  return format === 'keep-a-changelog' && !isOfFormat ? ALL_NAMED : SECTIONS[format];
}

const NAME_CHARACTERS_MAX = 200;

export function findSection(sections: Sections, name: string): Section | undefined {
  if (name.length > NAME_CHARACTERS_MAX) return undefined;
  const key = plainName(name);
  return Object.hasOwn(sections, key) ? sections[key] : undefined;
}

/** `⚠ BREAKING CHANGES` → `breaking changes` */
export function plainName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/:\w+:/g, '')
    .replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
    .replaceAll(/\s+/g, ' ');
}

const BREAKING =
  /^(?:\*\*|__|[*_])?\[?breaking(?: changes?)?\]?(?:\s*[:!—–-]\s*[*_]{1,2}|[*_]{1,2}|\]|\s*:)/i;
const BREAKING_IN_BRACKETS = /^(?:\*\*|__)?[[(]breaking(?: changes?)?[\])]/i;
const BREAKING_EMOJI = /^(?:💥|:boom:|⚠)/u;
/** `**scope:** feat(cli)!: text` */
const BREAKING_COMMIT = /^(?:\*\*[^\n]{1,100}?:\*\* )?[a-z]+(?:\([^()\n]*\))?!:/;

/** Does the text mark the change as breaking? */
export function isMarkedBreaking(text: string): boolean {
  return [BREAKING, BREAKING_IN_BRACKETS, BREAKING_EMOJI, BREAKING_COMMIT].some((mark) => mark.test(text));
}
