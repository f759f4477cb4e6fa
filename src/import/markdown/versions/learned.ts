// Decides which headings are versions, once all of them are known.
import { limitWarnings } from '../../warnings.ts';
import { AS_TITLES, type NameUses, type VersionHeading, versionOf } from '../headings.ts';
import type { Heading, ScannedLine } from '../scan.ts';
import {
  acceptCandidates,
  type CandidateKind,
  type Candidates,
  countOf,
  isNumbered,
  isRelease,
  kindOf,
} from './candidates.ts';
import { decideNames, type FileTitle, isNameIn } from './name-uses.ts';
import { isPartOf, type NamedGroup, type Names } from './names.ts';
import { dissectHeading, type HeadingParts } from './parts.ts';
import { isPhrase } from './phrases.ts';
import { requireMostRead, type Unread, type UnreadHeadings, warnOfUnread } from './unread.ts';

/** A level with a smaller share of all versions has them by accident. */
const LEVEL_SHARE_MIN = 0.1;

/** Versions of parts may be at this level and below. */
const PART_LEVEL = 3;

export class LearnedHeadings {
  readonly accepted: readonly Candidates[];
  readonly warnings: readonly string[] = [];
  /** The name that the headings repeat. */
  readonly name: string | null;
  readonly #names: Names;
  readonly #uses: ReadonlyMap<NamedGroup, NameUses | null>;
  readonly #acceptedKeys: ReadonlySet<string>;
  readonly #dropped: ReadonlySet<string>;
  /** The names of the changelog's own product. */
  readonly #own: ReadonlySet<string>;

