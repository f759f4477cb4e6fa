// Reads a Markdown changelog in any of the formats.
import { COMMAND } from '../../command-name.ts';
import { decodeControls, SIGNATURE } from '../../domain/content/changelog-markdown.ts';
import { isName, linksTo, type VersionContent } from '../../domain/content/content.ts';
import { Refusal } from '../../errors.ts';
import { withoutComments } from '../body/blocks.ts';
import {
  type ChooseLabels,
  type ImportedChangelog,
  type ImportedVersion,
  listVersion,
} from '../changelog.ts';
import { requireValidDescription, requireValidVersion } from '../checks.ts';
import { collectVersions, joinTexts, warnOfMerged, warnOfStrays } from '../collect-versions.ts';
import { takeComparison } from '../comparisons.ts';
import { takeDateBelow } from '../dates/date-below.ts';
import { DateOrders } from '../dates/date-order.ts';
import type { ImportRules } from '../rules.ts';
import { type VersionSections, warnOfSections } from '../section-warnings.ts';
import { parseAnnotations } from './annotations.ts';
import { parseBody, type VersionBody } from './body.ts';
import { type MarkdownFormat, recognise } from './dialects.ts';
import { type Outline, outline } from './outline.ts';
import { linkOf } from './references.ts';
import { isChapter, isSectionName, splitVersions, type VersionText } from './split.ts';
import { type Choice, chooseBy, chooseVersions, nameOf } from './versions/choose.ts';
import { parseOwnHeading, plainText, type VersionHeading } from './versions/parse.ts';
import {
  explainHeadings,
  noVersionsError,
  requireMostRead,
  warnOfNames,
  warnOfUnread,
} from './versions/report.ts';
import { parseByRule } from './versions/rule.ts';
import { describeStray } from './versions/strays.ts';
import { GENERIC_TITLE } from './versions/words.ts';

type MarkdownOptions = Readonly<{
  /** The name of the file. */
  name: string;
  format: MarkdownFormat | 'auto';
  merging: boolean;
  rules: ImportRules;
  /** Whether this program wrote the file. */
  isOwnFormat: boolean;
  choose: ChooseLabels | null;
}>;

export function readMarkdown(lines: readonly string[], options: MarkdownOptions): ImportedChangelog {
  const reader = new MarkdownReader(planOf(lines, options), options);
  const read = reader.read();
  const warnings = warnOfSections(reader.sections, { file: options.name, lines });
  return { ...read, warnings: [...read.warnings, ...warnings] };
}

/** What is left of the headings when the text is read: in a large file, they would take much memory. */
type Plan = Readonly<{
  format: MarkdownFormat;
  /** The name that the headings repeat. */
  name: string | null;
  references: Outline['references'];
  texts: readonly VersionText[];
  warnings: readonly string[];
}>;

type Found = Readonly<{ found: Outline; choice: Choice }>;

function planOf(lines: readonly string[], options: MarkdownOptions): Plan {
  const headings = findVersions(lines, options);
  const warnings = requireVersions(lines, headings, options);
  return { ...planFor(headings, options), warnings, texts: splitFound(headings, options) };
}

function planFor({ found, choice }: Found, { format }: MarkdownOptions): Omit<Plan, 'texts' | 'warnings'> {
  return {
    format: format === 'auto' ? recognise(found, choice.versions) : format,
    name: nameOf(choice),
    references: found.references,
  };
}

function splitFound({ found, choice }: Found, { name: file }: MarkdownOptions): VersionText[] {
  return splitVersions(found, choice, file);
}

/** Refuses a file without versions, or with many that were missed; the rest are warnings. */
function requireVersions(
  lines: readonly string[],
  { found, choice }: Found,
  { name: file, rules, isOwnFormat }: MarkdownOptions,
): string[] {
  if (choice.versions.length === 0 && !isOwnFormat) throw noVersionsError(file, lines, rules.heading);
  const isExact = isOwnFormat || rules.heading !== null;
  return isExact
    ? warnOfUnread(file, isOwnFormat ? [] : choice.unread)
    : [...warnOfNames(file, choice), ...requireMostRead(file, found, choice)];
}

