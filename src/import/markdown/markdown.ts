// Reads a Markdown changelog in any of the formats. Its lines are scanned twice: link targets, and which headings are
// versions, are known only at the end.
import { decodeControls } from '../../domain/content/changelog-markdown.ts';
import { isName, type VersionContent } from '../../domain/content/content.ts';
import { withoutComments } from '../body/blocks.ts';
import type { ImportedChangelog, ImportedVersion } from '../changelog.ts';
import { requireValidVersion } from '../checks.ts';
import { collectVersions, joinTexts, warnOfMerged } from '../collect-versions.ts';
import { type DateBelow, takeDateBelow, withoutDateHeadings } from '../dates/date-below.ts';
import type { ImportRules } from '../rules.ts';
import { parseAnnotations } from './annotations.ts';
import { parseBody } from './body.ts';
import type { VersionHeading } from './headings.ts';
import { linkOf } from './references.ts';
import { scan } from './scan.ts';
import { type MarkdownFormat, type ScannedHeadings, scanHeadings } from './scan-headings.ts';
import { isSectionName, splitVersions, type VersionText } from './split-versions.ts';
import { unescapeInline } from './versions/rest.ts';

type MarkdownOptions = Readonly<{
  /** The name of the file. */
  name: string;
  format: MarkdownFormat | 'auto';
  merging: boolean;
  rules: ImportRules;
  /** Whether this program wrote the file. */
  isOwnFormat: boolean;
}>;

export function readMarkdown(
  lines: readonly string[],
  { name, format, merging, rules, isOwnFormat }: MarkdownOptions,
): ImportedChangelog {
  const scanLines = () => withoutDateHeadings(scan(lines, isOwnFormat));
  const found = scanHeadings(scanLines(), name, { wanted: format, rules, isOwnFormat });
  const reader = new MarkdownReader(name, found);
  for (const text of splitVersions(scanLines(), found, name)) reader.take(text);
  return reader.finish(merging);
}

