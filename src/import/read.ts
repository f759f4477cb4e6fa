// A changelog in another format → versions as a content document has them. One pass over the source looks at what it
// is, the next one reads it; neither holds it in memory.
import type { Source } from '../content/source.ts';
import { Refusal } from '../errors.ts';
import type { ImportedChangelog, ImportFormat } from './changelog.ts';

export type ReadOptions = Readonly<{
  format: ImportFormat | 'auto';
  /** Is told how many bytes were read so far, of twice the size of the source. */
  onRead?: (bytes: number) => void;
}>;

/** Refuses with file and line what cannot be read. The source stays open until the changelog is closed. */
export function readChangelog(source: Source, _options: ReadOptions): ImportedChangelog {
  throw new Refusal(`${source.name}: not yet`);
}
