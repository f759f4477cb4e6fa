// Decides from all headings of a file whether the words around labels are names or titles: names repeat, and titles
// differ from version to version.
import type { NameUse, NameUses } from '../headings.ts';
import { isRelease } from './candidates.ts';
import type { NamedGroup } from './names.ts';
import { isAboutVersion, isPhrase, saysNothing } from './phrases.ts';

/** The first heading of the file, if it is at the first level. */
export type FileTitle = Readonly<{ text: string; line: number }>;

/** These are not products. */
const QUALIFIERS =
  /^(?:lts|stable|ga|final|hot-?fix|patch|bug-?fix|maintenance|security|milestone|snapshot|nightly|dev|prerelease|pre-release|major|minor|initial|first)(?: release| version| fix| update)?$/i;

/** The role of the words of each group; null if its headings are not versions. */
export function decideNames(
  groups: readonly NamedGroup[],
  title: FileTitle,
): Map<NamedGroup, NameUses | null> {
  const decisions = new Decisions(groups, title);
  return new Map(groups.map((group) => [group, decisions.usesOf(group)]));
}

class Decisions {
  readonly #title: FileTitle;
  readonly #befores: ReadonlyMap<string, WordCount>;
  readonly #behinds: ReadonlyMap<string, WordCount>;
  /** Without phrases. */
  readonly #groups: readonly NamedGroup[];
  readonly #isAnyWithoutBehind: boolean;
  /** `Tank 1.0.0` beside `Fuse 1.0.0` */
  readonly #isOfSeveral: boolean;
  readonly #codenames: number;

  constructor(groups: readonly NamedGroup[], title: FileTitle) {
    this.#title = title;
    this.#befores = countWords(groups, ({ before }) => before);
    this.#behinds = countWords(groups, ({ behind }) => behind);
    this.#groups = groups.filter((group) => !isPhrase(group.before) && hasReleases(group));
    this.#isAnyWithoutBehind = this.#groups.some(({ behind }) => behind === '');
    const isAnyMixed = this.#groups.some(({ clashes }) => clashes) || this.#areInterleaved();
    this.#isOfSeveral = isAnyMixed && this.#groups.every(({ before }) => before !== '');
    this.#codenames = groups.filter(isCodename).length;
  }

  usesOf(group: NamedGroup): NameUses | null {
    const before = this.#beforeOf(group);
    return before === null ? null : { before, behind: this.#behindOf(group) };
  }

  /** `Tank 2.0.0` between versions of `Fuse`: a product with a new name would have the old one further down. */
  #areInterleaved(): boolean {
    const top = Math.min(...this.#groups.map(({ level }) => level));
    const ranges = new Map<string, { first: number; last: number }>();
    for (const { before, level, byKind } of this.#groups) {
      const name = before.toLowerCase();
      if (level !== top || !this.#befores.get(name)?.isRepeated) continue;
      if (isNameIn(this.#title.text, name)) return false;
      for (const { first, lastLine } of byKind.values()) {
        const { first: least, last } = ranges.get(name) ?? { first: lastLine, last: 0 };
        ranges.set(name, {
          first: Math.min(least, first[0]?.line ?? lastLine),
          last: Math.max(last, lastLine),
        });
      }
    }
    const sorted = [...ranges.values()].toSorted((a, b) => a.first - b.first);
    return sorted.some(({ last }, index) => last > (sorted[index + 1]?.first ?? last));
  }

  #beforeOf(group: NamedGroup): NameUse | null {
    const { before, level, clashes, hasDots } = group;
    const isWeak = before !== '' && level > 2 && !hasDots;
    if (isWeak || isTitleAlone(group, this.#title)) return null;
    if (before === '') return 'drop';
    if (isPhrase(before)) return this.#groups.length === 0 && isAboutVersion(before) ? 'drop' : null;
    if (this.#isOfSeveral) return 'keep';
    const { isRepeated, isClashing } = this.#befores.get(before.toLowerCase()) ?? NEVER;
    if (clashes || isClashing) return isRepeated ? 'keep' : 'title';
    return isRepeated || this.#isAlone(group) || isNameIn(this.#title.text, before) ? 'drop' : 'title';
  }

  /** With a date, it may also be a title. */
  #isAlone(group: NamedGroup): boolean {
    if (group.byKind.has('dated')) return false;
    return this.#groups.every((other) => other === group || other.level > group.level);
  }

  #behindOf(group: NamedGroup): NameUse {
    const { behind, clashes } = group;
    if (behind === '' || saysNothing(behind)) return 'drop';
    const { isRepeated, isClashing } = this.#behinds.get(behind.toLowerCase()) ?? NEVER;
    if (clashes || isClashing) return isPhrase(behind) ? 'title' : 'keep';
    if (isRepeated && QUALIFIERS.test(behind)) return 'codename';
    if (isRepeated && !isPhrase(behind))
      return this.#isAnyWithoutBehind || this.#behinds.size > 1 ? 'keep' : 'drop';
    return this.#codenames > 1 && isCodename(group) ? 'codename' : 'title';
  }
}

type WordCount = { isRepeated: boolean; isClashing: boolean; label: string };

const NEVER: WordCount = { isRepeated: false, isClashing: false, label: '' };

/** Words repeat if they are around different labels. Case does not matter. */
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

function hasReleases({ byKind }: Pick<NamedGroup, 'byKind'>): boolean {
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

export function isNameIn(title: string, name: string): boolean {
  const start = title.toLowerCase();
  return start === name.toLowerCase() || start.startsWith(`${name.toLowerCase()} `);
}
