// Learns from all headings of a file which words around the labels are names: what repeats is a name, what differs
// from version to version is a title.
import { Fingerprints } from '../../../content/input/fingerprints.ts';
import { type NameUse, type VersionHeading, versionOf } from '../headings.ts';
import { addCandidate, type Candidates, isRelease, kindOf, newCandidates } from './candidates.ts';
import type { HeadingParts } from './parts.ts';
import { isAboutVersion, isPhrase, saysNothing } from './phrases.ts';

/** The headings of one level with the same words around their labels. */
export type NamedGroup = Readonly<{
  level: number;
  before: string;
  behind: string;
  byKind: Map<string, Candidates>;
}> & {
  count: number;
  firstLabel: string;
  hasOtherLabels: boolean;
  /** Is there a label with a dot? `API v3` may be a section. */
  hasDots: boolean;
  /** Is a label in it also that of another group? */
  clashes: boolean;
};

/** The first heading of the file; its text is empty if it is not at the first level. */
export type FileTitle = Readonly<{ text: string; line: number }>;

export type NameUses = Readonly<{ before: NameUse; behind: NameUse }>;

/** More names than that are titles. */
const GROUPS_MAX = 2_000;
const COMPARISONS_MAX = 100_000;

const AS_NAMES: NameUses = { before: 'drop', behind: 'drop' };
export const AS_TITLES: NameUses = { before: 'title', behind: 'title' };
/** They are no products. */
const QUALIFIERS =
  /^(?:lts|stable|ga|final|hot-?fix|patch|bug-?fix|maintenance|security|milestone|snapshot|nightly|dev|prerelease|pre-release|major|minor|initial|first)(?: release| version| fix| update)?$/i;

export class Names {
  readonly #groups = new Map<string, NamedGroup>();
  readonly #unclashed = new Set<NamedGroup>();
  readonly #unnamedLabels = new Fingerprints();
  readonly #namedLabels = new Fingerprints();
  readonly #labelsOfGroups = new Fingerprints();
  #comparisons = 0;

  /** Null if it cannot be a version, whatever the names. */
  add(
    parts: HeadingParts,
    level: number,
    line: number,
    text: string,
  ): { version: VersionHeading; candidates: Candidates } | null {
    const version = versionOf(parts, AS_NAMES);
    const group = version === null ? null : this.#groupOf(parts, level, version);
    if (version === null || group === null) return null;
    group.count++;
    group.hasOtherLabels ||= group.firstLabel !== version.label;
    group.hasDots ||= version.label.includes('.');
    const kind = kindOf(version);
    if (isRelease({ kind })) this.#compareLabel(group, `${level} ${keyOf(version.label)}`);
    const candidates = group.byKind.get(kind) ?? newCandidates(kind, level);
    group.byKind.set(kind, candidates);
    addCandidate(candidates, version, line, text);
    return { version, candidates };
  }

  get groups(): Iterable<NamedGroup> {
    return this.#groups.values();
  }

  find(parts: HeadingParts, level: number): NamedGroup | undefined {
    return this.#groups.get(groupKey(parts, level));
  }

  #groupOf(parts: HeadingParts, level: number, { label }: VersionHeading): NamedGroup | null {
    const key = groupKey(parts, level);
    const known = this.#groups.get(key);
    if (known !== undefined) return known;
    const isNamed = parts.before !== '' || parts.behind !== '';
    if (isNamed && this.#groups.size >= GROUPS_MAX) return null;
    const group: NamedGroup = {
      level,
      before: copy(parts.before),
      behind: copy(parts.behind),
      byKind: new Map(),
      count: 0,
      firstLabel: copy(label),
      hasOtherLabels: false,
      hasDots: false,
      clashes: false,
    };
    this.#groups.set(copy(key), group);
    if (isNamed) this.#unclashed.add(group);
    return group;
  }

  #compareLabel(group: NamedGroup, label: string): void {
    if (group.before === '' && group.behind === '') {
      this.#unnamedLabels.add(label);
      if (this.#namedLabels.has(label)) this.#markClash(label);
      return;
    }
    const own = `${groupKey(group, group.level)}\0${label}`;
    const isElsewhere = this.#namedLabels.has(label) && !this.#labelsOfGroups.has(own);
    if (isElsewhere) this.#markClash(label);
    if (isElsewhere || this.#unnamedLabels.has(label)) this.#setClash(group);
    this.#namedLabels.add(label);
    this.#labelsOfGroups.add(own);
  }

  #markClash(label: string): void {
    for (const group of this.#unclashed) {
      // In a file of nothing but clashes, all groups clash.
      const isAny = this.#comparisons++ > COMPARISONS_MAX;
      if (isAny || this.#labelsOfGroups.has(`${groupKey(group, group.level)}\0${label}`))
        this.#setClash(group);
    }
  }

  #setClash(group: NamedGroup): void {
    group.clashes = true;
    this.#unclashed.delete(group);
  }
}

