// Release notes as text without markup, for terminals, dialogs and stores.
import { yieldToEventLoop } from '../../event-loop.ts';
import { htmlToText, indent } from '../html/plain-text.ts';
import type { Render } from '../html/render.ts';
import { renderNotes } from './rendered.ts';
import { type NotedVersion, sectionsOf, YANKED } from './sections.ts';

/** Empty if the version has neither a description nor changes. */
export async function writeNotesText(version: NotedVersion, render: Render): Promise<string> {
  const { description, changes } = await renderNotes(version, render);
  const parts = [version.yanked ? `${YANKED.word} ${YANKED.text}` : '', htmlToText(description)];
  for (const { heading, items } of sectionsOf(changes)) {
    const lines = [heading];
    for (const { lead, change } of items) {
      await yieldToEventLoop();
      lines.push(writeItem(lead, change.html));
    }
    parts.push(lines.join('\n'));
  }
  return parts
    .filter((part) => part !== '')
    .map((part) => `${part}\n`)
    .join('\n');
}

/** Only a paragraph follows its lead on the same line. */
function writeItem(lead: string, html: string): string {
  const between = html.startsWith('<p>') ? ' ' : '\n';
  return indent((lead === '' ? '' : lead + between) + htmlToText(html), '- ').trimEnd();
}
