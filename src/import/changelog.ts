// What the readers of other people's formats give.
import type { VersionContent } from '../domain/content/content.ts';

export const IMPORT_FORMATS = ['keep-a-changelog', 'conventional', 'changesets', 'github-releases'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

export type ImportedVersion = Readonly<{
  content: VersionContent;
  /** Does the source say whether and when it was published? If not, the content is that of a draft. */
  isDated: boolean;
  /** Of its heading, or of its record. */
  line: number;
}>;

/** In the order of the source, to be gone through as often as wanted; there may be more than memory could hold. */
export type ImportedVersions = Iterable<ImportedVersion> & Readonly<{ length: number }>;

export type ImportedChangelog = Readonly<{
  format: ImportFormat;
  /** What the source calls itself, if it does. */
  name: string | null;
  versions: ImportedVersions;
  /** What a person should know of, each in one line that begins with file and line. */
  warnings: readonly string[];
  close: () => void;
}>;
