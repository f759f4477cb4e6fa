// The changelog as Keep a Changelog Markdown, in a shape that can be read back: docs/feeds.md says how.

import type { FullVersion } from '../../store/pages.ts';
import type { ChangeRow } from '../../store/reads.ts';
import { groupByType, headingOf } from './groups.ts';
import type { FeedPlace } from './place.ts';

const INTRODUCTION = 'The format is based on [Keep a Changelog](https://keepachangelog.com/en/1.1.0/).';
const BREAKING = '**Breaking:**';
const NOTHING_SPECIAL = '<!-- -->';
const UNTITLED = '<!-- untitled -->';

/** In a description at the top level, such a line could begin or end a section, or take in what follows. */
const LEAVES_ITS_PLACE = /^\s*(?:[#<>]|```|~~~|=+\s*$|-+\s*$)/;
/** Such a line means something only where it begins, or could be taken for a mark of ours. */
const NEEDS_ITS_OWN_LINE =
  /^(?:\s|$|[#<>=]|```|~~~|[-+*](?:\s|$)|[-\s]+$|[*_\s]+$|\d+[.)](?:\s|$)|\[[^\]]*\]:|\*\*Breaking:\*\*)/;

export function writeMarkdown(place: FeedPlace, versions: readonly string[]): string {
  return `${[`# ${escapeInline(place.title)}`, INTRODUCTION, ...versions].join('\n\n')}\n`;
}

export function writeMarkdownVersion(version: FullVersion): string {
  const { title, description, changes } = version;
  const hasDescription = description !== null && description.trim() !== '';
  return [
    writeHeading(version),
    ...writeTime(version),
    ...(title === '' ? [] : [`**${escapeInline(title)}**`]),
    // Else a description that begins in bold would be taken for the title.
    ...(title === '' && hasDescription ? [UNTITLED] : []),
    ...(hasDescription ? [writeDescription(description)] : []),
    ...groupByType(changes).map(
      ([type, group]) => `### ${headingOf(type)}\n\n${group.map(writeChange).join('\n')}`,
    ),
  ].join('\n\n');
}

function writeHeading({ label, publishedAt, yanked }: FullVersion): string {
  return `## [${escapeInline(label)}] - ${publishedAt?.slice(0, 10)}${yanked ? ' [YANKED]' : ''}`;
}

/** The format knows days only. */
function writeTime({ publishedAt }: FullVersion): string[] {
  return publishedAt === null || publishedAt.endsWith('T00:00:00.000Z') ? [] : [`<!-- ${publishedAt} -->`];
}

/** As it is where it cannot be taken for anything else; in a quotation where it could. */
function writeDescription(description: string): string {
  const lines = linesOf(description);
  if (!lines.some((line) => LEAVES_ITS_PLACE.test(line))) return lines.join('\n');
  return lines.map((line) => (line === '' ? '>' : `> ${line}`)).join('\n');
}

function writeChange({ text, breaking }: ChangeRow): string {
  const lines = linesOf(text);
  // Tabs reach to every fourth column, and mean the same only if the text begins at one.
  const indent = lines.some((line) => /^ *\t/.test(line)) ? '    ' : '  ';
  const marker = `-${indent.slice(1)}`;
  const body = lines.map((line) => (line === '' ? '' : indent + line)).join('\n');
  if (NEEDS_ITS_OWN_LINE.test(lines[0] as string) || isTable(lines))
    return `${marker}${breaking ? BREAKING : NOTHING_SPECIAL}\n\n${body}`;
  return `${marker}${breaking ? `${BREAKING} ` : ''}${body.slice(indent.length)}`;
}

function isTable([head = '', rule = '']: readonly string[]): boolean {
  return head.includes('|') && /^\s*[-:|]/.test(rule);
}

function linesOf(text: string): string[] {
  return text.toWellFormed().split(/\r\n|\r|\n/);
}

/** A text that is no Markdown, on one line of it. */
function escapeInline(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\\`*_[\]<>&#~]/g, '\\$&')
    .replaceAll(/^\s+|\s+$|[\t\r\n]/g, (spaces) =>
      [...spaces].map((space) => `&#${space.codePointAt(0)};`).join(''),
    );
}
