// Decides from all headings of a file whether the words around labels are names or titles: names repeat, and titles
// differ from version to version.
import { type Candidate, isRelease, keyOf } from './candidate.ts';
import type { NameUse, NameUses } from './parse.ts';
import { isPhrase, saysNothing } from './words.ts';

/** The headings of one level with the same words around their labels. */
type Group = Readonly<{ level: number; before: string; behind: string; candidates: Candidate[] }> & {
  hasOtherLabels: boolean;
  /** Whether another group has one of its labels. */
  clashes: boolean;
};

/** More names than that are titles. */
const GROUPS_MAX = 2_000;
/** Versions of parts may be at this level and below. */
const PART_LEVEL = 3;
/** The name of most versions is that of the product. */
const OWN_SHARE_MIN = 0.8;
/** These are not products. */
const QUALIFIERS =
  /^(?:lts|stable|ga|final|hot-?fix|patch|bug-?fix|maintenance|security|milestone|snapshot|nightly|dev|prerelease|pre-release|major|minor|initial|first)(?: release| version| fix| update)?$/i;

export class Names {
  readonly #title: Candidate | null;
  readonly #groups = new Map<string, Group>();
  readonly #uses: ReadonlyMap<Group, NameUses | null>;
  readonly #befores: ReadonlyMap<string, WordCount>;
  readonly #behinds: ReadonlyMap<string, WordCount>;
  /** Those with releases, without phrases. */
  readonly #named: readonly Group[];
  /** `Tank 1.0.0` beside `Fuse 1.0.0` */
  readonly #isOfSeveral: boolean;
  readonly #codenames: number;
  readonly #own: ReadonlySet<string>;

