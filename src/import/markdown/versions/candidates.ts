// Counts the headings that may be versions, by kind and level, while the file is read.
import type { VersionHeading } from '../headings.ts';
import { isAmbiguous } from './unreleased.ts';

/** A heading that is quoted in a message. */
export type ShownHeading = Readonly<{ line: number; text: string }>;

/** Headings of one kind at one level. */
export type Candidates = {
  kind: CandidateKind;
  level: number;
  count: number;
  /** How many are released but have no date. */
  undated: number;
  oldest: { timestamp: string; line: number } | null;
  lastLine: number;
  first: ShownHeading[];
};

/**
 * Below the second level, a number alone (`bare`) may be a section, and so may `name@1.2.0` and a name in brackets. A name
 * such as `Main` (`ambiguous`) may be one anywhere.
 */
export type CandidateKind = 'dated' | 'linked' | 'bare' | 'package' | 'name' | 'unreleased' | 'ambiguous';

export const SHOWN_MAX = 20;
const SHOWN_CHARACTERS_MAX = 80;

export function kindOf({ date, isUnreleased, isCertain, label }: VersionHeading): CandidateKind {
  if (isUnreleased && !/\d/.test(label)) return isAmbiguous(label) ? 'ambiguous' : 'unreleased';
  if (date !== null) return 'dated';
  if (isCertain) return 'linked';
  return /\d/.test(label) ? (label.includes('@') ? 'package' : 'bare') : 'name';
}

/** False for a draft. */
export function isRelease({ kind }: Readonly<{ kind: CandidateKind }>): boolean {
  return kind !== 'unreleased' && kind !== 'ambiguous';
}

export function isNumbered({ kind }: Readonly<{ kind: CandidateKind }>): boolean {
  return kind === 'dated' || kind === 'linked' || kind === 'bare';
}

export function newCandidates(kind: CandidateKind, level: number): Candidates {
  return { kind, level, count: 0, undated: 0, oldest: null, lastLine: 0, first: [] };
}

export function addCandidate(to: Candidates, version: VersionHeading, line: number, text: string): void {
  to.count++;
  to.lastLine = line;
  if (to.first.length < SHOWN_MAX) to.first.push(shownHeading(line, text));
  const timestamp = version.date?.timestamp ?? null;
  if (timestamp === null && !version.isUnreleased) to.undated++;
  if (timestamp !== null) addDate(to, timestamp, line);
}

export function addDate(to: Candidates, timestamp: string, line: number): void {
  if (to.oldest === null || timestamp <= to.oldest.timestamp) to.oldest = { timestamp, line };
}

export function shownHeading(line: number, text: string): ShownHeading {
  const shown = text.length > SHOWN_CHARACTERS_MAX ? `${text.slice(0, SHOWN_CHARACTERS_MAX)}…` : text;
  return { line, text: shown.toWellFormed() };
}

/** The headings that are versions, and the drafts beside them. */
export function acceptCandidates(all: readonly Candidates[]): Candidates[] {
  const releases = all.filter(isRelease);
  const accepted = releases.filter((one) => isAtLevelOfVersions(one, releases));
  const deepest = Math.max(...accepted.map(({ level }) => level));
  const drafts = all.filter(
    ({ kind, level }) =>
      (kind === 'unreleased' && level <= Math.max(deepest, SECTION_LEVEL)) ||
      (kind === 'ambiguous' && level <= (accepted.length === 0 ? CERTAIN_LEVEL : deepest)),
  );
  return [...accepted, ...drafts];
}

/** Down to this level, a number is a version. */
const CERTAIN_LEVEL = 2;
const SECTION_LEVEL = 3;

/** Below, a number may be a section, unless it has a date or a link, or most such numbers are at that level. */
function isAtLevelOfVersions(one: Candidates, releases: readonly Candidates[]): boolean {
  const { kind, level, count } = one;
  if (level <= CERTAIN_LEVEL || kind === 'dated' || (level === SECTION_LEVEL && kind === 'linked'))
    return true;
  const above = releases.filter((other) => other.level < level);
  if (kind !== 'bare') return above.length === 0;
  const beside = releases.filter((other) => other !== one && other.level === level && isNumbered(other));
  return count > countOf(above) || countOf(beside) >= Math.max(count, 2);
}

export function countOf(candidates: readonly Candidates[]): number {
  return candidates.reduce((sum, { count }) => sum + count, 0);
}

/** The last one in the file if there are no dates. */
export function oldestOf(accepted: readonly Candidates[]): number {
  const dated = accepted.flatMap(({ oldest }) => oldest ?? []);
  if (dated.length === 0 || accepted.some(({ undated }) => undated > 0))
    return Math.max(0, ...accepted.map(({ lastLine }) => lastLine));
  return dated.reduce((a, b) =>
    b.timestamp < a.timestamp || (b.timestamp === a.timestamp && b.line > a.line) ? b : a,
  ).line;
}
