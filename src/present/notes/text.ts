// Release notes as text without markup, for terminals, dialogs and stores.
import { htmlToText, indent, showControls } from '../html/plain-text.ts';
import type { Render } from '../html/render.ts';
import { datedTitleOf, type NotesForm, noFrame } from './form.ts';
import { renderNotes } from './rendered.ts';
import { type NotedVersion, sectionsOf, YANKED } from './sections.ts';

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
  const { description, changes } = await renderNotes(version, render, htmlToText);
  return joinParts([
    version.yanked ? `${YANKED.word} ${YANKED.text}` : '',
    description,
    ...sectionsOf(changes).map(({ heading, items }) => {
      const lines = items.map(({ lead, change: { shown, startsWithParagraph } }) => {
        // Only a paragraph follows its lead on the same line.
        const start = lead === '' ? '' : lead + (startsWithParagraph ? ' ' : '\n');
        return indent(start + shown, '- ').trimEnd();
      });
      return [heading, ...lines].join('\n');
    }),
  ]);
}

/** With a blank line between them. */
function joinParts(parts: readonly string[]): string {
  return parts
    .filter((part) => part !== '')
    .map((part) => `${part.trimEnd()}\n`)
    .join('\n');
}
