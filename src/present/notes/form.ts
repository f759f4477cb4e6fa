// What forms of release notes share. To add one, write a file with a `NotesForm` next to this one, and add its lines to
// http/routes.ts.
import type { FullVersion } from '../../store/read/pages.ts';
import type { HeadRow } from '../../store/read/reads.ts';
import type { Render } from '../../text/render.ts';
import { titleOf } from '../outputs/entry-title.ts';
import type { Frame } from '../outputs/output.ts';

/** What notes say of a version. They have no heading. */
export type NotedVersion = Pick<FullVersion, 'yanked' | 'description' | 'changes'>;

export const YANKED = { word: 'Yanked:', text: 'withdrawn after its release.' } as const;

export type NotesForm = Readonly<{
  /** Ends the names of its operations: `NotesText`. */
  name: string;
  /** Follows `as` in their summaries. */
  label: string;
  mediaType: string;
  /** Around the versions. */
  frame: (head: HeadRow, title: string) => NotesFrame;
  writeVersion: (version: FullVersion, context: NotesContext) => Promise<string>;
}>;

/** `headers` are more headers of the response, each name followed by its value. */
export type NotesFrame = Frame & Readonly<{ headers: readonly string[] }>;

/** One of several versions has a title. */
export type NotesContext = Readonly<{ head: HeadRow; render: Render; isTitled: boolean }>;

/** Such as `2.1.0: Faster launches (2026-05-04)`. */
export function datedTitleOf(version: Pick<FullVersion, 'label' | 'title' | 'publishedAt'>): string {
  const { publishedAt } = version;
  return publishedAt === null ? titleOf(version) : `${titleOf(version)} (${publishedAt.slice(0, 10)})`;
}

/** Nothing around the versions. */
export function noFrame(between: string): () => NotesFrame {
  return () => ({ start: '', between, end: '', headers: [] });
}