/** A version as the file has it, before duplicates are merged. */
export type WrittenVersion = Readonly<{
  heading: VersionHeading;
  line: number;
  /** Those below the heading, without the date. */
  lines: readonly string[];
  dateLine: number;
  /** Null if the date does not exist, or is not known. */
  publishedAt: string | null;
  sections: VersionSections['sections'];
}>;

export type Inspection = Found &
  Readonly<{
    versions: readonly WrittenVersion[];
    /** The lines at which chapters begin. */
    chapters: readonly number[];
    /** Why an import would refuse the file. */
    refusal: Refusal | null;
  }>;

/** Null if the step fails and the others go on. */
type Attempt = <T>(step: () => T) => T | null;

/** Reads as much as can be read of a file that an import might refuse. */
export function inspectMarkdown(lines: readonly string[], options: MarkdownOptions): Inspection {
  let refusal: Refusal | null = null;
  const attempt: Attempt = (step) => {
    try {
      return step();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refusal ??= error;
      return null;
    }
  };
  const headings = findVersions(lines, options);
  attempt(() => requireVersions(lines, headings, options));
  const texts = attempt(() => splitFound(headings, options)) ?? [];
  const reader = new MarkdownReader({ ...planFor(headings, options), warnings: [], texts }, options);
  attempt(() => reader.read(attempt));
  const dates = new Map(reader.versions.map(({ line, content }) => [line, content.publishedAt]));
  const sections = new Map(reader.sections.map(({ line, sections }) => [line, sections]));
  const versions = Array.from(
    reader.datedTexts(),
    (text): WrittenVersion => ({
      ...text,
      publishedAt: dates.get(text.line) ?? null,
      sections: sections.get(text.line) ?? [],
    }),
  );
  const chapters = texts.slice(1).flatMap(({ heading, line }) => (heading === null ? [line] : []));
  return { ...headings, versions, chapters, refusal };
}

/** A table of the headings: what each is, and why. */
export function explainMarkdown(lines: readonly string[], options: MarkdownOptions): string[] {
  const { choice } = findVersions(lines, options);
  return explainHeadings(choice, (one) => isChapter(one, choice));
}

export function findVersions(
  lines: readonly string[],
  { rules: { heading: rule }, isOwnFormat }: Pick<MarkdownOptions, 'rules' | 'isOwnFormat'>,
): Found {
  const found = outline(lines, { isOwnFormat, rule });
  if (isOwnFormat)
    return {
      found,
      choice: chooseBy(({ level, text }) => (level === OWN_LEVEL ? parseOwnHeading(text) : null), found, {
        isOwnFormat,
      }),
    };
  if (rule === null) return { found, choice: chooseVersions(found) };
  const parse = (line: number, text: string) => parseByRule(rule, lines[line - 1] ?? '', text);
  return { found, choice: chooseBy(({ line, text }) => parse(line, text), found) };
}

/** This program writes versions at this level. */
const OWN_LEVEL = 2;
const TITLE_CHARACTERS_MAX = 1_000;
const TITLE = /^ {0,3}#[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*(?:\n|$)/;

const LIST_ITEM = /^ {0,3}(?:[-+*]|\d{1,9}[.)])[ \t]/;

class MarkdownReader {
  /** Before duplicates are merged. */
  readonly versions: ImportedVersion[] = [];
  readonly sections: VersionSections[] = [];
  readonly #plan: Plan;
  readonly #options: MarkdownOptions;
  readonly #dateOrders: DateOrders;
  #name: string | null = null;

  constructor(plan: Plan, options: MarkdownOptions) {
    this.#plan = plan;
    this.#options = options;
    this.#dateOrders = new DateOrders(options.name, options.rules.dateOrder);
  }

