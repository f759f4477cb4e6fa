// Release notes as HTML, in the words of the changelog's language: in feeds, and in documents of their own.
import { type SectionKind, sectionsOf } from '../../domain/content/sections.ts';
import type { Render } from '../../text/render.ts';
import { elementOf, type Node } from '../../text/tree.ts';
import { authored as authoredIn, ownWords } from '../pages/document.ts';
import { html } from '../template.ts';
import { documentTextFor, htmlFor, type TextHead } from '../texts.ts';
import { fill, type Locale, localeOf } from '../words/locale.ts';
import { leadOf, type NotedVersion, renderNotes } from './form.ts';

type NotesOptions = Readonly<{
  /** The level of the headings in a document of our own; without one, readers have a style of their own. */
  level?: 2 | 3;
  /** What follows the text of a change, by its id. */
  besides?: (changeId: string) => string;
}>;

/** Empty if the version has neither a description nor changes. */
export async function writeNotesHtml(
  version: NotedVersion,
  head: TextHead,
  render: Render,
  { level, besides = () => '' }: NotesOptions = {},
): Promise<string> {
  const locale = localeOf(head);
  const { types, version: words } = locale.words;
  const ours = ownWords(locale).html;
  // In a document, an own direction keeps our words from deciding that of a text. Images are links: nothing is loaded.
  const isPlain = level === undefined;
  const lead = isPlain ? ours : `${ours} dir="${locale.direction}"`;
  const authored = isPlain ? '' : html` class="text"${authoredIn(locale)}`.html;
  const writeHeading = (kind: SectionKind) =>
    isPlain
      ? html`<h3${{ html: ours }}>${types[kind]}</h3>`.html
      : html`<h${level}><span class="tag ${kind}">${types[kind]}</span></h${level}>`.html;
  const writerAt = (below: number) => (isPlain ? htmlFor(head) : documentTextFor(head, level + below));
  const { description, changes } = await renderNotes(version, render, writerAt(0), writerAt(1));
  const { yanked, yankedNote } = words;
  const parts = [
    version.yanked
      ? html`<p${{ html: isPlain ? ours : '' }}><strong>${beginning(yanked, locale)}</strong> ${yankedNote}</p>`
          .html
      : '',
    description === null || isPlain ? (description ?? '') : `<div${authored}>${description}</div>`,
    ...sectionsOf(changes).map((section) => {
      const items = section.changes.map((change) => {
        const { id, shown } = change;
        const type = leadOf(change);
        if (type === null) return `<li${authored}>${shown}${besides(id)}</li>`;
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

/** What the item of a change begins with as nodes, for writers of trees. */
export function leadNodes(change: Parameters<typeof leadOf>[0], locale: Locale): Node[] {
  const type = leadOf(change);
  return type === null
    ? []
    : [elementOf('p', elementOf('strong', beginning(locale.words.types[type], locale)))];
}
