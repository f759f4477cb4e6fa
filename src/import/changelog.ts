// What a reader returns, whatever the format.
import type { VersionContent } from '../domain/content/content.ts';

export const IMPORT_FORMATS = ['keep-a-changelog', 'conventional', 'changesets', 'github-releases'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

export type ImportedVersion = Readonly<{
  content: VersionContent;
  /** Does the source tell whether and when it was published? If not, the content is a draft. */
  isDated: boolean;
  /** The line of its heading or record. */
  line: number;
}>;

/** In the order of the source. They can be iterated repeatedly, and may not fit into memory. */
export type ImportedVersions = Iterable<ImportedVersion> & Readonly<{ length: number }>;

export type ImportedChangelog = Readonly<{
  format: ImportFormat;
  /** The name in the title of the source. */
  name: string | null;
  versions: ImportedVersions;
  /** Each is one line that starts with file and line. */
  warnings: readonly string[];
  close: () => void;
}>;
