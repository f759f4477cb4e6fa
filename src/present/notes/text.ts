// Release notes as text without markup, for terminals, dialogs and stores.
import { type SectionKind, sectionsOf } from '../../domain/content/sections.ts';
import { indent, showControls } from '../../text/plain.ts';
import type { Render, Writer } from '../../text/render.ts';
import { type PlainText, plainFor } from '../texts.ts';
import {
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
    const title = showControls(datedTitleOf(version).replaceAll(/\s+/g, ' '));
    return joinParts([isTitled ? title : '', await writeNotesText(version, render, plainFor(head))]);
  },
};

/** Empty if the version has neither a description nor changes. */
export async function writeNotesText(
  version: NotedVersion,
  render: Render,
  writer: Writer<PlainText>,
): Promise<string> {
  const { yanked, description, sections } = await writeTextParts(version, render, writer);
  return joinParts([
    yanked,
    description,
    ...sections.map(({ heading, items }) => [heading, ...items].join('\n')),
  ]);
}

export type TextParts = Readonly<{
  yanked: string;
  description: string;
  /** The text of an item may have several lines. */
  sections: readonly Readonly<{
    kind: SectionKind;
    heading: string;
    items: readonly string[];
  }>[];
}>;

export async function writeTextParts(
  version: NotedVersion,
  render: Render,
  writer: Writer<PlainText>,
): Promise<TextParts> {
  const { description, changes } = await renderNotes(version, render, {
    description: writer,
    change: writer,
  });
  return {
    yanked: version.yanked ? `${YANKED.word} ${YANKED.text}` : '',
    description: description?.text ?? '',
    sections: sectionsOf(changes).map((section) => ({
      kind: section.kind,
      heading: headingOf(section.kind),
      items: section.changes.map((change) => {
        const { text, startsWithParagraph } = change.shown;
        const lead = leadOf(change);
        // Only a paragraph follows its lead on the same line.
        const start = lead === null ? '' : `${headingOf(lead)}:${startsWithParagraph ? ' ' : '\n'}`;
        return indent(start + text, '- ').trimEnd();
      }),
    })),
  };
}

/** With a blank line between them. */
function joinParts(parts: readonly string[]): string {
  return parts
    .filter((part) => part !== '')
    .map((part) => `${part.trimEnd()}\n`)
    .join('\n');
}
