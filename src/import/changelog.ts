// What the readers of all formats return.
import type { VersionContent } from '../domain/content/content.ts';
import type { ListedVersion } from '../domain/version-choice.ts';

const IMPORT_FORMATS = ['keep-a-changelog', 'conventional', 'changesets', 'github-releases'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** Markups that are converted to Markdown. */
const MARKUPS = ['rst', 'asciidoc', 'rdoc', 'org', 'text', 'debian', 'rpm', 'suse'] as const;
export type Markup = (typeof MARKUPS)[number];

export const READABLE_FORMATS = [...IMPORT_FORMATS, ...MARKUPS] as const;
export type ReadableFormat = (typeof READABLE_FORMATS)[number];

export const FORMAT_NAMES: Readonly<Record<ReadableFormat, string>> = {
  'keep-a-changelog': 'Keep a Changelog',
  conventional: 'conventional-changelog',
  changesets: 'changesets',
  'github-releases': 'GitHub or GitLab releases',
  rst: 'reStructuredText',
  asciidoc: 'AsciiDoc',
  rdoc: 'RDoc',
  org: 'Org',
  text: 'plain text',
  debian: 'Debian changelog',
  rpm: 'RPM changelog',
  suse: 'SUSE changes',
};

export function isMarkup(format: string): format is Markup {
  return (MARKUPS as readonly string[]).includes(format);
}

/** Chooses among the versions of a text, by their headings, those that must be read; others come without their text. */
export type ChooseLabels = (listed: readonly ListedVersion[]) => ReadonlySet<string>;

export type ImportedVersion = Readonly<{
  content: VersionContent;
  /** Whether the source says if and when it was published. If not, the content is a draft. */
  isDated: boolean;
  /** The line of its heading or record. */
  line: number;
  /** If its heading is not that of a version: what to do about it. */
  stray?: string;
}>;

export type ImportedChangelog = Readonly<{
  format: ImportFormat;
  /** Absent if it is JSON. */
  markup?: Markup | 'markdown';
  /** The name in the title of the source. */
  name: string | null;
  /** Its introduction, in Markdown. */
  description: string | null;
  /** In the order of the source. */
  versions: readonly ImportedVersion[];
  /** Each is one line that starts with file and line. */
  warnings: readonly string[];
}>;

/** A version without a date is released unless the file says otherwise: many files have no dates. */
export function listVersion({ content, isDated }: ImportedVersion): ListedVersion {
  const { version: label, publishedAt, status, yanked } = content;
  return { label, publishedAt, isDraft: isDated && status === 'draft', yanked };
}
