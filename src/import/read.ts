// Reads a changelog in another format into versions of a content document.
import type { Input } from '../content/input.ts';
import { SIGNATURE, SIGNATURE_LINES } from '../domain/content/changelog-markdown.ts';
import { Refusal } from '../errors.ts';
import {
  type ChooseLabels,
  type ImportedChangelog,
  isMarkup,
  type Markup,
  type ReadableFormat,
} from './changelog.ts';
import { explainUnread, withMarkup } from './explain.ts';
import { readReleases } from './github/releases.ts';
import { readLines } from './lines.ts';
import type { MarkdownFormat } from './markdown/dialects.ts';
import { explainMarkdown, type Inspection, inspectMarkdown, readMarkdown } from './markdown/markdown.ts';
import { convertToMarkdown } from './markup/markup.ts';
import { ENTRY_HEADING, isPackageFormat } from './markup/packages.ts';
import { type ImportRules, NO_RULES } from './rules.ts';

export type ReadOptions = Readonly<{
  format: ReadableFormat | 'auto';
  /** Merge versions that have the same label, instead of rejecting them. */
  merging?: boolean;
  rules?: ImportRules;
  choose?: ChooseLabels | null;
}>;

export function readChangelog(
  input: Input,
  { format, merging = false, rules = NO_RULES, choose = null }: ReadOptions,
): ImportedChangelog {
  try {
    if (format === 'github-releases' || (format === 'auto' && isJson(input)))
      return readReleases(input, { merging, rules });
    return readText(input, { format, merging, rules, choose });
  } catch (error) {
    throw explainUnread(error, input);
  }
}

/** What each heading is and why, one on each line. */
export function explainChangelog(input: Input, { format, rules = NO_RULES }: ReadOptions): string[] {
  if (format === 'github-releases' || (format === 'auto' && isJson(input)))
    throw new Refusal('releases have no headings to explain; pass a text.', { at: [input.name, 1] });
  const { lines, options } = prepare(input, { format, merging: false, rules });
  return explainMarkdown(lines, options);
}

export type InspectedText = Inspection &
  Readonly<{
    markup: Markup | 'markdown';
    /** As the user wrote them. */
    written: readonly string[];
    /** Whether a label may be there more than once. */
    merging: boolean;
  }>;

/** What is in a text, even if an import would refuse it; null if it is not a text. Throws if no line of it can be read. */
export function inspectChangelog(
  input: Input,
  { format, merging = false, rules = NO_RULES }: ReadOptions,
): InspectedText | null {
  if (format === 'github-releases' || (format === 'auto' && isJson(input))) return null;
  const { markup, written, lines, options } = prepare(input, { format, merging, rules });
  // Duplicates are for the caller to judge.
  const inspection = inspectMarkdown(lines, { ...options, merging: true });
  const explained = explainUnread(withMarkup(inspection.refusal, markup), input);
  const refusal = explained instanceof Refusal ? explained : null;
  return { ...inspection, refusal, markup, written, merging: options.merging };
}

/** Text in any markup. */
function readText(input: Input, wanted: Required<ReadOptions>): ImportedChangelog {
  const { markup, lines, options } = prepare(input, wanted);
  try {
    return { ...readMarkdown(lines, options), markup };
  } catch (error) {
    throw withMarkup(error, markup);
  }
}

/** The text as Markdown, and how to read it. */
function prepare(
  input: Input,
  {
    format,
    merging,
    rules,
    choose = null,
  }: Required<Omit<ReadOptions, 'choose'>> & Pick<ReadOptions, 'choose'>,
) {
  const { name } = input;
  const written = withoutFrontMatter(readLines(input));
  const wanted = isMarkup(format) ? format : null;
  const isOwnFormat = wanted === null && SIGNATURE_LINES.some((line) => written[line - 1] === SIGNATURE);
  const { markup, lines } = isOwnFormat
    ? ({ markup: 'markdown', lines: written } as const)
    : convertToMarkdown(written, { name, wanted, rule: rules.heading });
  const dialect: MarkdownFormat | 'auto' = isMarkup(format) || format === 'github-releases' ? 'auto' : format;
  const used = isOwnFormat ? { ...NO_RULES, dateOrder: rules.dateOrder } : rules;
  const options = { name, format: dialect, merging, isOwnFormat, rules: used, choose };
  // Several entries may name the same version, or the same day.
  const entries = { ...options, merging: true, rules: { ...rules, heading: ENTRY_HEADING } };
  return { markup, written, lines, options: isPackageFormat(markup) ? entries : options };
}

const FIELD = /^[\w-]+:(?:\s|$)/;

/** Fields at the top of a page, for the program that publishes it. */
function withoutFrontMatter(lines: readonly string[]): readonly string[] {
  const end = lines[0] === '---' && FIELD.test(lines[1] ?? '') ? lines.indexOf('---', 1) : -1;
  return end === -1 ? lines : lines.with(0, '').fill('', 0, end + 1);
}

/** The start of a list of objects. Markdown may also start with a bracket, that of a link. */
const JSON_BEGIN = /^\uFEFF?\s*(?:\[\s*)*(?:\{\s*(?:["}]|$)|\[\s*(?:\]|$))/;
const HEAD_BYTES = 4 * 1024;

function isJson({ bytes }: Input): boolean {
  return JSON_BEGIN.test(bytes.toString('utf8', 0, HEAD_BYTES));
}
