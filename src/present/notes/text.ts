// Release notes as text without markup, for terminals, dialogs and stores.
import { type SectionKind, sectionsOf } from '../../domain/model.ts';
import { indent, showControls } from '../../text/plain.ts';
import type { Render } from '../../text/render.ts';
import { plainFor, renderNotes, type TextHead } from '../texts.ts';
import { headingOf, leadOf, type NotedVersion, plainForm, YANKED } from './form.ts';

export const textNotes = plainForm({
  name: 'Text',
  label: 'text without markup',
  mediaType: 'text/plain',
  between: '\n\n',
  writeTitle: (title) => showControls(title.replaceAll(/\s+/g, ' ')).trimEnd(),
  writeVersion: (version, { head, render }) => writeNotesText(version, head, render),
});

/** Empty if the version has neither a description nor changes. */
export async function writeNotesText(
  version: NotedVersion,
  head: Pick<TextHead, 'linkBase'>,
  render: Render,
): Promise<string> {
  const [first, ...others] = await writePieces(version, head, render);
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
  head: Pick<TextHead, 'linkBase'>,
  render: Render,
): Promise<Piece[]> {
  const { description, changes } = await renderNotes(version, render, plainFor(head));
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
