// What forms of release notes share. To add one, write a file with a `NotesForm` next to this one, and add its lines to
// http/routes.ts.
import type { ChangeType, InSection, SectionKind } from '../../domain/model.ts';
import { isDayOf } from '../../domain/timestamp.ts';
import type { FullVersion } from '../../store/read/pages.ts';
import type { HeadRow } from '../../store/read/reads.ts';
import type { Render } from '../../text/render.ts';
import { type Frame, titleOf } from '../outputs/output.ts';

/** What notes say of a version. They have no heading. */
export type NotedVersion = Pick<FullVersion, 'yanked' | 'description' | 'changes'>;

export const YANKED = { word: 'Yanked:', text: 'withdrawn after its release.' } as const;

export type NotesForm = Readonly<{
  /** Ends the names of its operations: `NotesText`. */
  name: string;
  /** Follows `as` in their summaries. */
  label: string;
  mediaType: string;
  /** Around the versions; `headers` are more headers of the response, each name followed by its value. */
  frame: (head: HeadRow, title: string) => Frame & Readonly<{ headers: readonly string[] }>;
  writeVersion: (version: FullVersion, context: NotesContext) => Promise<string>;
}>;

/** One of several versions has a title. */
export type NotesContext = Readonly<{ head: HeadRow; render: Render; isTitled: boolean }>;

type PlainForm = Omit<NotesForm, 'frame'> &
  Readonly<{ between: string; writeTitle: (title: string) => string }>;

/** Has nothing around the versions, and writes a version without its title. */
export const plainForm = ({ between, writeTitle, writeVersion, ...form }: PlainForm): NotesForm => ({
  ...form,
  frame: () => ({ start: '', between, end: '', headers: [] }),
  writeVersion: async (version, context) => {
    const notes = await writeVersion(version, context);
    // Such as `2.1.0: Faster launches (2026-05-04)`.
    const title = titleOf(version) + dayOf(version, ' (', ')');
    return context.isTitled ? `${writeTitle(title)}\n${notes && `\n${notes}`}` : notes;
  },
});

/** The day of a version, unless its label says it. */
export function dayOf(
  version: Pick<FullVersion, 'label' | 'publishedAt'>,
  before: string,
  after = '',
): string {
  const { publishedAt } = version;
  return publishedAt === null || isDayOf(version) ? '' : before + publishedAt.slice(0, 10) + after;
}

export function headingOf(kind: SectionKind): string {
  return kind === 'breaking' ? 'Breaking changes' : kind.charAt(0).toUpperCase() + kind.slice(1);
}

/** What a text begins with: the type of a breaking change, whose section has all types. Null if that says nothing. */
export function leadOf({ type, breaking }: InSection<ChangeType>): ChangeType | null {
  return breaking && type !== 'other' ? type : null;
}
