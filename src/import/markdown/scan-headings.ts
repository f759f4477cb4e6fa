// Finds the format of a Markdown changelog, the headings of versions, and the link definitions.
import { isUnreleasedLabel } from '../../domain/content/changelog-markdown.ts';
import { isLineOfChangesets } from '../body/changesets.ts';
import { plainName } from '../body/names.ts';
import { DateOrders } from '../dates/date-order.ts';
import type { ImportRules } from '../rules.ts';
import { OWN_NAMES } from './dialects.ts';
import { AS_NAMES, parseVersionHeading, type VersionHeading, versionOf } from './headings.ts';
import { References } from './references.ts';
import type { Heading, ScannedLine } from './scan.ts';
import {
  addCandidate,
  addDate,
  type Candidates,
  countOf,
  isRelease,
  kindOf,
  newCandidates,
  oldestOf,
} from './versions/candidates.ts';
import { LearnedHeadings } from './versions/learned.ts';
import { isPartOf, Names } from './versions/names.ts';
import { dissectHeading, type HeadingParts } from './versions/parts.ts';
import { parseByRule } from './versions/rule.ts';
import { UnclosedBlock, UnreadHeadings, warnOfUnread } from './versions/unread.ts';

export type MarkdownFormat = keyof typeof OWN_NAMES;

export type ScannedHeadings = Readonly<{
  format: MarkdownFormat;
  rules: ImportRules;
  references: References;
  dateOrders: DateOrders;
  /** Null if the line is not the heading of a version. */
  parseHeading: ParseHeading;
  /** Reads a heading that repeats the version above it; null for any other heading. */
  parsePart: (heading: Heading, whole: Heading) => VersionHeading | null;
  /** Whether this program wrote the file. */
  isOwnFormat: boolean;
  /** The name that the headings repeat. */
  name: string | null;
  /** About headings that may have been meant as versions. */
  warnings: readonly string[];
  /** The top level of versions: a heading above it ends a version. */
  level: number;
  /** The oldest version stays in the changelog, so text that belongs to no version goes there. */
  oldestLine: number;
}>;

type ParseHeading = (line: Pick<ScannedLine, 'text' | 'heading' | 'isRaw'>) => VersionHeading | null;

type ScanOptions = Readonly<{
  wanted: MarkdownFormat | 'auto';
  rules: ImportRules;
  isOwnFormat: boolean;
}>;

export function scanHeadings(
  scanned: Iterable<ScannedLine>,
  file: string,
  { wanted, rules, isOwnFormat }: ScanOptions,
): ScannedHeadings {
  const scan = new HeadingScan(file, rules, isOwnFormat);
  for (const line of scanned) scan.take(line);
  return scan.finish(wanted);
}

/** This program writes versions at this level. */
const OWN_LEVEL = 2;
/** The level of versions that are not headings. */
const LINE_LEVEL = 2;
const NO_TITLE = { text: '', line: 0 };

/** A heading under which others may be parts of the same version. */
type Enclosing = Readonly<{ level: number; parts: HeadingParts; line: number; candidates: Candidates }>;

