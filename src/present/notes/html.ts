// Release notes as HTML: in feeds, and in documents of their own.
import type { Render } from '../html/render.ts';
import { renderNotes } from './rendered.ts';
import { type NotedVersion, type Section, sectionsOf, YANKED } from './sections.ts';

export type NotesLook = Readonly<{
  writeHeading: (section: Pick<Section<unknown>, 'kind' | 'heading'>) => string;
  /** The attributes of elements with authored text. */
  authored: string;
  /** Our words inside such an element. */
  writeLead: (words: string) => string;
}>;

const PLAIN: NotesLook = {
  writeHeading: ({ heading }) => `<h3>${heading}</h3>`,
  authored: '',
  writeLead: (words) => words,
};

/** Empty if the version has neither a description nor changes. */
export async function writeNotesHtml(version: NotedVersion, render: Render, look = PLAIN): Promise<string> {
  const { description, changes } = await renderNotes(version, render);
  const parts = [
    version.yanked ? `<p><strong>${YANKED.word}</strong> ${YANKED.text}</p>` : '',
    description === '' || look.authored === '' ? description : `<div${look.authored}>${description}</div>`,
    ...sectionsOf(changes).map((section) => {
      const items = section.items.map(({ lead, change }) => writeItem(lead, change.html, look));
      return `${look.writeHeading(section)}\n<ul>\n${items.join('\n')}\n</ul>`;
    }),
  ];
  return parts
    .filter((part) => part !== '')
    .join('\n')
    .toWellFormed();
}

/** Only a paragraph follows its lead on the same line. */
function writeItem(lead: string, html: string, { authored, writeLead }: NotesLook): string {
  if (lead === '') return `<li${authored}>${html}</li>`;
  const mark = `<p><strong>${writeLead(lead)}</strong>`;
  const text = html.startsWith('<p>') ? ` ${html.slice('<p>'.length)}` : `</p>\n${html}`;
  return `<li${authored}>${mark}${text}</li>`;
}
