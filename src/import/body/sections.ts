// The names of sections, whatever the format, and the type of change that each stands for. The same names are used
// before texts: `[BUGFIX] …`, `Fix: …`.
import { CHANGE_TYPES, type ChangeType } from '../../domain/model.ts';
import type { Language } from './languages/language.ts';
import { LANGUAGES } from './languages/languages.ts';
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

/** In the singular; the plural means the same. */
const TABLE: readonly (readonly [names: string, section: Section])[] = [
  ['Added, Add, Addition, Feature, Feat, New, New Feature', implied('added')],
  [
    `Enhancement, Implemented Enhancement, Enh, What's New, What is New, Introduced, Implemented, Stabilized API, Stabilised API`,
    kept('added'),
  ],
  ['Changed', implied('changed')],
  ["Change, What's Changed, What Changed, Changes by Kind", vague(implied('changed'))],
  ['Major Change, Minor Change, Patch Change, Major, Medium, Minor, Patch', vague(kept('changed'))],
  [
    `Improvement, Improved, Performance, Perf, Performance Improvement, Optimization, Optimisation, Opt, Optim, Polish, Tweak, Update,
    Updated, Upgraded, Modified, Renamed, Refactor, Refactoring, Code Refactoring, Reorg, Revert, Reverted,
    API Change, Translation, Localization,
    Dependency, Dep, Dependency Update, Dependency Upgrade, External Dependency`,
    kept('changed'),
  ],
  ['Breaking, Breaking Change', breaking(implied('changed'))],
  [
    'Incompatible Change, Incompatibility, Backward Incompatible Change, Backward Incompatibility, BC Break',
    breaking(kept('changed')),
  ],
  ['Deprecated, Deprecate, Deprecation', implied('deprecated')],
  ['Removed, Remove, Removal', implied('removed')],
  ['Dropped, Deleted, Deletion, Remove Feature', kept('removed')],
  ['Fixed, Fix, Bug Fix, Bugfix, Bug, Fixed Bug, Bug Fixed', implied('fixed')],
  ['Hotfix, Defect, Regression, Issue Fixed, Issue Resolved, Resolved Issue, Resolved Bug', kept('fixed')],
  ['Security', implied('security')],
  [
    `Security Fix, Security Bug Fix, Security Update, Security Improvement, Security Change, Security Issue, Security Note,
    Security Advisory, Security Information, Important Security Information, Vulnerability, Vulnerability Fix, CVE`,
    kept('security'),
  ],
  ['Other', vague(implied('other'))],
  [
    `Other Change, Miscellaneous, Misc, General, Uncategorized, Highlight, Detail, Changelog, Release Note, Commit,
    Pull Request, Merged Pull Request, PR, Merged PR`,
    vague(kept('other')),
  ],
  [
    `Documentation, Doc, Example, Typo, Test, Testing, Regtest, Failing Test, Flake, Chore, Miscellaneous Chore, Cleanup, Style,
    Build, Build System, CI, Continuous Integration, Dev, Infrastructure, Internal, Under the Hood, Maintenance, Housekeeping,
    License, Task, Sub-task, Note, Upgrade Note, Urgent Upgrade Note, Upgrading, Migration, Migration Guide, Known Issue,
    Known Bug, Open Issue, Closed Issue, Contributor, New Contributor, Committer, Credit, Thank, Special Thank,
    Acknowledgement, Download, Roadmap`,
    kept('other'),
  ],
];

export const SECTION_NAMES: readonly (readonly [names: readonly string[], section: Section])[] = TABLE.map(
  ([names, section]) => [namesIn(names), section],
);

const ENGLISH: ReadonlyMap<string, Section> = new Map(
  SECTION_NAMES.flatMap(([names, section]) => names.map((name) => [makeSingular(name), section])),
);

const KINDS: Readonly<Record<Exclude<keyof Language, 'breaking'>, Section>> = {
  added: implied('added'),
  changed: implied('changed'),
  deprecated: implied('deprecated'),
  removed: implied('removed'),
  fixed: implied('fixed'),
  security: implied('security'),
  changes: vague(implied('changed')),
  enhanced: kept('added'),
  improved: kept('changed'),
  other: kept('other'),
  vague: vague(kept('other')),
};

let foreign: ReadonlyMap<string, Section> | undefined;

/** In all languages but English. Their table is made when a name is not English: it takes longer than reading most files. */
export const findForeignName: FindSection = (key) => {
  if (key === '') return undefined;
  foreign ??= makeForeign();
  return foreign.get(key);
};

function makeForeign(): ReadonlyMap<string, Section> {
  return new Map(
    Object.values(LANGUAGES).flatMap((language) =>
      Object.entries(KINDS).flatMap(([kind, section]) =>
        namesIn(language[kind as keyof Language]).map((name) => [makeSingular(name), section] as const),
      ),
    ),
  );
}

/** By the name in the singular, in any language. */
export const findName: FindSection = (key) => ENGLISH.get(key) ?? findForeignName(key);

export function namesIn(list: string): string[] {
  return list === '' ? [] : list.split(/,\s+/);
}

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
