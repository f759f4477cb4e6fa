// Warns of sections that the import does not know: a misspelt name, or most names of a file.
import { nearest } from '../domain/nearest.ts';
import { limitWarnings } from './warnings.ts';

export type SectionUse = Readonly<{
  name: string;
  isKnown: boolean;
  /** Whether its name, or that of a heading above it, gives a type. */
  isTold: boolean;
  changes: number;
  /** Those without a type. */
  others: number;
}>;

/** The sections of a version, and the line of its heading. */
export type VersionSections = Readonly<{ line: number; sections: readonly SectionUse[] }>;

type Source = Readonly<{
  file: string;
  /** Empty if they are not those of the file. */
  lines: readonly string[];
}>;

export function warnOfSections(versions: readonly VersionSections[], { file, lines }: Source): string[] {
  const uses = versions.flatMap(({ line, sections }) => sections.map((use) => ({ ...use, line })));
  const names = Map.groupBy(uses, ({ name }) => name);
  const known = [...names].filter(([, [first]]) => first?.isKnown).map(([name]) => name);
  const misspelt = [...names].slice(0, NAMES_MAX).flatMap(([name, all]) => {
    const meant = all[0]?.isTold ? undefined : meantBy(name, [...USUAL, ...known.slice(0, NAMES_MAX)]);
    const isRare = all.length <= RARE_MAX || all.length * RARE_PART <= (names.get(meant ?? '')?.length ?? 0);
    return meant === undefined || !isRare ? [] : all.slice(0, RARE_MAX).map((use) => ({ ...use, meant }));
  });
  const lineOf = ({ name, line }: Readonly<{ name: string; line: number }>) => {
    let at = line;
    while (at < lines.length && !lines[at]?.includes(name)) at++;
    return at < lines.length ? at + 1 : line;
  };
  const warnings = misspelt.map(
    (use) => `${file}:${lineOf(use)}: section "${use.name}" is not known; did you mean "${use.meant}"?`,
  );
  return [
    ...limitWarnings(warnings, (more) => `${file}: … and ${more} more sections with a misspelt name.`),
    ...warnOfMost(uses, (use) => `${file}:${lineOf(use)}`),
  ];
}

/** The names that people misspell. */
const USUAL =
  'Added, Changed, Changes, Deprecated, Removed, Fixed, Security, Feature, Features, Bug Fixes, Bugfixes, Improvements, Improved, Enhancements, Breaking Changes, Documentation, Performance, Dependencies, Deprecations, Miscellaneous'.split(
    ', ',
  );
/** So many names are compared with each other. */
const NAMES_MAX = 500;
/** A name of the project's own would be used again. */
const RARE_MAX = 2;
const RARE_PART = 5;
const LETTERS = /^\p{L}[\p{L} ]{3,40}$/u;

/** Only what can hardly be another word. */
export function meantBy(name: string, candidates: readonly string[] = USUAL): string | undefined {
  if (!LETTERS.test(name)) return undefined;
  const alike = candidates.filter((one) => one[0]?.toLowerCase() === name[0]?.toLowerCase());
  return nearest(name, alike, { charactersPerMistake: 5, isBeginningEnough: false });
}

const SUGGESTED_MAX = 5;
const UNKNOWN_MIN = 2;
const NAME = /^(?=.*\p{L}{2})[^\p{Cc}]{1,60}$/u;

type Use = SectionUse & Readonly<{ line: number }>;

function warnOfMost(uses: readonly Use[], placeOf: (use: Use) => string): string[] {
  const used = uses.filter(({ changes }) => changes > 0);
  const unknown = used.filter(({ isTold, changes, others }) => !isTold && others * 2 > changes);
  const named = [...Map.groupBy(unknown, ({ name }) => name)].filter(([name]) => NAME.test(name));
  const [first] = named[0]?.[1] ?? [];
  if (unknown.length < UNKNOWN_MIN || unknown.length * 2 <= used.length || first === undefined) return [];
  const options = named
    .sort(([, a], [, b]) => b.length - a.length)
    .slice(0, SUGGESTED_MAX)
    .map(([name]) => `--section '${name.replaceAll("'", "'\\''")}=changed'`);
  const count = (number: number) => number.toLocaleString('en');
  return [
    `${placeOf(first)}: ${count(unknown.length)} of ${count(used.length)} sections have a name that is not known, so their changes are of type other; say what they are, starting from: ${options.join(' ')}`,
  ];
}
