// The first pass over a Markdown changelog: finds its format, the headings of versions, and the link definitions.
import { SIGNATURE, SIGNATURE_LINE } from '../../domain/content/changelog-markdown.ts';
import { Refusal } from '../../errors.ts';
import { DateOrders } from '../dates/date-order.ts';
import { type ImportRules, NO_RULES } from '../rules.ts';
import { OWN_SECTIONS, plainName } from './dialects.ts';
import { parseVersionHeading, type VersionHeading } from './headings.ts';
import { References } from './references.ts';
import type { Heading, ScannedLine } from './scan.ts';

export type MarkdownFormat = keyof typeof OWN_SECTIONS;

export type ScannedHeadings = Readonly<{
  format: MarkdownFormat;
  /** None for what this program wrote. */
  rules: ImportRules;
  references: References;
  dateOrders: DateOrders;
  /** Null if the heading is not that of a version. */
  parseHeading: (heading: Heading) => VersionHeading | null;
  /** Did this program write it? */
  isOwnFormat: boolean;
  /** About headings that may have been meant as versions. */
  warnings: readonly string[];
  /** The top level of versions: a heading above it ends a version. */
  level: number;
  /** The oldest version stays in the changelog, so text that belongs to no version goes there. */
  oldestLine: number;
}>;

const WARNINGS_MAX = 20;
/** Looks like the heading of a version. */
const HAS_NUMBERS = /\d+\.\d+/;

/** The headings of one level and certainty that may be versions. */
type Candidates = {
  /** How many are released but have no date. */
  undated: number;
  level: number;
  isCertain: boolean;
  oldest: { timestamp: string; line: number } | null;
  lastLine: number;
};

export function scanHeadings(
  scanned: Iterable<ScannedLine>,
  file: string,
  { wanted, rules }: Readonly<{ wanted: MarkdownFormat | 'auto'; rules: ImportRules }>,
): ScannedHeadings {
  const references = new References(file);
  const dateOrders = new DateOrders(file, rules.dateOrder);
  const candidates = new Map<string, Candidates>();
  const counts: Record<MarkdownFormat, number> = { 'keep-a-changelog': 0, conventional: 0, changesets: 0 };
  const odd: (Heading & { line: number })[] = [];
  let linkedAndDated = 0;
  let isOwnFormat = false;
  for (const { text, number, heading, definition } of scanned) {
    if (number === SIGNATURE_LINE && text === SIGNATURE) isOwnFormat = true;
    if (definition) references.add(definition, number);
    const version = heading && parseVersionHeading(heading.text);
    dateOrders.see(version, text, number);
    if (!heading) continue;
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
    rules: isOwnFormat ? NO_RULES : rules,
    references,
    dateOrders,
    parseHeading,
    isOwnFormat,
    warnings: odd
      .filter(({ level, line }) => line > 1 && accepted.some((one) => level <= one.level && level > 1))
      .map(
        ({ line, text }) =>
          `${file}:${line}: the heading ${JSON.stringify(shorten(text))} does not count as a version.`,
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
  'no version headings such as `## [1.2.0] - 2026-05-04` found; is it a changelog? (GitHub releases are read as JSON.)';

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

/** Down to level 2 a number is a version; below, it may be a section, unless it has a date or a link. */
function isAccepted({ level, isCertain }: Candidates, all: ReadonlyMap<string, Candidates>): boolean {
  if (level <= 2 || (level === 3 && isCertain)) return true;
  return ![...all.values()].some((other) => other.level < level);
}

/** Without dates, it is the last in the file. */
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
