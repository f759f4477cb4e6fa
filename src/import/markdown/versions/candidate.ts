// A heading that may be a version, and what it says by itself.
import { parseDateLine } from '../../dates/date-below.ts';
import type { Heading } from '../outline.ts';
import {
  AS_NAMES,
  dissectHeading,
  type HeadingParts,
  type NameUses,
  type VersionHeading,
  versionOf,
} from './parse.ts';
import { isAmbiguous } from './words.ts';

/**
 * `bare` is a number alone, `package` the version of another product, and `ambiguous` a name such as `Main`, which may
 * also be that of a section.
 */
export type Kind = 'dated' | 'linked' | 'bare' | 'package' | 'unreleased' | 'ambiguous';

/** A heading, and what is known about it. */
export type Candidate = Heading & {
  readonly parts: HeadingParts | null;
  /** Null if it cannot be a version. */
  version: VersionHeading | null;
  kind: Kind | null;
  /** Whether the line below is its date. */
  readonly isDated: boolean;
  uses: NameUses | null;
  /** The version above that it repeats. */
  whole: Candidate | null;
  isVersion: boolean;
};

export function candidateOf(heading: Heading, lines: readonly string[]): Candidate {
  const parts = dissectHeading(heading.text);
  const version = parts && versionOf(parts, AS_NAMES);
  const isDated = version?.date === null && /\d\.\d/.test(version.label) && hasDateBelow(heading.line, lines);
  const kind = version && kindOf(version, parts, isDated);
  return { ...heading, parts, version, kind, isDated, uses: null, whole: null, isVersion: false };
}

/** The name in a label says nothing about the kind. */
export function kindOf(
  { date, isUnreleased }: VersionHeading,
  parts: HeadingParts | null,
  isDated: boolean,
): Kind {
  const { label = '', link = null, isGuess = false, isNumber, isNumbered } = parts?.start ?? {};
  if (isUnreleased && !isNumber && !isNumbered) return isAmbiguous(label) ? 'ambiguous' : 'unreleased';
  if (date !== null || isDated) return 'dated';
  return link !== null && !isGuess ? 'linked' : label.includes('@') ? 'package' : 'bare';
}

const LINES_BELOW_MAX = 3;

function hasDateBelow(line: number, lines: readonly string[]): boolean {
  const below = lines.slice(line, line + LINES_BELOW_MAX).find((text) => text.trim() !== '') ?? '';
  return parseDateLine(below)?.isWhole === true;
}

/** False for a draft. */
export function isRelease({ kind }: Pick<Candidate, 'kind'>): boolean {
  return kind !== null && kind !== 'unreleased' && kind !== 'ambiguous';
}

/** `1.2.0` and `v1.2.0` are the same version. */
export function keyOf(label: string): string {
  return label.replace(/^v\.? ?(?=\d)/i, '').toLowerCase();
}

/** `1.2.0` of `1.2.0`, `v1.2.0` and `rocket@1.2.0`, in lower case. */
export function numberOf(label: string): string {
  const [, number = label] = /(?:^|[\s@/_-])v?\.? ?(\d.*)$/i.exec(label) ?? [];
  return number.toLowerCase();
}
