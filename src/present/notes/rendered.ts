import type { ChangeRow } from '../../store/read/reads.ts';
import type { Render } from '../html/render.ts';
import { textsOf } from '../version.ts';
import type { NotedVersion } from './sections.ts';

export type RenderedNotes = Readonly<{
  /** HTML; empty if there is none. */
  description: string;
  changes: readonly (ChangeRow & Readonly<{ html: string }>)[];
}>;

export async function renderNotes(
  { description, changes }: NotedVersion,
  render: Render,
): Promise<RenderedNotes> {
  const [introduction = ''] = await render(description ? [description] : []);
  const html = await render(textsOf(changes));
  return {
    description: introduction,
    changes: changes.map((change, index) => ({ ...change, html: html[index] as string })),
  };
}
