// Recognises the markup of a text, and converts its lines to Markdown. The number of lines stays the same, so that
// messages name the lines of the file.
import type { Markup } from '../changelog.ts';
import { asciidocToMarkdown } from './asciidoc.ts';
import { linesBetween } from './inline.ts';
import { isOrg, orgToMarkdown } from './org.ts';
import { packageFormatOf, packageToMarkdown } from './packages.ts';
import { type PlainKind, textToMarkdown } from './plain-text.ts';
import { rdocToMarkdown } from './rdoc.ts';
import { rstToMarkdown } from './rst/rst.ts';
import { type Survey, surveyText } from './survey.ts';

type ConvertOptions = Readonly<{
  /** The name of the file. */
  name: string;
  wanted: Markup | null;
  /** The rule of the user for headings of versions. */
  rule: RegExp | null;
}>;

type Lines = readonly string[];

export function convertToMarkdown(
  written: Lines,
  { name, wanted, rule }: ConvertOptions,
): Readonly<{ markup: Markup | 'markdown'; lines: Lines }> {
  const lines =
    (README.test(written[0] ?? '') && linesBetween(written, README_CHANGELOG, README_CHAPTER)) || written;
  const named = nameOf(name) ?? (isOrg(lines) ? 'org' : null);
  // Its survey would take a quarter of the whole time.
  if (wanted === null && named === 'markdown') return { markup: named, lines };
  const survey = surveyText(lines);
  const ofPackage = named === null && rule === null ? packageFormatOf(lines) : null;
  const markup = wanted ?? ofPackage ?? choose(survey, named, rule !== null);
  return { markup, lines: [...CONVERSIONS[markup](lines, survey, rule)] };
}

/** Of the readme of a WordPress plugin, only one chapter is read. */
const README = /^\uFEFF?===[^=]+===\s*$/;
const README_CHANGELOG = /^==\s*change ?log\s*==\s*$/i;
const README_CHAPTER = /^==[^=]+==\s*$/;

const NAMES: readonly (readonly [RegExp, Markup | 'markdown'])[] = [
  [/\.(?:md|mdx|markdown|mkd)$/i, 'markdown'],
  [/\.(?:rst|rest)$/i, 'rst'],
  [/\.(?:adoc|asciidoc|asc)$/i, 'asciidoc'],
  [/\.rdoc$/i, 'rdoc'],
  [/\.org$/i, 'org'],
];

function nameOf(file: string): Markup | 'markdown' | null {
  return NAMES.find(([name]) => name.test(file))?.[1] ?? null;
}

/** Headings with `#` are Markdown in any file, unless there are more of another kind. */
function choose(survey: Survey, named: Markup | 'markdown' | null, hasRule: boolean): Markup | 'markdown' {
  const { hashed, underlined, equals, plain } = survey;
  if (named === 'markdown' || named === 'org') return named;
  if (named === 'rst') return hashed > underlined.versions ? 'markdown' : 'rst';
  if (named !== null) return hashed > equals.versions ? 'markdown' : named;
  if (hasRule) return hashed > 0 ? 'markdown' : 'text';
  const counts = { hashed, underlined: underlined.versions, equals: equals.versions, plain: totalOf(plain) };
  const most = Math.max(...Object.values(counts));
  if (most === 0) return survey.marks.rst > survey.marks.markdown ? 'rst' : 'markdown';
  if (hashed * 2 >= most) return 'markdown';
  if (counts.equals === most) return survey.marks.asciidoc > 0 ? 'asciidoc' : 'rdoc';
  return counts.underlined === most ? chooseUnderlined(survey) : 'text';
}

/** Markdown has two kinds of underlines, and no overlines. */
function chooseUnderlined({ underlined, marks }: Survey): Markup | 'markdown' {
  if (marks.rst > marks.markdown) return 'rst';
  if (marks.text > marks.markdown) return 'text';
  return underlined.has((style) => style !== '=' && style !== '-') ? 'text' : 'markdown';
}

type Plain = Survey['plain'];

function totalOf({ dated, bare, items }: Plain): number {
  return Math.max(dated + bare, items);
}

const CONVERSIONS: Readonly<
  Record<Markup | 'markdown', (lines: Lines, survey: Survey, rule: RegExp | null) => Iterable<string>>
> = {
  markdown: (lines) => lines,
  rst: rstToMarkdown,
  asciidoc: asciidocToMarkdown,
  rdoc: rdocToMarkdown,
  org: orgToMarkdown,
  text: (lines, survey, rule) => textToMarkdown(lines, survey, rule ?? plainKind(survey.plain)),
  debian: (lines) => packageToMarkdown('debian', lines),
  rpm: (lines) => packageToMarkdown('rpm', lines),
  suse: (lines) => packageToMarkdown('suse', lines),
};

function plainKind({ dated, bare, items }: Plain): PlainKind {
  return items > dated + bare ? 'items' : 'lines';
}
