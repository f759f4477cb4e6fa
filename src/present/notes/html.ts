// Release notes as HTML, in the words of the changelog's language: in feeds, and in documents of their own.
import { type SectionKind, sectionsOf } from '../../domain/content/sections.ts';
import type { Render, Writer } from '../../text/render.ts';
import { html } from '../html/template.ts';
import { ownWords } from '../pages/document.ts';
import { fill, type Locale } from '../words/locale.ts';
import type { NotedVersion } from './form.ts';
import { type NoteWriters, renderNotes } from './rendered.ts';

export type NotesLook = Readonly<{
  locale: Locale;
  writers: NoteWriters<string>;
  writeHeading: (kind: SectionKind) => string;
  /** The attributes of elements with authored text. */
  authored: string;
  /** Those of elements with our words: on their own, and inside authored text. */
  ours: string;
  lead: string;
  /** What follows the text of a change, by its id. */
  besides?: (changeId: string) => string;
}>;

/** For readers with a style of their own. */
export function plainLook(locale: Locale, writer: Writer<string>): NotesLook {
  const ours = ownWords(locale).html;
  const writeHeading = (kind: SectionKind) =>
    html`<h3${{ html: ours }}>${locale.words.types[kind]}</h3>`.html;
  const writers = { description: writer, change: writer };
  return { locale, writers, writeHeading, authored: '', ours, lead: ours };
}

/** Empty if the version has neither a description nor changes. */
export async function writeNotesHtml(
  version: NotedVersion,
  render: Render,
  { locale, writers, writeHeading, authored, ours, lead, besides = () => '' }: NotesLook,
): Promise<string> {
  const { types, version: words } = locale.words;
  const { description, changes } = await renderNotes(version, render, writers);
  const parts = [
    version.yanked
      ? html`<p${{ html: ours }}><strong>${beginning(words.yanked, locale)}</strong> ${words.yankedNote}</p>`
          .html
      : '',
    description === null || authored === '' ? (description ?? '') : `<div${authored}>${description}</div>`,
    ...sectionsOf(changes).map((section) => {
      const items = section.changes.map(({ id, type, breaking, shown }) => {
        if (!breaking || type === 'other') return `<li${authored}>${shown}${besides(id)}</li>`;
        const mark = html`<p><strong${{ html: lead }}>${beginning(types[type], locale)}</strong>`.html;
        // Only a paragraph follows its lead on the same line.
        const text = shown.startsWith('<p>') ? ` ${shown.slice('<p>'.length)}` : `</p>\n${shown}`;
        return `<li${authored}>${mark}${text}${besides(id)}</li>`;
      });
      return `${writeHeading(section.kind)}\n<ul>\n${items.join('\n')}\n</ul>`;
    }),
  ];
  return parts
    .filter((part) => part !== '')
    .join('\n')
    .toWellFormed();
}

/** With the colon of the language, but without the space and the isolates of what follows. */
export function beginning(field: string, { words }: Locale): string {
  return fill(words.filters.fieldValue, { field, value: '' }).replace(/[\s\p{Cf}]+$/u, '');
}
