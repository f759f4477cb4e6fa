// The changelog as Keep a Changelog Markdown, in a shape that can be read back: docs/feeds.md says how.

import {
  BREAKING,
  DRAFT,
  END,
  encodeControls,
  INTRODUCTION,
  isUnreleasedLabel,
  NOTHING_SPECIAL,
  PUBLISHED,
  QUOTED,
  UNTITLED,
} from '../../domain/content/changelog-markdown.ts';
import type { ChangeContent, VersionContent } from '../../domain/content/content.ts';
import type { FullVersion } from '../../store/read/pages.ts';
import type { Frame } from './frame.ts';
import { groupByType, headingOf } from './groups.ts';
import type { FeedInfo } from './place.ts';

/** No line of a paragraph, or at least not in the place where it stands. */
const NOT_OF_A_PARAGRAPH = /^(?:\s|[-+=#<>|]|:-|\*\s|[*_\s]+$|\d+[.)](?:\s|$)|```|~~~)/;
/** Such a line means the same only where nothing stands before it. */
const NEEDS_ITS_OWN_LINE = /^(?:$|\s|[#<>=]|```|~~~|[-+*](?:\s|$)|[-\s]+$|[*_\s]+$|\d+[.)](?:\s|$))/;
/** Makes a heading or a table of the line before. */
const UNDERLINE = /^\s*(?:=+\s*|[-:|][-:|\s]*)$/;
/** Who reads line by line and minds no list could take such a line for a heading, a fence or a mark of ours. */
const NEEDS_A_DEEP_INDENT = /^\s*(?:[#<=]|```|~~~|-+\s*$)|\t/;

export function frameMarkdown({ title }: FeedInfo): Frame {
  return { start: writeMarkdownHead(title), between: '', end: '\n' };
}

export function writeMarkdownHead(name: string): string {
  return `# ${escapeInline(name)}\n\n${INTRODUCTION}`;
}

/** As people expect it of the format: a section for each type. What stands before it ends in a blank line. */
export function writeGroupedVersion({ label, yanked, changes, ...version }: FullVersion): string {
  const written = writeMarkdownVersion({
    ...version,
    version: label,
    yanked: yanked === 1,
    changes: groupByType(changes).flatMap(([, group]) =>
      group.map((change) => ({ ...change, breaking: change.breaking === 1 })),
    ),
  });
  return `\n\n${written}`;
}

/** With all changes in the author's order: a type has a section as often as its changes begin anew. */
export function writeMarkdownVersion(version: VersionContent): string {
  const { status, title, description, changes } = version;
  return [
    writeHeading(version),
    ...(status === 'draft' ? [DRAFT] : isUnreleasedLabel(version.version) ? [PUBLISHED] : []),
    ...writeTime(version),
    ...(title === '' ? [] : [`**${escapeInline(title)}**`]),
    // Else a description that begins in bold would be taken for the title.
    ...(title === '' && description !== null ? [UNTITLED] : []),
    ...(description === null ? [] : [writeDescription(description)]),
    ...runsOf(changes).map(
      (run) => `### ${headingOf((run[0] as ChangeContent).type)}\n\n${run.map(writeChange).join('\n')}`,
    ),
  ].join('\n\n');
}

function writeHeading({ version, publishedAt, yanked }: VersionContent): string {
  const day = publishedAt === null ? '' : ` - ${publishedAt.slice(0, 10)}`;
  return `## [${escapeInline(version)}]${day}${yanked ? ' [YANKED]' : ''}`;
}

/** The format knows days only. */
function writeTime({ publishedAt }: VersionContent): string[] {
  return publishedAt === null || publishedAt.endsWith('T00:00:00.000Z') ? [] : [`<!-- ${publishedAt} -->`];
}

/** As it is where it cannot be taken for anything else; in a quotation where it could. */
function writeDescription(description: string): string {
  const lines = linesOf(description);
  if (isPlain(lines)) return markEnd(lines).join('\n');
  return `${QUOTED}\n\n${lines.map((line) => (line === '' ? '>' : `> ${line}`)).join('\n')}`;
}

/** Is it nothing but paragraphs, with one blank line between them? */
function isPlain(lines: readonly string[]): boolean {
  const text = lines.join('\n');
  return (
    lines[0] !== '' &&
    !lines.some((line) => line !== '' && NOT_OF_A_PARAGRAPH.test(line)) &&
    !text.includes('\n\n\n') &&
    !text.includes('<!--') &&
    !mayDefine(lines)
  );
}

/** Could there be a link reference definition? Its name may go over several lines. */
function mayDefine(lines: readonly string[]): boolean {
  return lines.some((line) => /^\s*\[/.test(line)) && lines.some((line) => line.includes(']:'));
}

/** Blanks at an end are easily lost, and so are blank lines. */
function markEnd(lines: readonly string[]): readonly string[] {
  const last = lines.at(-1) ?? '';
  return last.trimEnd() !== last || last === '' || last.trim() === END ? [...lines, END] : lines;
}

function runsOf(changes: readonly ChangeContent[]): ChangeContent[][] {
  const runs: ChangeContent[][] = [];
  for (const change of changes) {
    const run = runs.at(-1);
    if (run?.[0]?.type === change.type) run.push(change);
    else runs.push([change]);
  }
  return runs;
}

function writeChange({ text, breaking }: ChangeContent): string {
  const lines = linesOf(text);
  const standsBelow = needsItsOwnLine(lines);
  const indent = needsADeepIndent(standsBelow ? lines : lines.slice(1)) ? '    ' : '  ';
  const marker = `-${indent.slice(1)}`;
  const body = markEnd(lines)
    .map((line) => (line === '' ? '' : indent + line))
    .join('\n');
  if (standsBelow) return `${marker}${breaking ? BREAKING : NOTHING_SPECIAL}\n\n${body}`;
  return `${marker}${breaking ? `${BREAKING} ` : ''}${body.slice(indent.length)}`;
}

/** A text that speaks of breaking could be taken for one that is marked so. */
function needsItsOwnLine(lines: readonly string[]): boolean {
  const [first = '', second = ''] = lines;
  return (
    NEEDS_ITS_OWN_LINE.test(first) ||
    UNDERLINE.test(second) ||
    (first.startsWith('[') && mayDefine(lines)) ||
    lines.some((line) => /breaking/i.test(line))
  );
}

/** Tabs reach to every fourth column, and mean the same only if the text begins at one. */
function needsADeepIndent(lines: readonly string[]): boolean {
  return lines.some((line) => NEEDS_A_DEEP_INDENT.test(line)) || mayDefine(lines);
}

function linesOf(text: string): string[] {
  return encodeControls(text.toWellFormed()).split(/\r\n|\r|\n/);
}

/** A text that is no Markdown, on one line of it. */
function escapeInline(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\\`*_[\]<>&#~]/g, '\\$&')
    .replaceAll(/^\s+|\s+$|[\p{Cc}\p{Zl}\p{Zp}]/gu, (spaces) =>
      [...spaces].map((space) => `&#${space.codePointAt(0)};`).join(''),
    );
}