/** What the words of each group are; null if they make its headings no versions. */
export function decideNames(
  groups: Iterable<NamedGroup>,
  title: FileTitle,
): Map<NamedGroup, NameUses | null> {
  const all = [...groups];
  const befores = countWords(all, ({ before }) => before);
  const behinds = countWords(all, ({ behind }) => behind);
  const isAnyName = all.some((group) => !isPhrase(group.before) && hasNumbers(group));
  const isAnyWithoutBehind = all.some(({ behind, ...group }) => behind === '' && hasNumbers(group));
  const codenames = all.filter(isCodename).length;
  const beforeOf = (group: NamedGroup): NameUse | null => {
    const { before, level, clashes, hasDots } = group;
    const isWeak = before !== '' && level > 2 && !hasDots;
    if (isWeak || isTitleAlone(group, title)) return null;
    if (before === '') return 'drop';
    if (isPhrase(before)) return !isAnyName && isAboutVersion(before) ? 'drop' : null;
    const { isRepeated, isClashing } = befores.get(before.toLowerCase()) ?? NEVER;
    if (!isRepeated && !isNameIn(title.text, before)) return 'title';
    return clashes || isClashing ? 'keep' : 'drop';
  };
  const behindOf = (group: NamedGroup): NameUse => {
    const { behind, clashes } = group;
    if (behind === '' || saysNothing(behind)) return 'drop';
    const { isRepeated, isClashing } = behinds.get(behind.toLowerCase()) ?? NEVER;
    if (clashes || isClashing) return isPhrase(behind) ? 'title' : 'keep';
    if (isRepeated && QUALIFIERS.test(behind)) return 'codename';
    if (isRepeated && !isPhrase(behind)) return isAnyWithoutBehind || behinds.size > 1 ? 'keep' : 'drop';
    return codenames > 1 && isCodename(group) ? 'codename' : 'title';
  };
  return new Map(
    all.map((group) => {
      const before = beforeOf(group);
      return [group, before === null ? null : { before, behind: behindOf(group) }];
    }),
  );
}

type WordCount = { isRepeated: boolean; isClashing: boolean; label: string };

const NEVER: WordCount = { isRepeated: false, isClashing: false, label: '' };

/** Of words in any case; they repeat if they are around different labels. */
function countWords(
  groups: readonly NamedGroup[],
  wordsOf: (group: NamedGroup) => string,
): Map<string, WordCount> {
  const counts = new Map<string, WordCount>();
  for (const group of groups) {
    const words = wordsOf(group).toLowerCase();
    if (words === '' || saysNothing(words)) continue;
    const count = counts.get(words) ?? { isRepeated: false, isClashing: false, label: group.firstLabel };
    count.isRepeated ||= group.hasOtherLabels || count.label !== group.firstLabel;
    count.isClashing ||= group.clashes;
    counts.set(words, count);
  }
  return counts;
}

function hasNumbers({ byKind }: Pick<NamedGroup, 'byKind'>): boolean {
  return [...byKind.values()].some(isRelease);
}

/** `Slam Dunk` in `2.0.0 Slam Dunk` */
function isCodename({ before, behind, hasOtherLabels, clashes }: NamedGroup): boolean {
  return before === '' && /^\p{Lu}/u.test(behind) && !hasOtherLabels && !clashes && !isPhrase(behind);
}

/** `# Rocket 2.0 Changelog` */
function isTitleAlone({ before, behind, count, byKind }: NamedGroup, { text, line }: FileTitle): boolean {
  if (text === '' || count > 1 || (before === '' && behind === '')) return false;
  return [...byKind.values()].some(({ kind, lastLine }) => kind !== 'dated' && lastLine === line);
}

function isNameIn(title: string, name: string): boolean {
  const start = title.toLowerCase();
  return start === name.toLowerCase() || start.startsWith(`${name.toLowerCase()} `);
}

function groupKey({ before, behind }: Pick<HeadingParts, 'before' | 'behind'>, level: number): string {
  return `${level}\0${before.toLowerCase()}\0${behind.toLowerCase()}`;
}

/** `1.2.0` and `v1.2.0` are the same version. */
export function keyOf(label: string): string {
  return label.replace(/^v\.? ?(?=\d)/i, '').toLowerCase();
}

function copy(text: string): string {
  return Buffer.from(text).toString();
}