const TITLE_CHARACTERS_MAX = 1_000;
const TITLE = /^ {0,3}#[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*(?:\n|$)/;
const UNDERLINED_TITLE = /^(?![-*+>#|])(\S[^\n]*)\n {0,3}=+[ \t]*(?:\n|$)/;

const LIST_ITEM = /^ {0,3}(?:[-+*]|\d{1,9}[.)])[ \t]/;

/** Titles that name no product. */
const GENERIC_NAME =
  /^[^\p{L}\p{N}]*(?:the )?(?:change ?log|changes|(?:change |release |version )?history|release notes|releases|versions|news)$/iu;

class MarkdownReader {
  readonly #file: string;
  readonly #survey: ScannedHeadings;
  readonly #versions: ImportedVersion[] = [];
  #oldestLabel: string | null = null;
  #name: string | null = null;
  #introduction: string | null = null;

  constructor(file: string, found: ScannedHeadings) {
    this.#file = file;
    this.#survey = found;
  }

  take({ heading, line, lines }: VersionText): void {
    if (heading === null) {
      const kept = this.#survey.isOwnFormat ? lines : withoutComments(lines);
      if (line === 1) this.#readIntroduction(kept);
      else
        this.#introduction = joinTexts(
          this.#introduction,
          this.#survey.references.resolve(trimBlankLines(kept)),
        );
      return;
    }
    const version = this.#readVersion(heading, line, lines);
    requireValidVersion(version, this.#file);
    // The oldest heading may be one of its parts.
    if (line <= this.#survey.oldestLine) this.#oldestLabel = heading.label;
    this.#versions.push(version);
  }

  finish(merging: boolean): ImportedChangelog {
    const text = this.#formatRest();
    const rest = this.#oldestLabel === null || text === null ? null : { label: this.#oldestLabel, text };
    return {
      format: this.#survey.format,
      name: this.#name ?? this.#survey.name,
      versions: collectVersions(this.#versions, { name: this.#file, merging, rest }),
      warnings: [
        ...this.#survey.warnings,
        ...this.#survey.dateOrders.warnings(),
        ...warnOfMerged(this.#versions, this.#file),
      ],
    };
  }

  /** The text that belongs to no version. */
  #formatRest(): string | null {
    const unused = this.#survey.references.formatUnused();
    return joinTexts(this.#introduction, unused === '' ? null : unused);
  }

  #readIntroduction(lines: readonly string[]): void {
    const { isOwnFormat, references } = this.#survey;
    const text = trimBlankLines(lines);
    const head = text.slice(0, TITLE_CHARACTERS_MAX);
    const title = TITLE.exec(head) ?? UNDERLINED_TITLE.exec(head);
    const name = plainText(title?.[1] ?? '');
    this.#name = !isName(name) || (GENERIC_NAME.test(name) && !isOwnFormat) ? null : name;
    // The bare title `Changelog` says nothing.
    const rest = /^changelog$/i.test(name) ? trimBlankLines(text.slice(title?.[0].length).split('\n')) : text;
    this.#introduction = rest === '' || isOwnFormat ? null : references.resolve(rest);
  }

  #readVersion(heading: VersionHeading, line: number, lines: readonly string[]): ImportedVersion {
    const { format, rules, references, isOwnFormat } = this.#survey;
    // Bold text before a list is the name of a section.
    const isTitle = (bold: string, next: string) =>
      isOwnFormat ||
      (heading.title === '' && !bold.endsWith(':') && !LIST_ITEM.test(next) && !isSectionName(bold));
    const asWritten = <T extends string | null>(text: T) =>
      (isOwnFormat && text !== null ? decodeControls(text) : text) as T;
    const hasDate = isOwnFormat || heading.date !== null || heading.isUnreleased;
    const below = hasDate ? null : takeDateBelow(lines, heading.label);
    const annotations = parseAnnotations(below?.lines ?? lines, isTitle);
    const { description, changes } = parseBody(annotations.lines, { format, isOwnFormat, rules });
    const { status, publishedAt, isDated } = this.#stateOf(
      below === null ? heading : withDateBelow(heading, below),
      annotations,
      below === null ? line : line + 1 + below.index,
    );
    const content: VersionContent = {
      version: heading.label,
      title: annotations.title || heading.title,
      status,
      publishedAt,
      description: asWritten(
        joinTexts(
          annotations.description,
          description === null ? null : references.resolve(description),
          linkOf(heading, references),
        ),
      ),
      yanked: heading.isYanked,
      changes: changes.map((change) => ({ ...change, text: asWritten(references.resolve(change.text)) })),
    };
    return { content, isDated, line };
  }

  #stateOf(
    { date, isDateLabel, isUnreleased, label }: VersionHeading,
    annotations: ReturnType<typeof parseAnnotations>,
    line: number,
  ) {
    const timestamp =
      date === null || isUnreleased ? date?.timestamp : this.#survey.dateOrders.resolve(date, line);
    if (date !== null && timestamp === null) this.#survey.dateOrders.requireSlip(date, label, line);
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

function withDateBelow(heading: VersionHeading, { date }: DateBelow): VersionHeading {
  return { ...heading, date, isUnreleased: date === null };
}

/** Drops Markdown syntax and images, and keeps the text of links. */
function plainText(markdown: string): string {
  const text = markdown
    .replaceAll(/!\[[^[\]]*\]\([^()]*\)/g, '')
    .replaceAll(/(?<!\\)\[([^[\]]*)\]\([^()]*\)/g, '$1');
  return unescapeInline(text.trim().replaceAll(/(?<!\\)[`*]/g, ''));
}

function trimBlankLines(lines: readonly string[]): string {
  const first = lines.findIndex((line) => line.trim() !== '');
  return first === -1 ? '' : lines.slice(first).join('\n').trimEnd();
}
