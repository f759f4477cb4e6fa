// The changelog as Keep a Changelog Markdown that can be imported again; docs/feeds.md describes the format.
import {
  CODE_CHANGES,
  DRAFT,
  END,
  encodeControls,
  INTRODUCTION,
  isUnreleasedLabel,
  NOTHING_SPECIAL,
  PUBLISHED,
  QUOTED,
  SIGNATURE,
  UNTITLED,
} from '../../domain/content/changelog-markdown.ts';
import { type ChangeContent, linksTo, type VersionContent } from '../../domain/content/content.ts';
import { type SectionKind, sectionsOf } from '../../domain/content/sections.ts';
import type { FullVersion } from '../../store/read/pages.ts';
import { headingOf } from '../notes/form.ts';
import type { Output } from './output.ts';

/** A line that does not, or might not, continue a paragraph. */
const NOT_IN_PARAGRAPH = /^(?:\s|[-+=#<>|]|:-|\*\s|[*_\s]+$|\d+[.)](?:\s|$)|```|~~~)/;
/** Markdown that only works at the start of a line. */
const NEEDS_ITS_OWN_LINE = /^(?:$|\s|[#<>=]|```|~~~|[-+*](?:\s|$)|[-\s]+$|[*_\s]+$|\d+[.)](?:\s|$))/;
/** Turns the line before into a heading or a table. */
const UNDERLINE = /^\s*(?:=+\s*|[-:|][-:|\s]*)$/;
/** Only in a URL that was stored by other means than this program. */
const NOT_IN_LINK = /[\s\p{Cc}()<>]/u;
/** Readers that scan line by line and ignore lists could take such a line for a heading, a fence or an annotation. */
const NEEDS_A_DEEP_INDENT = /^\s*(?:[#<=]|```|~~~|-+\s*$)|\t/;

export const changelogMarkdown: Output = {
  name: 'MarkdownChangelog',
  summary: 'The whole changelog as one Markdown file.',
  description:
    'All versions, in the form of Keep a Changelog. With `type` or `breaking`, a version has only the changes that match.',
  mediaType: 'text/markdown',
  label: 'Markdown',
  about: 'all versions in one Markdown file',
  isWhole: true,
  frame: ({ title, introduction }) => ({
    start: writeMarkdownHead(title, introduction),
    between: '',
    end: '\n',
  }),
  writeVersion: (_feed, version) => writeGroupedVersion(version),
};

/** The description says more than the sentence about the format. */
export function writeMarkdownHead(name: string, description: string | null): string {
  const introduction =
    description === null ? INTRODUCTION : `${SIGNATURE}\n\n${writeDescription(description)}`;
  return `# ${escapeInline(name)}\n\n${introduction}`;
}

/** With one section for breaking changes, and one per type. */
export function writeGroupedVersion({ label, yanked, compareUrl, changes, ...version }: FullVersion): string {
  const written = writeMarkdownVersion({
    ...version,
    version: label,
    yanked: yanked === 1,
    ...linksTo(compareUrl),
    changes: sectionsOf(changes).flatMap((section) =>
      section.changes.map((change) => ({ ...change, breaking: change.breaking === 1 })),
    ),
  });
  return `\n\n${written}`;
}

/** Keeps the author's order: each run of breaking changes, or of others with the same type, gets a section. */
export function writeMarkdownVersion(version: VersionContent): string {
  const { status, version: label, title, publishedAt, description, links, yanked, changes } = version;
  const day = publishedAt === null ? '' : ` - ${publishedAt.slice(0, 10)}`;
  const parts = [
    `## [${escapeInline(label)}]${day}${yanked ? ' [YANKED]' : ''}`,
    // Not a definition, which would make links of all texts that have the label in brackets.
    links !== undefined && !NOT_IN_LINK.test(links.compare) && `[${CODE_CHANGES}](${links.compare})`,
    status === 'draft' ? DRAFT : isUnreleasedLabel(label) && PUBLISHED,
    // The heading has only the day.
    publishedAt !== null && !publishedAt.endsWith('T00:00:00.000Z') && `<!-- ${publishedAt} -->`,
    // Otherwise a description that starts in bold would be read as the title.
    title === '' ? description !== null && UNTITLED : `**${escapeInline(title)}**`,
    description !== null && writeDescription(description),
    ...runsOf(changes).map(
      (run) => `### ${headingOf(run.kind)}\n\n${run.changes.map(writeChange).join('\n')}`,
    ),
  ];
  return parts.filter((part) => part !== false).join('\n\n');
}

/** Verbatim if it cannot be misread; otherwise as a block quote. */
function writeDescription(description: string): string {
  const lines = linesOf(description);
  if (isPlain(lines)) return markEnd(lines).join('\n');
  return `${QUOTED}\n\n${quoteLines(lines)}`;
}

export function quoteLines(lines: readonly string[]): string {
  return lines.map((line) => (line === '' ? '>' : `> ${line}`)).join('\n');
}

/** Whether there are only paragraphs, separated by single blank lines. */
function isPlain(lines: readonly string[]): boolean {
  const text = lines.join('\n');
  return (
    lines[0] !== '' &&
    !lines.some((line) => line !== '' && NOT_IN_PARAGRAPH.test(line)) &&
    !text.includes('\n\n\n') &&
    !text.includes('<!--') &&
    !mayDefine(lines)
  );
}

/** Whether there could be a link reference definition, whose label may span several lines. */
function mayDefine(lines: readonly string[]): boolean {
  return lines.some((line) => /^\s*\[/.test(line)) && lines.some((line) => line.includes(']:'));
}

/** Trailing spaces and blank lines are easily lost, so an end mark protects them. */
function markEnd(lines: readonly string[]): readonly string[] {
  const last = lines.at(-1) ?? '';
  return last.trimEnd() !== last || last === '' || last.trim() === END ? [...lines, END] : lines;
}

function runsOf(changes: readonly ChangeContent[]): { kind: SectionKind; changes: ChangeContent[] }[] {
  const runs: { kind: SectionKind; changes: ChangeContent[] }[] = [];
  for (const change of changes) {
    const run = runs.at(-1);
    const kind = change.breaking ? 'breaking' : change.type;
    if (run?.kind === kind) run.changes.push(change);
    else runs.push({ kind, changes: [change] });
  }
  return runs;
}

function writeChange({ type, text, breaking }: ChangeContent): string {
  // Also `Other`, which people need not see: without it, a breaking change is read as changed.
  if (breaking) return layOutItem(text, `**${headingOf(type)}:**`);
  // A text about breaking changes could be read as marked breaking.
  return layOutItem(text, '', /breaking/i.test(text));
}

/** A list item with authored text, which starts below its lead if it needs its own line. */
export function layOutItem(text: string, lead = '', isBelow = false): string {
  const lines = linesOf(text);
  const startsBelow = isBelow || needsItsOwnLine(lines);
  const indent = needsADeepIndent(startsBelow ? lines : lines.slice(1)) ? '    ' : '  ';
  const body = markEnd(lines)
    .map((line) => (line === '' ? '' : indent + line))
    .join('\n');
  const start = `-${indent.slice(1)}${lead}`;
  if (startsBelow) return `${start}${lead === '' ? NOTHING_SPECIAL : ''}\n\n${body}`;
  return `${start}${lead === '' ? '' : ' '}${body.slice(indent.length)}`;
}

function needsItsOwnLine(lines: readonly string[]): boolean {
  const [first = '', second = ''] = lines;
  return (
    NEEDS_ITS_OWN_LINE.test(first) || UNDERLINE.test(second) || (first.startsWith('[') && mayDefine(lines))
  );
}

/** Tab stops are four columns apart, so a text with tabs must start at one. */
function needsADeepIndent(lines: readonly string[]): boolean {
  return lines.some((line) => NEEDS_A_DEEP_INDENT.test(line)) || mayDefine(lines);
}

export function linesOf(text: string): string[] {
  return encodeControls(text.toWellFormed()).split(/\r\n|\r|\n/);
}

/** Plain text on one line of Markdown. */
export function escapeInline(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\\`*_[\]<>&#~]/g, '\\$&')
    .replaceAll(/^\s+|\s+$|[\p{Cc}\p{Zl}\p{Zp}]/gu, (characters) =>
      [...characters].map((character) => `&#${character.codePointAt(0)};`).join(''),
    );
}
