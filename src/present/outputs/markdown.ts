// Versions as Markdown: the changelog as Keep a Changelog that can be imported again (docs/feeds.md describes the format),
// and release notes for people: in the bodies of releases, in files, in pull requests of update bots.
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
import { sectionsOf } from '../../domain/model.ts';
import type { FullVersion } from '../../store/read/pages.ts';
import type { ChangeRow } from '../../store/read/reads.ts';
import type { LinkTargets } from '../../text/links.ts';
import { headingOf, leadOf, type NotedVersion, plainForm, YANKED } from '../notes/form.ts';
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
export const writeGroupedVersion = (version: FullVersion): string =>
  `\n\n${writeMarkdownVersion({ ...version, changes: inSections(version.changes) })}`;

const inSections = (changes: readonly ChangeRow[]) =>
  sectionsOf(changes).flatMap((section) => section.changes);

/** Keeps the author's order: each run of breaking changes, or of others with the same type, gets a section. */
export function writeMarkdownVersion(version: FullVersion): string {
  const { status, label, title, publishedAt, description, compareUrl, yanked, changes } = version;
  const day = publishedAt === null ? '' : ` - ${publishedAt.slice(0, 10)}`;
  const parts = [
    `## [${escapeInline(label)}]${day}${yanked ? ' [YANKED]' : ''}`,
    // Not a definition, which would make links of all texts that have the label in brackets.
    compareUrl !== null && !NOT_IN_LINK.test(compareUrl) && `[${CODE_CHANGES}](${compareUrl})`,
    status === 'draft' ? DRAFT : isUnreleasedLabel(label) && PUBLISHED,
    // The heading has only the day.
    publishedAt !== null && !publishedAt.endsWith('T00:00:00.000Z') && `<!-- ${publishedAt} -->`,
    // Otherwise a description that starts in bold would be read as the title.
    title === '' ? description !== null && UNTITLED : `**${escapeInline(title)}**`,
    description !== null && writeDescription(description),
    changes.length > 0 && writeSections(changes, changes.map(writeChange)),
  ];
  return parts.filter((part) => part !== false).join('\n\n');
}

/** Items of changes, with a heading where the section changes. */
function writeSections(changes: readonly ChangeRow[], items: readonly string[]): string {
  const kinds = changes.map(({ type, breaking }) => (breaking ? 'breaking' : type));
  const lines = kinds.map((kind, index) =>
    kind === kinds[index - 1] ? items[index] : `\n### ${headingOf(kind)}\n\n${items[index]}`,
  );
  return lines.join('\n').slice(1);
}

/** Verbatim if it cannot be misread; otherwise as a block quote. */
function writeDescription(description: string): string {
  const lines = linesOf(description);
  if (isPlain(lines)) return markEnd(lines).join('\n');
  return `${QUOTED}\n\n${quoteLines(lines)}`;
}

function quoteLines(lines: readonly string[]): string {
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

function writeChange({ type, text, breaking }: ChangeRow): string {
  // Also `Other`, which people need not see: without it, a breaking change is read as changed.
  if (breaking) return layOutItem(text, `**${headingOf(type)}:**`);
  // A text about breaking changes could be read as marked breaking.
  return layOutItem(text, '', /breaking/i.test(text));
}

/** A list item with authored text, which starts below its lead if it needs its own line. */
function layOutItem(text: string, lead = '', isBelow = false): string {
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

function linesOf(text: string): string[] {
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

export const markdownNotes = plainForm({
  name: 'Markdown',
  label: 'Markdown',
  mediaType: 'text/markdown',
  between: '\n',
  writeTitle: (title) => `## ${escapeInline(title)}`,
  writeVersion: (version, { head }) => writeNotesMarkdown(version, head),
});

/** A version's page and its notes have the same texts, and so has the list of versions. */
const noted = new WeakMap<NotedVersion, Readonly<{ targets: LinkTargets; text: Promise<string> }>>();

/** Texts for readers elsewhere. Empty if there is neither a description nor a change. */
export function writeNotesMarkdown(version: NotedVersion, targets: LinkTargets): Promise<string> {
  const known = noted.get(version);
  if (known?.targets === targets) return known.text;
  const text = writeNotedMarkdown(version, targets, () => '');
  noted.set(version, { targets, text });
  return text;
}

/** With what is noted about each change. */
export async function writeNotedMarkdown(
  { yanked, description, changes }: NotedVersion,
  targets: LinkTargets,
  noteOn: (change: ChangeRow) => string,
): Promise<string> {
  const introduction = await writeText(description ?? '', targets);
  const sorted = inSections(changes);
  const items = sorted.map(async (change) =>
    writeNotedChange(change, noteOn(change), await writeText(change.text, targets)),
  );
  const parts = [
    yanked && `**${YANKED.word}** ${YANKED.text}\n`,
    introduction && `${await writeIntroduction(introduction)}\n`,
    sorted.length > 0 && `${writeSections(sorted, await Promise.all(items))}\n`,
  ];
  return parts.filter(Boolean).join('\n');
}

/** The note is below the text, unless it would become part of it. */
async function writeNotedChange(change: ChangeRow, note: string, text: string): Promise<string> {
  const lead = leadOf(change);
  const isBelow = note !== '' && (await endsByItself(linesOf(text).join('\n')));
  const marks = [lead && `**${headingOf(lead)}:**`, !isBelow && note && `(${note})`].filter(Boolean);
  return layOutItem(isBelow ? `${text}\n\n${note}` : text, marks.join(' '));
}

/** As a block quote if the headings after it would become part of it. */
async function writeIntroduction(description: string): Promise<string> {
  const lines = linesOf(description);
  return (await endsByItself(lines.join('\n'))) ? lines.join('\n') : quoteLines(lines);
}

/** What may stay open after a blank line: code and HTML. */
const MAY_STAY_OPEN = /```|~~~|</;
const PARSED_CHARACTERS_MAX = 20_000;

async function endsByItself(text: string): Promise<boolean> {
  if (!MAY_STAY_OPEN.test(text)) return true;
  if (text.length > PARSED_CHARACTERS_MAX) return false;
  // Few texts need it, so startup does not wait for it.
  const { markdown: parser } = await import('../../text/markdown-it.ts');
  const tokens: ReturnType<typeof parser.parse> = [];
  parser.block.parse(`${text}\n\n#`, parser, {}, tokens);
  const last = tokens.at(-1);
  const html = tokens.flatMap(({ type, content }) => (type === 'html_block' ? [content] : [])).join('');
  const [opened, closed] = [/<details\b/gi, /<\/details\b/gi].map((tag) => html.match(tag)?.length ?? 0);
  return last?.type === 'heading_close' && last.level === 0 && opened === closed;
}

/** A link, a reference to a repository or a heading. */
const MAY_CHANGE = /[[#@]|\d[a-f]|[a-f]\d|^ {0,3}(?:=+|-+)\s*$/m;
/** Imported when the first text is written, and once: an import takes as long as a text. */
let elsewhere: Promise<typeof import('../../text/elsewhere.ts')> | undefined;

/** Without blank lines around it. */
async function writeText(text: string, targets: LinkTargets): Promise<string> {
  elsewhere ??= import('../../text/elsewhere.ts');
  const written = MAY_CHANGE.test(text) ? (await elsewhere).writeForElsewhere(text, targets) : text;
  return written.replace(/^(?:[^\S\n\r]*[\n\r])+/, '').trimEnd();
}
