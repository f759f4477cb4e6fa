// What forms of release notes share. To add one, write a file with a `NotesForm` next to this one, and add its lines to
// http/routes.ts.
import type { SectionKind } from '../../domain/content/sections.ts';
import type { ChangeType } from '../../domain/model.ts';
import { isDayOf } from '../../domain/timestamp.ts';
import type { FullVersion } from '../../store/read/pages.ts';
import type { ChangeRow, HeadRow } from '../../store/read/reads.ts';
import type { Render, Writer } from '../../text/render.ts';
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

/** Without anything around the versions. */
export function plainForm({
  between,
  writeTitle,
  writeNotes,
  ...form
}: Omit<NotesForm, 'frame' | 'writeVersion'> &
  Readonly<{
    between: string;
    writeTitle: (title: string) => string;
    writeNotes: NotesForm['writeVersion'];
  }>): NotesForm {
  return {
    ...form,
    frame: () => ({ start: '', between, end: '', headers: [] }),
    writeVersion: async (version, context) => {
      const notes = await writeNotes(version, context);
      return context.isTitled ? `${writeTitle(datedTitleOf(version))}\n${notes && `\n${notes}`}` : notes;
    },
  };
}

/** Such as `2.1.0: Faster launches (2026-05-04)`. */
function datedTitleOf(version: FullVersion): string {
  const { publishedAt } = version;
  const date = publishedAt === null || isDayOf(version) ? '' : ` (${publishedAt.slice(0, 10)})`;
  return titleOf(version) + date;
}

export function headingOf(kind: SectionKind): string {
  return kind === 'breaking' ? 'Breaking changes' : kind.charAt(0).toUpperCase() + kind.slice(1);
}

/** What a text begins with: the type of a breaking change, whose section has all types. Null if that says nothing. */
export function leadOf({
  type,
  breaking,
}: Readonly<{ type: ChangeType; breaking: boolean | 0 | 1 }>): ChangeType | null {
  return breaking && type !== 'other' ? type : null;
}

/** The description, which is null if there is none, and the changes, each with what its writer made of its text. */
export async function renderNotes<T>(
  { description, changes }: Pick<NotedVersion, 'description' | 'changes'>,
  render: Render,
  writer: Writer<T>,
  writerOfChanges = writer,
): Promise<{ description: T | null; changes: readonly (ChangeRow & Readonly<{ shown: T }>)[] }> {
  const [introduction = null] = await render(description ? [description] : [], writer);
  const texts = changes.map(({ text }) => text);
  const written = await render(texts, writerOfChanges);
  return {
    description: introduction,
    changes: changes.map((change, index) => ({ ...change, shown: written[index] as T })),
  };
}