  read(attempt: Attempt = (step) => step()): ImportedChangelog {
    const { name: file, merging, isOwnFormat } = this.#options;
    const { format, name, texts, warnings } = this.#plan;
    const { versions } = this;
    for (const { heading, dateLine } of this.datedTexts()) this.#dateOrders.learn(heading.date, dateLine);
    const others = this.#listOthers();
    for (const text of this.datedTexts()) {
      attempt(() => {
        const version = others.get(text.line) ?? this.#readVersion(text, true);
        requireValidVersion(version, file);
        versions.push(version);
      });
    }
    const outside = texts.filter(({ heading }) => heading === null);
    const told = this.#describe(outside);
    const description = isOwnFormat ? ownDescription(outside) : told;
    requireValidDescription(description, file);
    return {
      format,
      name: this.#name ?? name,
      description,
      versions: collectVersions(versions, { name: file, merging }),
      warnings: [
        ...warnings,
        ...warnOfStrays(versions, file),
        ...warnOfShare(texts, file),
        ...this.#dateOrders.warnings(),
        ...warnOfMerged(versions, file),
      ],
    };
  }

  /** The versions that were not chosen, by their lines, without their text. */
  #listOthers(): ReadonlyMap<number, ImportedVersion> {
    const { choose } = this.#options;
    if (choose === null) return new Map();
    const all = Array.from(this.datedTexts(), (text) => this.#readVersion(text, false));
    const chosen = choose(all.map(listVersion));
    const others = all.filter(({ content }) => !chosen.has(content.version));
    return new Map(others.map((version) => [version.line, version]));
  }

  /** The text that belongs to no version. */
  #describe(texts: readonly VersionText[]): string | null {
    const { references } = this.#plan;
    const [introduction = '', ...chapters] = texts.map(({ lines }) => trimBlankLines(withoutComments(lines)));
    const kept = [this.#takeTitle(introduction), ...chapters].filter((text) => text !== '');
    const resolved = kept.map((text) => references.resolve(text));
    const unused = references.formatUnused();
    return joinTexts(...resolved, unused === '' ? null : unused);
  }

