// Release notes as HTML: in feeds, and in documents of their own.
import type { Render } from '../html/render.ts';
import { type Adapt, renderNotes } from './rendered.ts';
import { type NotedVersion, type Section, sectionsOf, YANKED } from './sections.ts';

export type NotesLook = Readonly<{
  adapt: Adapt;
  writeHeading: (section: Pick<Section<unknown>, 'kind' | 'heading'>) => string;
  /** The attributes of elements with authored text. */
  authored: string;
  /** Our words inside such an element. */
  writeLead: (words: string) => string;
}>;

const PLAIN: NotesLook = {
  adapt: (html) => html,
  writeHeading: ({ heading }) => `<h3>${heading}</h3>`,
  authored: '',
  writeLead: (words) => words,
};

/** Empty if the version has neither a description nor changes. */
export async function writeNotesHtml(version: NotedVersion, render: Render, look = PLAIN): Promise<string> {
  const { adapt, writeHeading, authored, writeLead } = look;
  const { description, changes } = await renderNotes(version, render, adapt);
  const parts = [
    version.yanked ? `<p><strong>${YANKED.word}</strong> ${YANKED.text}</p>` : '',
    description === '' || authored === '' ? description : `<div${authored}>${description}</div>`,
    ...sectionsOf(changes).map((section) => {
      const items = section.items.map(({ lead, change: { shown, startsWithParagraph } }) => {
        if (lead === '') return `<li${authored}>${shown}</li>`;
        const mark = `<p><strong>${writeLead(lead)}</strong>`;
        // Only a paragraph follows its lead on the same line.
        const text = startsWithParagraph ? ` ${shown.slice('<p>'.length)}` : `</p>\n${shown}`;
        return `<li${authored}>${mark}${text}</li>`;
      });
      return `${writeHeading(section)}\n<ul>\n${items.join('\n')}\n</ul>`;
    }),
  ];
  return parts
    .filter((part) => part !== '')
    .join('\n')
    .toWellFormed();
}
