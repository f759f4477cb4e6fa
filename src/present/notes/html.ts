// Release notes as HTML, in the words of the changelog's language: in feeds, and as whole documents for update dialogs and
// frames, with no header, no script, and nothing to load (R54).
import { sectionsOf } from '../../domain/model.ts';
import { isDayOf } from '../../domain/timestamp.ts';
import type { HeadRow } from '../../store/read/reads.ts';
import type { Render } from '../../text/render.ts';
import { elementOf, type Node } from '../../text/tree.ts';
import type { VersionLink } from '../changelog.ts';
import { authored as authoredIn, cutTitle, directionOf, ownWords, writeDate } from '../pages/document.ts';
import { hashOf, NO_SCRIPT, readStyles, writeAccent } from '../pages/style.ts';
import { writeName } from '../pages/version-parts.ts';
import { html, joined } from '../template.ts';
import { documentTextFor, htmlFor, renderNotes, type TextHead } from '../texts.ts';
import { fill, fillHtml, type Locale, localeOf } from '../words/locale.ts';
import { leadOf, type NotedVersion, type NotesForm } from './form.ts';

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

/** A monorepo may release hundreds of packages at once. */
export const NAMED_MAX = 20;

/**
 * Who else has a change that several products share, or where those are that a version leaves out (R64), as HTML. Empty
 * without versions.
 */
export function writeShared(
  locale: Locale,
  words: 'alsoIn' | 'listedUnder',
  versions: readonly VersionLink[],
): string {
  if (versions.length === 0) return '';
  const named = versions
    .slice(0, NAMED_MAX)
    .map(({ name, url }) => html`<a href="${url}" dir="auto">${name}</a>`);
  const more = versions.length - named.length;
  const items = more === 0 ? named : [...named, html`+${locale.number(more)}`];
  return html`<p${ownWords(locale)}>${fillHtml(locale.words.version[words], { versions: locale.allOf(items) })}</p>`
    .html;
}

const STYLE = readStyles('shared', 'notes');

export const htmlNotes: NotesForm = {
  name: 'Html',
  label: 'an HTML document',
  mediaType: 'text/html',
  frame,
  writeVersion: async (version, { head, render, isTitled }) => {
    const notes = await writeNotesHtml(version, head, render, { level: isTitled ? 3 : 2 });
    const { label, publishedAt } = version;
    const date = publishedAt !== null && !isDayOf(version) && writeDate(publishedAt, localeOf(head));
    const title = html`<header><h2>${writeName(version, head)}</h2>${date}</header>
`;
    return html`<article data-sparkle-version="${label}">
${isTitled && title}${{ html: notes }}
</article>
`.html.toWellFormed();
  },
};

export const notesSheetFor = (accent: string | null): string => STYLE + writeAccent(accent);

function frame(head: HeadRow, title: string): ReturnType<NotesForm['frame']> {
  const css = notesSheetFor(head.accent);
  const policy = `default-src 'none'; style-src ${hashOf(css)}; form-action 'none'; base-uri 'none'; frame-ancestors *; ${NO_SCRIPT}`;
  const locale = localeOf(head);
  const start = html`<!DOCTYPE html>
<html lang="${locale.language}"${directionOf(locale)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${cutTitle(title)}</title>
<style>${{ html: css }}</style>
</head>
<body${ownWords(locale)}>
<main>
`;
  const end = '</main>\n</body>\n</html>\n';
  return { start: start.html, between: '', end, headers: ['content-security-policy', policy] };
}
