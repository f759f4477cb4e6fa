// Release notes as HTML: in feeds, and in documents of their own.
import { type SectionKind, sectionsOf } from '../../domain/content/sections.ts';
import type { Render } from '../html/render.ts';
import { headingOf, leadOf } from '../outputs/groups.ts';
import { type NotedVersion, YANKED } from './form.ts';
import { type Adapt, renderNotes } from './rendered.ts';

export type NotesLook = Readonly<{
  adapt: Adapt;
  writeHeading: (kind: SectionKind) => string;
  /** The attributes of elements with authored text. */
  authored: string;
  /** Those of elements with our words. */
  ours: string;
  /** Our words inside authored text. */
  writeLead: (words: string) => string;
}>;

const PLAIN: NotesLook = {
  adapt: (html) => html,
  writeHeading: (kind) => `<h3>${headingOf(kind)}</h3>`,
  authored: '',
  ours: '',
  writeLead: (words) => words,
};

/** Empty if the version has neither a description nor changes. */
export async function writeNotesHtml(version: NotedVersion, render: Render, look = PLAIN): Promise<string> {
  const { adapt, writeHeading, authored, ours, writeLead } = look;
  const { description, changes } = await renderNotes(version, render, adapt);
  const parts = [
    version.yanked ? `<p${ours}><strong>${YANKED.word}</strong> ${YANKED.text}</p>` : '',
    description === '' || authored === '' ? description : `<div${authored}>${description}</div>`,
    ...sectionsOf(changes).map((section) => {
      const items = section.changes.map((change) => {
        const { shown, startsWithParagraph } = change;
        const lead = leadOf(change);
        if (lead === '') return `<li${authored}>${shown}</li>`;
        const mark = `<p><strong>${writeLead(lead)}</strong>`;
        // Only a paragraph follows its lead on the same line.
        const text = startsWithParagraph ? ` ${shown.slice('<p>'.length)}` : `</p>\n${shown}`;
        return `<li${authored}>${mark}${text}</li>`;
      });
      return `${writeHeading(section.kind)}\n<ul>\n${items.join('\n')}\n</ul>`;
    }),
  ];
  return parts
    .filter((part) => part !== '')
    .join('\n')
    .toWellFormed();
}
