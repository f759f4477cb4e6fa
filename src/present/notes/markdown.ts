// Release notes as Markdown, for people: in the bodies of releases, in files, in pull requests of update bots.
import { sectionsOf } from '../../domain/content/sections.ts';
import type { ChangeType } from '../../domain/model.ts';
import type { LinkTargets } from '../../text/links.ts';
import { escapeInline, layOutItem, linesOf, quoteLines } from '../outputs/markdown.ts';
import {
  belowTitle,
  datedTitleOf,
  headingOf,
  leadOf,
  type NotedVersion,
  type NotesForm,
  noFrame,
  YANKED,
} from './form.ts';

export const markdownNotes: NotesForm = {
  name: 'Markdown',
  label: 'Markdown',
  mediaType: 'text/markdown',
  frame: noFrame('\n'),
  writeVersion: async (version, { head, isTitled }) => {
    const title = isTitled ? `## ${escapeInline(datedTitleOf(version))}` : '';
    return belowTitle(title, await writeNotesMarkdown(version, head));
  },
};

/** Texts for readers elsewhere, each with what is noted about the change. Empty if there is neither a description nor a change. */
export async function writeNotesMarkdown(
  { yanked, description, changes }: NotedVersion,
  targets: LinkTargets,
  noteOn: (change: NotedVersion['changes'][number]) => string = () => '',
): Promise<string> {
  const introduction = await writeText(description ?? '', targets);
  const sections: string[] = [];
  for (const section of sectionsOf(changes)) {
    const items = section.changes.map(async (change) =>
      writeChange(leadOf(change), noteOn(change), await writeText(change.text, targets)),
    );
    sections.push(`### ${headingOf(section.kind)}\n\n${(await Promise.all(items)).join('\n')}`);
  }
  const parts = [
    ...(yanked ? [`**${YANKED.word}** ${YANKED.text}`] : []),
    ...(introduction === '' ? [] : [await writeDescription(introduction)]),
    ...sections,
  ];
  return parts.map((part) => `${part}\n`).join('\n');
}

/** The note is below the text, unless it would become part of it. */
async function writeChange(lead: ChangeType | null, note: string, text: string): Promise<string> {
  const isBelow = note !== '' && (await endsByItself(linesOf(text).join('\n')));
  const mark = [lead === null ? '' : `**${headingOf(lead)}:**`, isBelow ? '' : note && `(${note})`]
    .filter((part) => part !== '')
    .join(' ');
  return layOutItem(isBelow ? `${text}\n\n${note}` : text, mark);
}

/** As a block quote if the headings after it would become part of it. */
async function writeDescription(description: string): Promise<string> {
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

/** Without blank lines around it. */
async function writeText(text: string, targets: LinkTargets): Promise<string> {
  const written = MAY_CHANGE.test(text)
    ? (await import('../../text/elsewhere.ts')).writeForElsewhere(text, targets)
    : text;
  return written.replace(/^(?:[^\S\n\r]*[\n\r])+/, '').trimEnd();
}
