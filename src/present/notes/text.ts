// Release notes as text without markup, for terminals, dialogs and stores.
import { type SectionKind, sectionsOf } from '../../domain/content/sections.ts';
import { htmlToText, indent, showControls } from '../html/plain-text.ts';
import type { Render } from '../html/render.ts';
import { headingOf, leadOf } from '../outputs/groups.ts';
import { datedTitleOf, type NotedVersion, type NotesForm, noFrame, YANKED } from './form.ts';
import { renderNotes } from './rendered.ts';

export const textNotes: NotesForm = {
  name: 'Text',
  label: 'text without markup',
  mediaType: 'text/plain',
  frame: noFrame('\n\n'),
  writeVersion: async (version, { render, isTitled }) => {
    const title = showControls(datedTitleOf(version).replaceAll(/\s+/g, ' '));
    return joinParts([isTitled ? title : '', await writeNotesText(version, render)]);
  },
};

/** Empty if the version has neither a description nor changes. */
export async function writeNotesText(version: NotedVersion, render: Render): Promise<string> {
  const { yanked, description, sections } = await writeTextParts(version, render);
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

export async function writeTextParts(version: NotedVersion, render: Render): Promise<TextParts> {
  const { description, changes } = await renderNotes(version, render, htmlToText);
  return {
    yanked: version.yanked ? `${YANKED.word} ${YANKED.text}` : '',
    description,
    sections: sectionsOf(changes).map((section) => ({
      kind: section.kind,
      heading: headingOf(section.kind),
      items: section.changes.map((change) => {
        const { shown, startsWithParagraph } = change;
        const lead = leadOf(change);
        // Only a paragraph follows its lead on the same line.
        const start = lead === '' ? '' : lead + (startsWithParagraph ? ' ' : '\n');
        return indent(start + shown, '- ').trimEnd();
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
