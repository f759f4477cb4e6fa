import { yieldToEventLoop } from '../../event-loop.ts';
import type { ChangeRow } from '../../store/read/reads.ts';
import type { Render } from '../html/render.ts';
import { textsOf } from '../version.ts';
import type { NotedVersion } from './form.ts';

/** What a form makes of the HTML of a text. */
export type Adapt = (html: string, part: 'description' | 'change') => string;

type AdaptedChange = ChangeRow & Readonly<{ shown: string; startsWithParagraph: boolean }>;

export async function renderNotes(
  { description, changes }: NotedVersion,
  render: Render,
  adapt: Adapt,
): Promise<Readonly<{ description: string; changes: readonly AdaptedChange[] }>> {
  const [introduction = ''] = await render(description ? [description] : []);
  const html = await render(textsOf(changes));
  const adapted: AdaptedChange[] = [];
  for (const [index, change] of changes.entries()) {
    await yieldToEventLoop();
    const rendered = html[index] as string;
    const startsWithParagraph = rendered.startsWith('<p>');
    adapted.push({ ...change, shown: adapt(rendered, 'change'), startsWithParagraph });
  }
  return { description: adapt(introduction, 'description'), changes: adapted };
}
