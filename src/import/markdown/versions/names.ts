// Groups the headings of a file by the words around their labels, and notes which labels are in two groups.
import { AS_NAMES, type VersionHeading, versionOf } from '../headings.ts';
import { addCandidate, type Candidates, isRelease, kindOf, newCandidates } from './candidates.ts';
import type { HeadingParts } from './parts.ts';
import { saysNothing } from './phrases.ts';

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
  /** Whether a label has a dot: `API v3` may be a section. */
  hasDots: boolean;
  /** Whether another group has one of its labels. */
  clashes: boolean;
};

/** More names than that are titles. */
const GROUPS_MAX = 2_000;

export class Names {
  readonly #groups = new Map<string, NamedGroup>();
  readonly #groupsByLabel = new Map<string, Set<NamedGroup>>();

  /** Null if it can never be a version. */
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
      before: parts.before,
      behind: parts.behind,
      byKind: new Map(),
      count: 0,
      firstLabel: label,
      hasOtherLabels: false,
      hasDots: false,
      clashes: false,
    };
    this.#groups.set(key, group);
    return group;
  }

  #compareLabel(group: NamedGroup, label: string): void {
    const groups = this.#groupsByLabel.get(label) ?? new Set();
    this.#groupsByLabel.set(label, groups);
    if (groups.has(group)) return;
    groups.add(group);
    // Of three and more, the others clash already.
    const clashing = groups.size === 2 ? groups : groups.size > 2 ? [group] : [];
    for (const one of clashing) one.clashes = one.before !== '' || one.behind !== '';
  }
}

function groupKey({ before, behind }: Pick<HeadingParts, 'before' | 'behind'>, level: number): string {
  return `${level}\0${before.toLowerCase()}\0${behind.toLowerCase()}`;
}

/** `### v1.9.0 (2021-12-31) Changes` below `## v1.9.0`, but not `### TypeScript 1.9.0` */
export function isPartOf(part: HeadingParts, whole: HeadingParts): boolean {
  const isSame = (words: string, others: string) =>
    words === '' || words.toLowerCase() === others.toLowerCase();
  return (
    keyOf(part.start.label) === keyOf(whole.start.label) &&
    isSame(part.before, whole.before) &&
    (saysNothing(part.behind) || isSame(part.behind, whole.behind))
  );
}

/** `1.2.0` and `v1.2.0` are the same version. */
export function keyOf(label: string): string {
  return label.replace(/^v\.? ?(?=\d)/i, '').toLowerCase();
}
