// Release notes as HTML, in the words of the changelog's language: in feeds, and in documents of their own.
import { sectionsOf } from '../../domain/model.ts';
import type { Render } from '../../text/render.ts';
import { elementOf, type Node } from '../../text/tree.ts';
import { authored as authoredIn, ownWords } from '../pages/document.ts';
import type { VersionLink } from '../team.ts';
import { html, joined } from '../template.ts';
import { documentTextFor, htmlFor, renderNotes, type TextHead } from '../texts.ts';
import { fill, fillHtml, type Locale, localeOf } from '../words/locale.ts';
import { leadOf, type NotedVersion } from './form.ts';

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
  const ours = ownWords(locale);
  // In a document, an own direction keeps our words from deciding that of a text. Images are links: nothing is loaded.
  const isPlain = level === undefined;
  const lead = isPlain ? ours : html`${ours} dir="${locale.direction}"`;
  const authored = !isPlain && html` class="text"${authoredIn(locale)}`;
  const writerAt = (below: number) => (isPlain ? htmlFor(head) : documentTextFor(head, level + below));
  const { description, changes } = await renderNotes(version, render, writerAt(0), writerAt(1));
  const sections = sectionsOf(changes).map(({ kind, changes }) => {
    const heading = isPlain
      ? html`<h3${ours}>${types[kind]}</h3>`
      : html`<h${level}><span class="tag ${kind}">${types[kind]}</span></h${level}>`;
    const items = changes.map((change) => {
      const { id, shown } = change;
      const type = leadOf(change);
      const mark = type && html`<p><strong${lead}>${beginning(types[type], locale)}</strong>`;
      // Only a paragraph follows its lead on the same line.
      const text = shown.startsWith('<p>') ? ` ${shown.slice('<p>'.length)}` : `</p>\n${shown}`;
      return html`<li${authored}>${mark ?? ''}${{ html: mark ? text : shown }}${{ html: besides(id) }}</li>`;
    });
    return html`${heading}\n<ul>\n${items}\n</ul>`;
  });
  const yanked = html`<strong>${beginning(words.yanked, locale)}</strong> ${words.yankedNote}`;
  const parts = [
    ...(version.yanked ? [html`<p${isPlain && ours}>${yanked}</p>`] : []),
    ...(description
      ? [isPlain ? { html: description } : html`<div${authored}>${{ html: description }}</div>`]
      : []),
    ...sections,
  ];
  return joined(parts, '\n').html.toWellFormed();
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

// Changes that several products share: who else has them, and where those are that a version leaves out (R64).
/** HTML; empty if no other version has the change. */
export const writeAlsoIn = (locale: Locale, versions: readonly VersionLink[]): string =>
  writeVersions(locale, locale.words.version.alsoIn, versions);

/** HTML; empty if the version shows all its changes. */
export const writeListedUnder = (locale: Locale, versions: readonly VersionLink[]): string =>
  writeVersions(locale, locale.words.version.listedUnder, versions);

/** A monorepo may release hundreds of packages at once. */
export const NAMED_MAX = 20;

function writeVersions(locale: Locale, text: string, versions: readonly VersionLink[]): string {
  if (versions.length === 0) return '';
  const named = versions
    .slice(0, NAMED_MAX)
    .map(({ name, url }) => html`<a href="${url}" dir="auto">${name}</a>`);
  const more = versions.length - named.length;
  const items = more === 0 ? named : [...named, html`+${locale.number(more)}`];
  return html`<p${ownWords(locale)}>${fillHtml(text, { versions: locale.allOf(items) })}</p>`.html;
}
