import type { ChangeRow } from '../../store/read/reads.ts';
import type { Render, Writer } from '../../text/render.ts';
import { textsOf } from '../version.ts';
import type { NotedVersion } from './form.ts';

/** How the texts of a version are written. */
export type NoteWriters<T> = Readonly<{ description: Writer<T>; change: Writer<T> }>;

type WrittenNotes<T> = Readonly<{
  /** Null if there is none. */
  description: T | null;
  changes: readonly (ChangeRow & Readonly<{ shown: T }>)[];
}>;

export async function renderNotes<T>(
  { description, changes }: Pick<NotedVersion, 'description' | 'changes'>,
  render: Render,
  writers: NoteWriters<T>,
): Promise<WrittenNotes<T>> {
  const [introduction = null] = await render(description ? [description] : [], writers.description);
  const written = await render(textsOf(changes), writers.change);
  return {
    description: introduction,
    changes: changes.map((change, index) => ({ ...change, shown: written[index] as T })),
  };
}
