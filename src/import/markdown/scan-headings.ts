// The first pass over a Markdown changelog: which format it is, which headings are versions, and where links lead.
import { SIGNATURE, SIGNATURE_LINE } from '../../domain/content/changelog-markdown.ts';
import { Refusal } from '../../errors.ts';
import { OWN_SECTIONS, plainName } from './dialects.ts';
import { parseVersionHeading, type VersionHeading } from './headings.ts';
import { References } from './references.ts';
import type { Heading, ScannedLine } from './scan.ts';

export type MarkdownFormat = keyof typeof OWN_SECTIONS;

export type ScannedHeadings = Readonly<{
  format: MarkdownFormat;
  references: References;
  /** What a heading says of a version, if it is one's. */
  parseHeading: (heading: Heading) => VersionHeading | null;
  /** Is it one that this program wrote? */
  isOwnFormat: boolean;
  /** Of headings that somebody may have meant to be versions. */
  warnings: readonly string[];
  /** The level of the uppermost versions: a heading above it ends one. */
  level: number;
  /** The line of the oldest version, which is there as long as the changelog is. */
  oldestLine: number;
}>;

const WARNINGS_MAX = 20;
/** Looks like a version's, and is none that we can read. */
const HAS_NUMBERS = /\d+\.\d+/;

/** Headings that could be versions, of one level and certainty. */
type Candidates = {
  /** How many are out, and not dated. */
  undated: number;
  level: number;
  isCertain: boolean;
  oldest: { timestamp: string; line: number } | null;
  lastLine: number;
};

export function scanHeadings(
  scanned: Iterable<ScannedLine>,
  file: string,
  wanted: MarkdownFormat | 'auto',
): ScannedHeadings {
  const references = new References(file);
  const candidates = new Map<string, Candidates>();
  const counts: Record<MarkdownFormat, number> = { 'keep-a-changelog': 0, conventional: 0, changesets: 0 };
  const odd: (Heading & { line: number })[] = [];
  let linkedAndDated = 0;
  let isOwnFormat = false;
  for (const { text, number, heading, definition } of scanned) {
    if (number === SIGNATURE_LINE && text === SIGNATURE) isOwnFormat = true;
    if (definition) references.add(definition, number);
    if (!heading) continue;
    const version = parseVersionHeading(heading.text);
    if (version === null) {
      countSection(counts, heading);
      if (HAS_NUMBERS.test(heading.text) && odd.length < WARNINGS_MAX) odd.push({ ...heading, line: number });
      continue;
    }
    if (version.link !== null && 'url' in version.link && version.date) linkedAndDated++;
    addCandidate(candidates, heading, version, number);
  }
  const accepted = [...candidates.values()].filter((one) =>
    isOwnFormat ? one.level === 2 : isAccepted(one, candidates),
  );
  if (accepted.length === 0 && !isOwnFormat) throw new Refusal(`${file}:1: ${NO_VERSIONS}`);
  const parseHeading = (heading: Heading) => {
    const version = parseVersionHeading(heading.text);
    const isOne = accepted.some(
      ({ level, isCertain }) => level === heading.level && isCertain === version?.isCertain,
    );
    return isOne ? version : null;
  };
  return {
    format: wanted === 'auto' ? recognise(counts, linkedAndDated) : wanted,
    references,
    parseHeading,
    isOwnFormat,
    warnings: odd
      .filter(({ level, line }) => line > 1 && accepted.some((one) => level <= one.level && level > 1))
      .map(
        ({ line, text }) =>
          `${file}:${line}: the heading ${JSON.stringify(shorten(text))} is not read as that of a version.`,
      ),
    level: Math.min(...accepted.map(({ level }) => level)),
    oldestLine: oldestOf(accepted),
  };
}

const SHOWN_CHARACTERS_MAX = 80;

function shorten(text: string): string {
  return text.length > SHOWN_CHARACTERS_MAX ? `${text.slice(0, SHOWN_CHARACTERS_MAX)}…` : text;
}

const NO_VERSIONS =
  'no heading of a version is in it, such as `## [1.2.0] - 2026-05-04`: is it a changelog? (GitHub Releases are read as JSON.)';

function countSection(counts: Record<MarkdownFormat, number>, { level, text }: Heading): void {
  if (level < 2 || level > 4) return;
  const name = plainName(text);
  for (const format of Object.keys(counts) as MarkdownFormat[])
    if (Object.hasOwn(OWN_SECTIONS[format], name)) counts[format]++;
}

function addCandidate(
  candidates: Map<string, Candidates>,
  { level }: Heading,
  { isCertain, isUnreleased, date }: VersionHeading,
  line: number,
): void {
  const key = `${level} ${isCertain}`;
  const group = candidates.get(key) ?? { level, isCertain, undated: 0, oldest: null, lastLine: line };
  candidates.set(key, group);
  group.lastLine = line;
  const timestamp = date?.timestamp ?? null;
  if (timestamp === null && !isUnreleased) group.undated++;
  if (timestamp !== null && (group.oldest === null || timestamp <= group.oldest.timestamp))
    group.oldest = { timestamp, line };
}

/** Up to the second level a number is a version; below, it may be a section, unless it has a date or a link. */
function isAccepted({ level, isCertain }: Candidates, all: ReadonlyMap<string, Candidates>): boolean {
  if (level <= 2 || (level === 3 && isCertain)) return true;
  return ![...all.values()].some((other) => other.level < level);
}

/** Where dates do not tell, it is the last in the file. */
function oldestOf(accepted: readonly Candidates[]): number {
  const dated = accepted.flatMap(({ oldest }) => oldest ?? []);
  if (dated.length === 0 || accepted.some(({ undated }) => undated > 0))
    return Math.max(0, ...accepted.map(({ lastLine }) => lastLine));
  return dated.reduce((a, b) =>
    b.timestamp < a.timestamp || (b.timestamp === a.timestamp && b.line > a.line) ? b : a,
  ).line;
}

function recognise(counts: Record<MarkdownFormat, number>, linkedAndDated: number): MarkdownFormat {
  if (counts.changesets > Math.max(counts.conventional, counts['keep-a-changelog'])) return 'changesets';
  if (counts.conventional > counts['keep-a-changelog']) return 'conventional';
  const hasSections = counts['keep-a-changelog'] > 0;
  return !hasSections && linkedAndDated > 0 ? 'conventional' : 'keep-a-changelog';
}