  /** The title is the first heading, if it is at the first level. */
  constructor(candidates: readonly Candidate[], title: Candidate | null) {
    this.#title = title;
    for (const one of candidates) if (one.version !== null && one.whole === null) this.#add(one);
    const groups = [...this.#groups.values()];
    markClashes(groups);
    this.#befores = countWords(groups, ({ before }) => before);
    this.#behinds = countWords(groups, ({ behind }) => behind);
    this.#named = groups.filter((group) => !isPhrase(group.before) && group.candidates.some(isRelease));
    const isAnyMixed = this.#named.some(({ clashes }) => clashes) || this.#areInterleaved();
    this.#isOfSeveral = isAnyMixed && this.#named.every(({ before }) => before !== '');
    this.#codenames = groups.filter(isCodename).length;
    this.#uses = new Map(groups.map((group) => [group, this.#decide(group)]));
    const own = groups.filter((one) => one.level < PART_LEVEL && this.#uses.get(one)?.before === 'drop');
    this.#own = new Set(own.flatMap(({ before }) => (before === '' ? [] : [before.toLowerCase()])));
  }

  /** Null if the headings with these words are not versions. */
  usesOf(one: Candidate): NameUses | null {
    const group = this.#groups.get(keyOfGroup(one));
    return (group && this.#uses.get(group)) ?? null;
  }

  /** Whether it is the name of the changelog's own product. */
  isOwn(name: string): boolean {
    return this.#own.has(name.toLowerCase());
  }

  /** Whether the same number is behind these words each time, as in the name of a section: `API v3`. */
  isFixed(one: Candidate): boolean {
    const group = this.#groups.get(keyOfGroup(one));
    return group !== undefined && group.candidates.length > 1 && !group.hasOtherLabels;
  }

  /** Words in the title of the file. */
  isInTitle(name: string): boolean {
    return `${this.#title?.text ?? ''} `.toLowerCase().startsWith(`${name.toLowerCase()} `);
  }

  #add(candidate: Candidate): void {
    const { level } = candidate;
    const { before = '', behind = '' } = candidate.parts ?? {};
    const key = keyOfGroup(candidate);
    const group = this.#groups.get(key);
    const isNamed = before !== '' || behind !== '';
    if (group === undefined && isNamed && this.#groups.size >= GROUPS_MAX) return;
    const to = group ?? { level, before, behind, candidates: [], hasOtherLabels: false, clashes: false };
    to.candidates.push(candidate);
    to.hasOtherLabels ||= labelOf(to.candidates[0]) !== labelOf(candidate);
    this.#groups.set(key, to);
  }

  /** `Tank 2.0.0` between versions of `Fuse`: a product with a new name would have the old one further down. */
  #areInterleaved(): boolean {
    const top = Math.min(...this.#named.map(({ level }) => level));
    const ranges = new Map<string, { first: number; last: number }>();
    for (const { before, level, candidates } of this.#named) {
      const name = before.toLowerCase();
      if (level !== top || !this.#befores.get(name)?.isRepeated) continue;
      const { first, last } = ranges.get(name) ?? { first: Number.MAX_SAFE_INTEGER, last: 0 };
      ranges.set(name, {
        first: Math.min(first, candidates[0]?.line ?? first),
        last: Math.max(last, candidates.at(-1)?.line ?? last),
      });
    }
    const sorted = [...ranges.values()].toSorted((a, b) => a.first - b.first);
    return sorted.some(({ last }, index) => last > (sorted[index + 1]?.first ?? last));
  }

  #decide(group: Group): NameUses | null {
    const before = this.#beforeOf(group);
    return before === null ? null : { before, behind: this.#behindOf(group) };
  }

  #beforeOf(group: Group): NameUse | null {
    const { before, level, clashes, candidates } = group;
    const isWeak = level >= PART_LEVEL && !candidates.some((one) => labelOf(one).includes('.'));
    if (before === '') return this.#isTitleAlone(group) ? null : 'drop';
    if (isWeak || isPhrase(before) || this.#isTitleAlone(group)) return null;
    if (candidates[0]?.parts?.isJoined) return this.#isMainJoined(before) ? 'drop' : 'keep';
    if (this.#isMain(before)) return 'drop';
    if (this.#isOfSeveral) return 'keep';
    const { isRepeated, isClashing } = this.#befores.get(before.toLowerCase()) ?? NEVER;
    if (clashes || isClashing) return isRepeated ? 'keep' : 'title';
    return isRepeated || this.#isAlone(group) ? 'drop' : 'title';
  }

  /** Whether the title or nearly all of the versions have this name. */
  #isMain(name: string): boolean {
    if (this.isInTitle(name)) return true;
    const named = this.#named.filter(({ before }) => before !== '');
    const count = (groups: readonly Group[]) => groups.reduce((sum, one) => sum + one.candidates.length, 0);
    const own = count(named.filter(({ before }) => isSame(before, name)));
    return this.#isOfSeveral && own > 2 && own >= count(named) * OWN_SHARE_MIN;
  }

  /** `rocket-1.2.0`: the only such name, or the most frequent beside versions without one. */
  #isMainJoined(name: string): boolean {
    if (this.isInTitle(name)) return true;
    const top = this.#named.filter(({ level }) => level < PART_LEVEL);
    const joined = top.filter(({ candidates }) => candidates[0]?.parts?.isJoined);
    const [most] = joined.toSorted((a, b) => b.candidates.length - a.candidates.length);
    if (most === undefined || most.clashes || !isSame(most.before, name) || !most.hasOtherLabels)
      return false;
    return top.every(({ before }) => isSame(before, name)) || top.some(({ before }) => before === '');
  }

  /** With a date, it may also be a title. */
  #isAlone(group: Group): boolean {
    if (group.candidates.some(({ kind }) => kind === 'dated')) return false;
    return this.#named.every((other) => other === group || other.level > group.level);
  }

  /** `# Rocket 2.0 Changelog` */
  #isTitleAlone({ before, behind, candidates }: Group): boolean {
    const [only] = candidates;
    if (only === undefined || candidates.length > 1 || (before === '' && behind === '')) return false;
    return only === this.#title && only.kind !== 'dated';
  }

  #behindOf(group: Group): NameUse {
    const { behind, clashes } = group;
    if (behind === '' || saysNothing(behind)) return 'drop';
    const { isRepeated, isClashing } = this.#behinds.get(behind.toLowerCase()) ?? NEVER;
    if (clashes || isClashing) return isPhrase(behind) ? 'title' : 'keep';
    if (isRepeated && QUALIFIERS.test(behind)) return 'codename';
    if (isRepeated && !isPhrase(behind)) {
      const isAnyWithout = this.#named.some((other) => other.behind === '');
      return isAnyWithout || this.#behinds.size > 1 ? 'keep' : 'drop';
    }
    return this.#codenames > 1 && isCodename(group) ? 'codename' : 'title';
  }
}

type WordCount = { isRepeated: boolean; isClashing: boolean; label: string };

const NEVER: WordCount = { isRepeated: false, isClashing: false, label: '' };

/** Words repeat if they are around different labels. Case does not matter. */
function countWords(groups: readonly Group[], wordsOf: (group: Group) => string): Map<string, WordCount> {
  const counts = new Map<string, WordCount>();
  for (const group of groups) {
    const words = wordsOf(group).toLowerCase();
    if (words === '' || saysNothing(words)) continue;
    const label = labelOf(group.candidates[0]);
    const count = counts.get(words) ?? { isRepeated: false, isClashing: false, label };
    count.isRepeated ||= group.hasOtherLabels || count.label !== label;
    count.isClashing ||= group.clashes;
    counts.set(words, count);
  }
  return counts;
}

/** Notes which labels are in two groups of a level. */
function markClashes(groups: readonly Group[]): void {
  const byLabel = new Map<string, Set<Group>>();
  for (const group of groups)
    for (const one of group.candidates.filter(isRelease)) {
      const key = `${one.level} ${keyOf(labelOf(one))}`;
      byLabel.set(key, (byLabel.get(key) ?? new Set()).add(group));
    }
  for (const shared of byLabel.values())
    if (shared.size > 1) for (const one of shared) one.clashes ||= one.before !== '' || one.behind !== '';
}

/** `Slam Dunk` in `2.0.0 Slam Dunk` */
function isCodename({ before, behind, hasOtherLabels, clashes }: Group): boolean {
  return before === '' && /^\p{Lu}/u.test(behind) && !hasOtherLabels && !clashes && !isPhrase(behind);
}

function keyOfGroup({ parts, level }: Candidate): string {
  return `${level}\0${parts?.before.toLowerCase()}\0${parts?.behind.toLowerCase()}`;
}

function labelOf(one: Candidate | undefined): string {
  return one?.parts?.start.label ?? '';
}

function isSame(words: string, others: string): boolean {
  return words.toLowerCase() === others.toLowerCase();
}
