// Release notes as a whole document, for update dialogs and frames: no header, no script, and nothing to load (R54).
import { isDayOf } from '../../domain/timestamp.ts';
import type { HeadRow } from '../../store/read/reads.ts';
import { cutTitle, directionOf, ownWords, writeDate } from '../pages/document.ts';
import { hashOf, NO_SCRIPT, readStyles, writeAccent } from '../pages/style.ts';
import { writeName } from '../pages/version-parts.ts';
import { html } from '../template.ts';
import { localeOf } from '../words/locale.ts';
import type { NotesForm } from './form.ts';
import { writeNotesHtml } from './html.ts';

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
