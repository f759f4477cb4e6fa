// A changelog in another format → versions as a content document has them, whatever its size.
import type { Source } from '../content/source.ts';
import type { ImportedChangelog, ImportFormat } from './changelog.ts';
import { readMarkdown } from './markdown.ts';

export type ReadOptions = Readonly<{
  format: ImportFormat | 'auto';
  /** Is told how many bytes were read so far, of twice the size of the source. */
  onRead?: (bytes: number) => void;
}>;

/** Refuses with file and line what cannot be read. The source stays open until the changelog is closed. */
export function readChangelog(source: Source, { format, onRead = () => {} }: ReadOptions): ImportedChangelog {
  return readMarkdown(source, { format: format as 'auto', onRead });
}
