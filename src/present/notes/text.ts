// Release notes as text without markup, for terminals, dialogs and stores.
import { type SectionKind, sectionsOf } from '../../domain/content/sections.ts';
import { indent, showControls } from '../../text/plain.ts';
import type { Render, Writer } from '../../text/render.ts';
import { type PlainText, plainFor } from '../texts.ts';
import {
  belowTitle,
  datedTitleOf,
  headingOf,
  leadOf,
  type NotedVersion,
  type NotesForm,
  noFrame,
  renderNotes,
  YANKED,
} from './form.ts';

export const textNotes: NotesForm = {
  name: 'Text',
  label: 'text without markup',
  mediaType: 'text/plain',
  frame: noFrame('\n\n'),
  writeVersion: async (version, { head, render, isTitled }) => {
    const title = showControls(datedTitleOf(version).replaceAll(/\s+/g, ' ')).trimEnd();
    return belowTitle(isTitled ? title : '', await writeNotesText(version, render, plainFor(head)));
  },
};

/** Empty if the version has neither a description nor changes. */
export async function writeNotesText(
  version: NotedVersion,
  render: Render,
  writer: Writer<PlainText>,
): Promise<string> {
  const [first, ...others] = await writePieces(version, render, writer);
  if (first === undefined) return '';
  return `${first.lines}${others.map(({ separator, lines }) => separator + lines).join('')}\n`;
}

/** What stands together: a text, or a change, the first of a section with its heading. */
export type Piece = Readonly<{
  kind: 'yanked' | 'description' | SectionKind;
  lines: string;
  /** From what is before it. */
  separator: string;
}>;

export async function writePieces(
  version: NotedVersion,
  render: Render,
  writer: Writer<PlainText>,
): Promise<Piece[]> {
  const writers = { description: writer, change: writer };
  const { description, changes } = await renderNotes(version, render, writers);
  const texts: Piece[] = [
    { kind: 'yanked', lines: version.yanked ? `${YANKED.word} ${YANKED.text}` : '', separator: '\n\n' },
    { kind: 'description', lines: description?.text.trimEnd() ?? '', separator: '\n\n' },
  ];
  const pieces = sectionsOf(changes).flatMap((section) =>
    section.changes.map((change, index): Piece => {
      const { text, startsWithParagraph } = change.shown;
      const lead = leadOf(change);
      // Only a paragraph follows its lead on the same line.
      const start = lead === null ? '' : `${headingOf(lead)}:${startsWithParagraph ? ' ' : '\n'}`;
      const item = indent(start + text, '- ').trimEnd();
      return index === 0
        ? { kind: section.kind, lines: `${headingOf(section.kind)}\n${item}`, separator: '\n\n' }
        : { kind: section.kind, lines: item, separator: '\n' };
    }),
  );
  return [...texts.filter(({ lines }) => lines !== ''), ...pieces];
}