  constructor(file: string, names: Names, unread: UnreadHeadings, title: FileTitle) {
    this.#names = names;
    this.#uses = decideNames([...names.groups], title);
    const dropped = [...this.#uses].filter(([{ before }, uses]) => before !== '' && uses?.before === 'drop');
    this.#dropped = new Set(dropped.map(([{ before }]) => before.toLowerCase()));
    this.#own = new Set(
      dropped.filter(([{ level }]) => level < PART_LEVEL).map(([{ before }]) => before.toLowerCase()),
    );
    const usable = mergeCandidates(
      [...this.#uses].flatMap(([group, uses]) =>
        usableOf(group, uses).map((one) => ({ ...one, kind: this.#kindWith(one, group.before, uses) })),
      ),
    );
    this.accepted = acceptCandidates(usable).filter((one) => !isTitle(one, usable, title));
    this.#acceptedKeys = new Set(this.accepted.map(keyOf));
    this.name = mostFrequent(dropped.map(([group]) => group).filter((group) => this.#isAccepted(group)));
    if (this.accepted.length === 0) return;
    const missed = this.#unreadOf(unread, usable, title);
    requireMostRead(file, missed, countOf(this.accepted.filter(isRelease)));
    const ofNames = limitWarnings(
      this.#warnOfNames(file, title),
      (more) => `${file}: … and ${more} more such names.`,
    );
    this.warnings = [...ofNames, ...warnOfUnread(file, missed)];
  }

  parseHeading({ heading }: Pick<ScannedLine, 'heading'>): VersionHeading | null {
    const parts = heading === null ? null : dissectHeading(heading.text);
    if (heading === null || parts === null) return null;
    const uses = this.#usesOf(parts, heading.level);
    const version = versionOf(parts, uses);
    if (version === null) return null;
    // The name in a label says nothing about the kind.
    const isKept = uses.before === 'keep' || uses.behind === 'keep';
    const plain = kindOf(isKept ? { ...version, label: parts.start.label } : version);
    const kind = this.#kindWith({ kind: plain, level: heading.level }, parts.before, uses);
    return this.#acceptedKeys.has(keyOf({ kind, level: heading.level })) ? this.#withoutName(version) : null;
  }

  /** For a heading that repeats the version above it. */
  parsePart({ text, level }: Heading, whole: Heading): VersionHeading | null {
    const parts = dissectHeading(text);
    const above = dissectHeading(whole.text);
    if (parts === null || above === null || !isPartOf(parts, above)) return null;
    return versionOf(parts, { ...this.#usesOf(parts, level), before: 'drop' });
  }

  #usesOf(parts: HeadingParts, level: number): NameUses {
    const group = this.#names.find(parts, level);
    return (group && this.#uses.get(group)) ?? AS_TITLES;
  }

  /** Below the second level, the name of the product makes a number certain; other names may be parts of a release. */
  #kindWith(
    { kind, level }: Pick<Candidates, 'kind' | 'level'>,
    before: string,
    uses: NameUses | null,
  ): CandidateKind {
    const isNamed = before !== '' && (uses?.before === 'drop' || uses?.before === 'keep');
    if (!isNamed || level < PART_LEVEL || !isRelease({ kind })) return kind;
    if (!this.#own.has(before.toLowerCase())) return 'package';
    return kind === 'bare' ? 'linked' : kind;
  }

  /** Whether any of its headings are versions. */
  #isAccepted(group: NamedGroup): boolean {
    const uses = this.#uses.get(group) ?? null;
    return usableOf(group, uses).some(({ kind, level }) =>
      this.#acceptedKeys.has(keyOf({ level, kind: this.#kindWith({ kind, level }, group.before, uses) })),
    );
  }

  /** `Rocket (unreleased)` */
  #withoutName(version: VersionHeading): VersionHeading {
    const isName = version.isUnreleased && this.#dropped.has(version.label.toLowerCase());
    return isName ? { ...version, label: 'Unreleased' } : version;
  }

  #unreadOf(unread: UnreadHeadings, usable: readonly Candidates[], title: FileTitle): Unread[] {
    const least = countOf(this.accepted) * LEVEL_SHARE_MIN;
    const levels = this.accepted.filter(({ count }) => count >= least).map(({ level }) => level);
    const deepest = Math.max(...levels);
    const top = Math.min(...levels);
    const tooDeep = usable.filter((one) => isNumbered(one) && !this.#acceptedKeys.has(keyOf(one)));
    const isShown = ({ level }: Readonly<{ level: number }>) => level <= deepest && (level > 1 || top === 1);
    const rejected = [...this.#uses].flatMap(([group, uses]) =>
      isShown(group) ? rejectedOf(group, uses, title) : [],
    );
    return [
      ...unread.upTo(deepest, top),
      ...rejected,
      ...tooDeep.map((one) => ({ ...one, isPhrase: false })),
    ];
  }

  /** Only the user knows whether they are other products. */
  #warnOfNames(file: string, title: FileTitle): string[] {
    const isAnyOther = (name: string) =>
      [...this.#uses].some(
        ([group, uses]) => usableOf(group, uses).some(isRelease) && group.before.toLowerCase() !== name,
      );
    const told = new Set<string>();
    return [...this.#uses].flatMap(([group, uses]) => {
      const { before, behind, byKind } = group;
      const isKept = uses?.before === 'keep' || uses?.behind === 'keep';
      const name = uses?.before === 'keep' ? before : isKept ? behind : before;
      const isDropped =
        this.#own.has(before.toLowerCase()) && !isNameIn(title.text, name) && isAnyOther(name.toLowerCase());
      const [first] = [...byKind.values()].flatMap((one) => one.first);
      if (first === undefined || !(isKept || isDropped) || told.has(name.toLowerCase())) return [];
      if (!this.#isAccepted(group)) return [];
      told.add(name.toLowerCase());
      const what = isKept
        ? 'stay apart from the others: their labels keep the name'
        : 'count as versions of the same product as the others: their labels lose the name';
      return [`${file}:${first.line}: versions named ${JSON.stringify(name)} ${what}.`];
    });
  }
}

function keyOf({ kind, level }: Pick<Candidates, 'kind' | 'level'>): string {
  return `${level} ${kind}`;
}

/** A number with a title but without a date is a sentence. */
function usableOf({ before, behind, byKind }: NamedGroup, uses: NameUses | null): Candidates[] {
  const isTitled = (before !== '' && uses?.before === 'title') || (behind !== '' && uses?.behind === 'title');
  const all = uses === null ? [] : [...byKind.values()];
  return all.filter(({ kind }) => !isTitled || kind === 'dated' || !isRelease({ kind }));
}

function rejectedOf(group: NamedGroup, uses: NameUses | null, title: FileTitle): Unread[] {
  const usable = usableOf(group, uses).length;
  const { byKind, before, behind, level, hasDots, hasOtherLabels, count } = group;
  // `API v3` or the same number again is the name of a section.
  if (usable === byKind.size || !hasDots || (count > 1 && !hasOtherLabels)) return [];
  const rejected = [...byKind.values()].filter(
    ({ kind }) => uses === null || (kind !== 'dated' && isRelease({ kind })),
  );
  return rejected.flatMap(({ count: all, first }) => {
    const others = first.filter(({ line }) => line !== title.line);
    const left = all - (first.length - others.length);
    return left === 0
      ? []
      : [{ level, isPhrase: isPhrase(`${before} ${behind}`), count: left, first: others }];
  });
}

/** `# Next` at the top may be the name of the product. */
function isTitle(one: Candidates, all: readonly Candidates[], { line }: FileTitle): boolean {
  if (one.kind !== 'ambiguous' || one.level !== 1 || one.first[0]?.line !== line) return false;
  return (
    all.some((other) => isNumbered(other)) && !all.some((other) => isNumbered(other) && other.level === 1)
  );
}

function mergeCandidates(all: readonly Candidates[]): Candidates[] {
  const merged = new Map<string, Candidates>();
  for (const one of all) {
    const other = merged.get(keyOf(one));
    merged.set(keyOf(one), other === undefined ? one : mergeTwo(other, one));
  }
  return [...merged.values()];
}

function mergeTwo(a: Candidates, b: Candidates): Candidates {
  const dates = [a.oldest, b.oldest].filter((one) => one !== null);
  const oldest =
    dates.toSorted((x, y) =>
      x.timestamp < y.timestamp ? -1 : x.timestamp > y.timestamp ? 1 : y.line - x.line,
    )[0] ?? null;
  return {
    ...a,
    count: a.count + b.count,
    undated: a.undated + b.undated,
    oldest,
    lastLine: Math.max(a.lastLine, b.lastLine),
    first: [...a.first, ...b.first].sort((x, y) => x.line - y.line),
  };
}

function mostFrequent(groups: readonly NamedGroup[]): string | null {
  const names = groups.filter(({ before }) => !isPhrase(before));
  return names.toSorted((a, b) => b.count - a.count)[0]?.before ?? null;
}
