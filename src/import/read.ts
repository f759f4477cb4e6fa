// A changelog in another format → versions as a content document has them, whatever its size.
import type { Input } from '../content/input/input.ts';
import { SpoolQuota } from '../content/input/spool.ts';
import type { ImportedChangelog, ImportFormat } from './changelog.ts';
import { readReleases } from './github/releases.ts';
import { readMarkdown } from './markdown/markdown.ts';

export type ReadOptions = Readonly<{
  format: ImportFormat | 'auto';
  /** Put versions of one label together, instead of refusing them. */
  merging?: boolean;
  /** For the versions until they are written. */
  quota?: SpoolQuota;
  /** Is told how many bytes were read so far, of twice the size of the input. */
  onRead?: (bytes: number) => void;
}>;

/** Refuses with file and line what cannot be read. The input stays open until the changelog is closed. */
export function readChangelog(
  input: Input,
  {
    format,
    merging = false,
    quota = new SpoolQuota(Number.POSITIVE_INFINITY),
    onRead = () => {},
  }: ReadOptions,
): ImportedChangelog {
  if (format === 'github-releases' || (format === 'auto' && isJson(input)))
    return readReleases(input, { merging, quota, onRead: (bytes) => onRead(bytes * 2) });
  return readMarkdown(input, { format, merging, quota, onRead });
}

/** How lists of objects begin; in Markdown, a link may begin with a bracket, too. */
const JSON_BEGIN = /^\uFEFF?\s*(?:\[\s*)*(?:\{\s*(?:["}]|$)|\[\s*(?:\]|$))/;
const HEAD_BYTES = 4 * 1024;

function isJson(input: Input): boolean {
  return JSON_BEGIN.test(input.read(0, HEAD_BYTES).toString('utf8'));
}