class HeadingScan {
  readonly #file: string;
  readonly #rules: ImportRules;
  readonly #isOwnFormat: boolean;
  /** For files in which each heading alone shows whether it is a version: our own format, and a rule of the user. */
  readonly #parseExactly: ParseHeading | null;
  readonly #references = new References();
  readonly #dateOrders: DateOrders;
  readonly #counts: Record<MarkdownFormat, number> = {
    'keep-a-changelog': 0,
    conventional: 0,
    changesets: 0,
  };
  readonly #names = new Names();
  readonly #unread = new UnreadHeadings();
  readonly #unclosed = new UnclosedBlock();
  readonly #exact = new Map<string, Candidates>();
  #enclosing: Enclosing | null = null;
  #title: { text: string; line: number } | null = null;
  #linkedAndDated = 0;
  #isChangesets = false;
  #isAfterBlank = true;
  /** Whether any heading may be a version. */
  #hasVersions = false;

  constructor(file: string, rules: ImportRules, isOwnFormat: boolean) {
    this.#file = file;
    this.#rules = rules;
    this.#isOwnFormat = isOwnFormat;
    this.#parseExactly = isOwnFormat ? parseOwn : rules.heading && parserOf(rules.heading);
    this.#dateOrders = new DateOrders(file, rules.dateOrder);
  }

  take(line: ScannedLine): void {
    const { text, number, heading, definition, isRaw, isOpen } = line;
    if (definition) this.#references.add(definition);
    this.#isChangesets ||= isLineOfChangesets(text);
    if (heading !== null)
      this.#title ??= heading.level === 1 ? { text: heading.text, line: number } : NO_TITLE;
    const version = this.#takeVersion(line);
    this.#dateOrders.see(version, text, number);
    this.#hasVersions ||= version !== null;
    if (isOpen) this.#unclosed.take(number, text);
    else this.#unclosed.clear();
    if (!isRaw && (heading !== null || !this.#hasVersions))
      this.#unread.weigh(number, text, heading !== null);
    this.#isAfterBlank = text.trim() === '';
  }

  #takeVersion(line: ScannedLine): VersionHeading | null {
    const { text, number, heading, isRaw } = line;
    if (this.#parseExactly !== null) return this.#takeExactly(line, this.#parseExactly(line));
    if (heading !== null) return this.#learn(heading, number);
    if (!isRaw && this.#isAfterBlank) this.#unread.addLine(number, text);
    return null;
  }

  finish(wanted: MarkdownFormat | 'auto'): ScannedHeadings {
    const parseExactly = this.#parseExactly;
    const learned =
      parseExactly === null
        ? new LearnedHeadings(this.#file, this.#names, this.#unread, this.#title ?? NO_TITLE)
        : null;
    const accepted = learned?.accepted ?? [...this.#exact.values()];
    const levels = accepted.map(({ level }) => level);
    if (!this.#isOwnFormat) this.#requireVersions(accepted);
    return {
      format: wanted === 'auto' ? this.#recognise() : wanted,
      rules: this.#rules,
      references: this.#references,
      dateOrders: this.#dateOrders,
      parseHeading: parseExactly ?? ((line) => learned?.parseHeading(line) ?? null),
      parsePart: (heading, whole) => learned?.parsePart(heading, whole) ?? null,
      isOwnFormat: this.#isOwnFormat,
      name: learned?.name ?? null,
      warnings:
        learned?.warnings ??
        warnOfUnread(this.#file, this.#unread.upTo(Math.max(...levels), Math.min(...levels))),
      level: Math.min(...levels),
      oldestLine: oldestOf(accepted),
    };
  }

  #recognise(): MarkdownFormat {
    const changesets = this.#isChangesets ? this.#counts.changesets : 0;
    return recognise({ ...this.#counts, changesets }, this.#linkedAndDated);
  }

  /** An empty changelog that this program wrote has none. */
  #requireVersions(accepted: readonly Candidates[]): void {
    if (accepted.length === 0) throw this.#unread.noVersionsError(this.#file, this.#rules.heading);
    this.#unclosed.requireFew(this.#file, countOf(accepted));
  }

  #takeExactly(line: ScannedLine, version: VersionHeading | null): VersionHeading | null {
    if (version === null) {
      if (line.heading !== null) this.#takeSection(line.heading, line.number);
      return null;
    }
    this.#countLink(version);
    const level = line.heading?.level ?? LINE_LEVEL;
    const candidates = this.#exact.get(`${level}`) ?? newCandidates(kindOf(version), level);
    this.#exact.set(`${level}`, candidates);
    addCandidate(candidates, version, line.number, line.text);
    return version;
  }

  /** The headings may no longer follow the rule. */
  #takeSection(heading: Heading, line: number): void {
    countSection(this.#counts, heading);
    if (!this.#isOwnFormat && parseVersionHeading(heading.text) !== null)
      this.#unread.addHeading(heading.level, line, heading.text);
  }

  #learn(heading: Heading, line: number): VersionHeading | null {
    const { level, text } = heading;
    if (this.#enclosing !== null && level <= this.#enclosing.level) this.#enclosing = null;
    const parts = dissectHeading(text);
    const part = parts && this.#parsePart(parts);
    if (part !== null) return part;
    const added = parts && this.#names.add(parts, level, line, text);
    if (added === null) {
      countSection(this.#counts, heading);
      if (line !== this.#title?.line) this.#unread.addHeading(level, line, text);
      return null;
    }
    this.#countLink(added.version);
    const isHeadOfVersion = this.#enclosing === null || level <= 2 || added.version.isCertain;
    if (parts !== null && isRelease(added.candidates) && isHeadOfVersion)
      this.#enclosing = { level, parts, line, candidates: added.candidates };
    return added.version;
  }

  /** Its date belongs to the version above it. */
  #parsePart(parts: HeadingParts): VersionHeading | null {
    const whole = this.#enclosing;
    const version = whole !== null && isPartOf(parts, whole.parts) ? versionOf(parts, AS_NAMES) : null;
    const timestamp = version?.date?.timestamp ?? null;
    if (whole !== null && timestamp !== null && whole.candidates.kind !== 'dated') {
      whole.candidates.undated--;
      addDate(whole.candidates, timestamp, whole.line);
    }
    return version;
  }

  #countLink({ link, date }: VersionHeading): void {
    if (link !== null && 'url' in link && date) this.#linkedAndDated++;
  }
}

function parserOf(rule: RegExp): ParseHeading {
  return ({ text, heading, isRaw }) => (isRaw ? null : parseByRule(rule, text, heading?.text ?? null));
}

function parseOwn({ heading }: Pick<ScannedLine, 'heading'>): VersionHeading | null {
  const version = heading?.level === OWN_LEVEL ? parseVersionHeading(heading.text) : null;
  if (version === null) return null;
  const isUnreleased = isUnreleasedLabel(version.label) || (version.isUnreleased && version.date === null);
  return { ...version, isUnreleased };
}

function countSection(counts: Record<MarkdownFormat, number>, { level, text }: Heading): void {
  if (level < 2 || level > 4) return;
  const name = plainName(text);
  for (const format of Object.keys(counts) as MarkdownFormat[])
    if (OWN_NAMES[format].has(name)) counts[format]++;
}

function recognise(counts: Record<MarkdownFormat, number>, linkedAndDated: number): MarkdownFormat {
  if (counts.changesets > Math.max(counts.conventional, counts['keep-a-changelog'])) return 'changesets';
  if (counts.conventional > counts['keep-a-changelog']) return 'conventional';
  const hasSections = counts['keep-a-changelog'] > 0;
  return !hasSections && linkedAndDated > 0 ? 'conventional' : 'keep-a-changelog';
}