  /** The introduction without the title of the file, which names the product. */
  #takeTitle(text: string): string {
    const title = TITLE.exec(text.slice(0, TITLE_CHARACTERS_MAX));
    const name = plainText(title?.[1] ?? '');
    const isGeneric = GENERIC_TITLE.test(name);
    this.#name = !isName(name) || (isGeneric && !this.#options.isOwnFormat) ? null : name;
    const isTold = title !== null && (isGeneric || isName(name));
    return isTold ? trimBlankLines(text.slice(title[0].length).split('\n')) : text;
  }

  /** One at a time, because each is a copy of its lines. */
  *datedTexts(): Generator<DatedText> {
    for (const text of this.#plan.texts) if (text.heading !== null) yield this.#findDate(text, text.heading);
  }

  /** The date may be on a line below the heading. */
  #findDate({ line, lines }: VersionText, heading: VersionHeading): DatedText {
    const hasDate = this.#options.isOwnFormat || heading.date !== null || heading.isUnreleased;
    const below = hasDate ? null : takeDateBelow(lines, heading.label);
    if (below === null) return { heading, line, lines, dateLine: line };
    const dated = { ...heading, date: below.date, isUnreleased: below.date === null };
    return { heading: dated, line, lines: below.lines, dateLine: line + 1 + below.index };
  }

  #readVersion({ heading, line, lines, dateLine }: DatedText, withText: boolean): ImportedVersion {
    const { rules, isOwnFormat } = this.#options;
    const { format } = this.#plan;
    const { references } = this.#plan;
    // Bold text before a list is the name of a section.
    const isTitle = (bold: string, next: string) =>
      isOwnFormat ||
      (heading.title === '' && !bold.endsWith(':') && !LIST_ITEM.test(next) && !isSectionName(bold));
    const asWritten = <T extends string | null>(text: T) =>
      (isOwnFormat && text !== null ? decodeControls(text) : text) as T;
    const annotations = parseAnnotations(lines, isTitle);
    const body = withText ? parseBody(annotations.lines, { format, isOwnFormat, rules }) : NO_TEXT;
    const { description, changes, sections } = body;
    if (withText) this.sections.push({ line, sections });
    const { status, publishedAt, isDated } = this.#stateOf(heading, annotations, dateLine);
    const link = linkOf(heading, references);
    const known = annotations.compare ?? link.compare;
    const told = joinTexts(annotations.description, description && references.resolve(description));
    const found = isOwnFormat ? { description: told, compare: known } : takeComparison(told, known);
    const content: VersionContent = {
      version: heading.label,
      title: annotations.title || heading.title,
      status,
      publishedAt,
      description: asWritten(joinTexts(found.description, link.text)),
      ...linksTo(found.compare),
      yanked: heading.isYanked,
      changes: changes.map((change) => ({ ...change, text: asWritten(references.resolve(change.text)) })),
    };
    return { content, isDated, line, ...(heading.isStray && { stray: describeStray(heading) }) };
  }

  #stateOf(
    { date, isDateLabel, isUnreleased, label }: VersionHeading,
    annotations: ReturnType<typeof parseAnnotations>,
    line: number,
  ) {
    const timestamp = date === null || isUnreleased ? date?.timestamp : this.#dateOrders.resolve(date, line);
    if (date !== null && timestamp === null) this.#dateOrders.requireSlip(date, label, line);
    const publishedAt =
      annotations.timestamp ?? (isDateLabel && annotations.status === 'draft' ? null : timestamp) ?? null;
    const isDraft =
      annotations.status === 'draft' || (isUnreleased && annotations.status === null) || publishedAt === null;
    const isKnown = annotations.status !== null || isUnreleased || publishedAt !== null;
    // The date of an unreleased version is a plan, or the date of the last edit.
    const keepsDate = !isUnreleased || annotations.status !== null;
    return {
      status: isDraft ? ('draft' as const) : ('published' as const),
      publishedAt: keepsDate ? publishedAt : null,
      isDated: isKnown,
    };
  }
}

const NO_TEXT: VersionBody = { description: null, changes: [], sections: [] };

type DatedText = VersionText & Readonly<{ heading: VersionHeading; dateLine: number }>;

const SHARE_MAX = 0.5;
const VERSIONS_MIN = 4;
const CHARACTERS_MIN = 2_000;

/** A version with most of the text may hold others that were not read. */
function warnOfShare(texts: readonly VersionText[], file: string): string[] {
  const sizeOf = ({ lines }: VersionText) => lines.reduce((sum, { length }) => sum + length, 0);
  const sizes = texts.map(sizeOf);
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  const at =
    texts.length < VERSIONS_MIN || whole < CHARACTERS_MIN
      ? -1
      : sizes.findIndex((size) => size > whole * SHARE_MAX);
  const text = texts[at];
  if (text === undefined) return [];
  const what = text.heading === null ? 'the text outside of versions' : `version ${text.heading.label}`;
  return [
    `${file}:${text.line}: ${what} has more than half of the file; if other versions are in it, \`${COMMAND} import --explain FILE\` shows how each heading is read.`,
  ];
}

/** The text below the signature, as `writeMarkdownHead` writes it. */
function ownDescription(outside: readonly VersionText[]): string | null {
  const lines = outside.flatMap((text) => text.lines);
  const below = parseAnnotations(lines.slice(lines.indexOf(SIGNATURE) + 1), () => false);
  const text = below.description ?? (trimBlankLines(below.lines) || null);
  return text === null ? null : decodeControls(text);
}

function trimBlankLines(lines: readonly string[]): string {
  const first = lines.findIndex((line) => line.trim() !== '');
  return first === -1 ? '' : lines.slice(first).join('\n').trimEnd();
}
